// SPDX-License-Identifier: Apache-2.0

// A start for an implementation in Go, standard library only: answers hello and "unsupported".
//
//	go build -o impl impl.go
//	assay certify --exec ./impl
//
// List an op in the hello's "ops" and it is asked for. Binary values are base64 ([]byte in encoding/json); integers
// beyond 2^53 are decimal strings. Print nothing else on standard output.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
)

type request struct {
	ID uint64 `json:"id"`
	Op string `json:"op"`
}

func respond(q request, _ []byte) map[string]any {
	switch q.Op {
	case "hello":
		return map[string]any{"id": q.ID, "protocol": 1, "name": "template-go", "version": "0", "ops": []string{}}
	default:
		return map[string]any{"id": q.ID, "status": "unsupported"}
	}
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := json.NewEncoder(os.Stdout) // one line each, written at once
	for {
		line, err := in.ReadBytes('\n')
		if err == io.EOF {
			return
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		var q request
		if err := json.Unmarshal(line, &q); err != nil {
			fmt.Fprintln(os.Stderr, "no request:", err)
			continue
		}
		if err := out.Encode(respond(q, line)); err != nil {
			os.Exit(1)
		}
	}
}
