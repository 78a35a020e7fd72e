// Reads forms with mime/multipart: a line of JSON in, a line of JSON out.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io"
	"mime"
	"mime/multipart"
	"os"
)

type question struct {
	Type string
	Body []byte
}

type part struct {
	Name     string  `json:"name"`
	Filename *string `json:"filename"`
	Content  []byte  `json:"content"`
}

type answer struct {
	Error string `json:"error,omitempty"`
	Parts []part `json:"parts"`
}

func read(q question) answer {
	_, params, err := mime.ParseMediaType(q.Type)
	if err != nil {
		return answer{Error: err.Error()}
	}
	found := answer{Parts: []part{}}
	reader := multipart.NewReader(bytes.NewReader(q.Body), params["boundary"])
	for {
		next, err := reader.NextPart()
		if err == io.EOF {
			return found
		}
		if err != nil {
			return answer{Error: err.Error()}
		}
		content, err := io.ReadAll(next)
		if err != nil {
			return answer{Error: err.Error()}
		}
		one := part{Name: next.FormName(), Content: content}
		// FileName gives only the last part of a path, so the parameter itself is asked for.
		_, params, err := mime.ParseMediaType(next.Header.Get("Content-Disposition"))
		if err != nil {
			return answer{Error: "Content-Disposition: " + err.Error()}
		}
		if name, ok := params["filename"]; ok {
			one.Filename = &name
		}
		found.Parts = append(found.Parts, one)
	}
}

func main() {
	input := bufio.NewReader(os.Stdin)
	output := json.NewEncoder(os.Stdout)
	for {
		line, err := input.ReadBytes('\n')
		if err != nil {
			return
		}
		var q question
		if json.Unmarshal(line, &q) != nil || output.Encode(read(q)) != nil {
			os.Exit(1)
		}
	}
}
