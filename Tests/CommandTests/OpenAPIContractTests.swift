import Inspection
import Proxy
import Testing
import weir

/// Contracts out of OpenAPI documents.
@Suite struct OpenAPIContractTests {
    private static func contract(
        _ text: String,
        path: String? = nil,
        method: String? = nil
    ) throws(UsageProblem) -> OpenAPIContract {
        try OpenAPIContract(
            of: OpenAPIDocument(text: text, name: "api.json"),
            path: path,
            method: method
        )
    }

    @Test func aFormOfReferencesIsRead() throws {
        let made = try Self.contract(
            OpenAPISamples.gallery,
            path: "/albums/{id}/photos",
            method: "post"
        )
        #expect(
            ContractCommand.text(of: made) == """
                // POST /albums/{id}/photos
                {
                  "contract": {
                    "unknownFields": "deny",
                    "fields": {
                      "caption": {
                        "kind": "field",
                        "required": true,
                        "minBytes": 1,
                        "maxBytes": 800
                      },
                      "photos": {
                        "kind": "file",
                        "required": true,
                        "maxCount": 10,
                        "contentTypes": ["image/*"]
                      },
                      "place": {
                        "kind": "field",
                        "contentTypes": ["application/json"]
                      },
                      "rating": {
                        "kind": "field"
                      },
                      "source": {
                        "kind": "field"
                      },
                      "tags": {
                        "kind": "field",
                        "maxCount": "unlimited",
                        "maxBytes": 80
                      },
                      "thumbnail": {
                        "kind": "file"
                      },
                      "visibility": {
                        "kind": "field",
                        "maxBytes": 7
                      }
                    }
                  }
                }
                """
        )
        #expect(
            made.notes == [
                "photos: a contract cannot ask for 2 parts, only for one",
                "source: its oneOf, anyOf or allOf is left to the upstream",
            ]
        )
    }

    @Test func aFormOfVersion31IsRead() throws {
        let made = try Self.contract(OpenAPISamples.transcripts)
        #expect(made.operation == "POST /audio/transcriptions")
        #expect(made.notes.isEmpty)
        #expect(!made.contract.allowsUnknownFields)
        var file = FieldRule("file", .file)
        file.isRequired = true
        var model = FieldRule("model", .field)
        model.isRequired = true
        model.maximumBytes = 256
        var granularities = FieldRule("timestamp_granularities[]", .field)
        granularities.maximumCount = 2
        granularities.maximumBytes = 7
        #expect(
            made.contract.fields == [
                FieldRule("cover", .field), file, model, FieldRule("prompt", .field),
                FieldRule("temperature", .field), granularities,
            ]
        )
    }

    @Test func theOnlyFormOfAPathNeedsNoMethod() throws {
        let made = try Self.contract(OpenAPISamples.gallery, path: "/users/{id}/avatar")
        #expect(made.operation == "PUT /users/{id}/avatar")
        #expect(made.contract.allowsUnknownFields)
        #expect(made.contract.fields.first?.contentTypes == ["image/png", "image/jpeg"])
        #expect(made.contract.fields.first?.maximumBytes == 1 << 20)
    }

    /// What is printed is a configuration that means the contract.
    @Test func whatIsPrintedCanBePasted() throws {
        for text in [OpenAPISamples.gallery, OpenAPISamples.transcripts] {
            let path = text == OpenAPISamples.gallery ? "/albums/{id}/photos" : nil
            let made = try Self.contract(text, path: path)
            let settings = try read(file: ContractCommand.text(of: made)).get()
            let contract = try #require(settings.proxy.policy.contract)
            #expect(contract.allowsUnknownFields == made.contract.allowsUnknownFields)
            #expect(contract.fields == made.contract.fields.sorted { $0.name < $1.name })
        }
    }

    @Test(
        arguments: [
            ("/albums", nil, "that operation takes no multipart/form-data"),
            (nil, "get", "that operation takes no multipart/form-data"),
            (
                nil, nil,
                "2 operations take forms: POST /albums/{id}/photos, PUT /users/{id}/avatar;"
                    + " say which with --path and --method"
            ),
            ("/albumz", nil, "the document has no such operation; did you mean /albums?"),
            ("/albums", "DELETE", "the document has no such operation"),
        ] as [(String?, String?, String)]
    )
    func anOperationWithoutAFormIsNamed(path: String?, method: String?, problem: String) {
        #expect(throws: UsageProblem(problem)) {
            try Self.contract(OpenAPISamples.gallery, path: path, method: method)
        }
    }

    @Test(arguments: [
        (
            "openapi: 3.0.3\ninfo:\n  title: x\n",
            "api.json is not a JSON object; weir reads no YAML: convert the document to JSON first"
        ),
        ("[]", "api.json is not a JSON object"),
        ("{\"swagger\": \"2.0\"}", "api.json is not an OpenAPI 3 document: openapi is not \"3.…\""),
        ("{\"openapi\": \"3.0.0\"}", "the document has no such operation"),
        (
            "{\"openapi\": \"3.0.0\", \"paths\": {\"/a\": {\"post\": {}}}}",
            "the document takes no multipart/form-data"
        ),
    ])
    func adocumentOfAnotherKindIsNamed(text: String, problem: String) {
        #expect(throws: UsageProblem(problem)) { try Self.contract(text) }
    }

    /// A document whose form has this schema, with more of them beside it.
    private static func document(_ schema: String, _ schemas: String = "") -> String {
        """
        {"openapi": "3.0.0", "paths": {"/a": {"post": {"requestBody": {"content":
        {"multipart/form-data": {"schema": \(schema)}}}}}},
        "components": {"schemas": {\(schemas)}}}
        """
    }

    @Test(arguments: [
        (
            "{\"$ref\": \"#/components/schemas/A\"}",
            "\"A\": {\"$ref\": \"#/components/schemas/A\"}",
            "$ref #/components/schemas/A leads back to itself"
        ),
        (
            "{\"$ref\": \"#/components/schemas/A\"}",
            "\"A\": {\"allOf\": [{\"$ref\": \"#/components/schemas/A\"},"
                + " {\"$ref\": \"#/components/schemas/A\"}]}",
            "the schema of the form is nested too deep, or holds itself"
        ),
        (
            "{\"properties\": {\"a\": {\"$ref\": \"#/components/schemas/A\"}}}",
            "\"A\": {\"allOf\": [{\"$ref\": \"#/components/schemas/A\"}]}",
            "a schema is nested too deep, or holds itself"
        ),
        ("{\"$ref\": \"#/components/schemas/B\"}", "", "$ref #/components/schemas/B leads nowhere"),
        ("{\"$ref\": \"#/paths/%zz\"}", "", "$ref #/paths/%zz leads nowhere"),
        (
            "{\"$ref\": \"other.json#/A\"}", "",
            "$ref other.json#/A is not in this document, and is not followed"
        ),
        (
            "{\"oneOf\": []}", "",
            "the schema of the form has oneOf: a contract cannot say that; write it by hand"
        ),
        ("{\"type\": \"object\"}", "", "the schema of the form has no properties"),
        ("3", "", "the schema of the form has no properties"),
    ])
    func aSchemaThatCannotBeReadIsRefused(schema: String, schemas: String, problem: String) {
        #expect(throws: UsageProblem(problem)) {
            try Self.contract(Self.document(schema, schemas))
        }
    }

    @Test func pointersAreUnescaped() throws {
        let made = try Self.contract(
            Self.document(
                "{\"$ref\": \"#/components/schemas/a~1b%20~0c\"}",
                "\"a/b ~c\": {\"properties\": {\"x\": {\"type\": \"string\"}}}"
            )
        )
        #expect(made.contract.fields.map(\.name) == ["x"])
    }

    /// No number of a document traps, and none is beyond what a configuration may say.
    @Test(arguments: ["9223372036854775807", "-1", "1e300", "0", "1.5", "\"x\"", "null"])
    func absurdNumbersMakeAContractThatIsOne(number: String) throws {
        let made = try Self.contract(
            Self.document(
                """
                {"properties": {
                  "t": {"type": "string", "maxLength": \(number)},
                  "u": {"type": "string", "format": "binary", "maxLength": \(number)},
                  "v": {"type": "array", "maxItems": \(number), "minItems": \(number),
                        "items": {"type": "string"}}}}
                """
            )
        )
        #expect(problems(file: ContractCommand.text(of: made)).isEmpty)
        #expect(made.contract.fields.count == 3)
    }

    @Test func theCommandLineIsRead() {
        let arguments = ArgumentReader.read(
            ["contract", "--openapi", "a.json", "--path", "/a", "--method=post"]
        )
        #expect(arguments.problems.isEmpty && arguments.command == .contract)
        #expect(arguments.value(of: .openAPI) == "a.json")
        #expect(arguments.value(of: .path) == "/a" && arguments.value(of: .method) == "post")
        #expect(!ArgumentReader.read(["contract", "a.json"]).problems.isEmpty)
    }
}
