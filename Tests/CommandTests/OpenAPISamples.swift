/// Two OpenAPI documents as services have them.
enum OpenAPISamples {
    /// OpenAPI 3.0: references, lists of files, an encoding, an `allOf`.
    static let gallery = """
        {
          "openapi": "3.0.3",
          "info": {"title": "Gallery", "version": "1.4.0"},
          "servers": [{"url": "https://api.example.com/v1"}],
          "paths": {
            "/albums": {
              "get": {"responses": {"200": {"description": "All albums"}}},
              "post": {
                "operationId": "createAlbum",
                "requestBody": {
                  "required": true,
                  "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Album"}}}
                },
                "responses": {"201": {"description": "Created"}}
              }
            },
            "/albums/{id}/photos": {
              "parameters": [{"name": "id", "in": "path", "required": true,
                              "schema": {"type": "string"}}],
              "post": {
                "operationId": "addPhotos",
                "requestBody": {"$ref": "#/components/requestBodies/Photos"},
                "responses": {"201": {"description": "Added"}}
              }
            },
            "/users/{id}/avatar": {
              "put": {
                "operationId": "setAvatar",
                "requestBody": {
                  "content": {
                    "multipart/form-data": {
                      "schema": {
                        "type": "object",
                        "required": ["avatar"],
                        "additionalProperties": true,
                        "properties": {"avatar": {"type": "string", "format": "binary",
                                                  "maxLength": 1048576}}
                      },
                      "encoding": {"avatar": {"contentType": "image/png, image/jpeg"}}
                    }
                  }
                },
                "responses": {"204": {"description": "Set"}}
              }
            }
          },
          "components": {
            "requestBodies": {
              "Photos": {
                "required": true,
                "content": {
                  "multipart/form-data": {
                    "schema": {"$ref": "#/components/schemas/PhotoForm"},
                    "encoding": {
                      "photos": {"contentType": "image/*"},
                      "place": {"contentType": "application/json"},
                      "thumbnail": {"contentType": "*/*"}
                    }
                  }
                }
              }
            },
            "schemas": {
              "Album": {"type": "object", "properties": {"title": {"type": "string"}}},
              "Captioned": {
                "type": "object",
                "required": ["caption"],
                "properties": {"caption": {"type": "string", "minLength": 1, "maxLength": 200}}
              },
              "File": {"type": "string", "format": "binary"},
              "PhotoForm": {
                "allOf": [
                  {"$ref": "#/components/schemas/Captioned"},
                  {
                    "type": "object",
                    "required": ["photos"],
                    "properties": {
                      "id": {"type": "string", "readOnly": true},
                      "photos": {"type": "array", "minItems": 2, "maxItems": 10,
                                 "items": {"$ref": "#/components/schemas/File"}},
                      "thumbnail": {"description": "A small one",
                                    "allOf": [{"$ref": "#/components/schemas/File"}]},
                      "place": {"type": "object",
                                "properties": {"lat": {"type": "number"}, "lon": {"type": "number"}}},
                      "tags": {"type": "array", "items": {"type": "string", "maxLength": 20}},
                      "visibility": {"type": "string", "enum": ["public", "private"]},
                      "rating": {"type": "integer", "minimum": 1, "maximum": 5},
                      "source": {"oneOf": [{"type": "string"}, {"type": "integer"}]}
                    }
                  }
                ]
              }
            }
          }
        }
        """

    /// OpenAPI 3.1: types that may be null, bytes without a format, one form alone.
    static let transcripts = """
        {
          "openapi": "3.1.0",
          "info": {"title": "Transcripts", "version": "2026-01-01"},
          "paths": {
            "/audio/transcriptions": {
              "post": {
                "summary": "Transcribes audio",
                "requestBody": {
                  "content": {
                    "Multipart/Form-Data; charset=utf-8": {
                      "schema": {
                        "type": "object",
                        "additionalProperties": false,
                        "required": ["file", "model"],
                        "properties": {
                          "file": {"contentMediaType": "application/octet-stream"},
                          "cover": {"type": ["string", "null"], "contentMediaType": "image/png",
                                    "contentEncoding": "base64"},
                          "model": {"type": ["string", "null"], "maxLength": 64},
                          "prompt": {"type": "string"},
                          "temperature": {"type": "number", "maxLength": 3},
                          "timestamp_granularities[]": {
                            "type": "array", "maxItems": 2,
                            "items": {"type": "string", "enum": ["word", "segment"]}
                          }
                        }
                      }
                    }
                  }
                },
                "responses": {"200": {"description": "The text"}}
              }
            }
          }
        }
        """
}
