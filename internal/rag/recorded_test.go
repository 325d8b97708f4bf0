package rag

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// recorded are cases that bench/retrieval/oracles.py computed with other programs.
func recorded[T any](t *testing.T, name string) (out T) {
	t.Helper()
	body, err := os.ReadFile(filepath.Join("testdata", name))
	if err == nil {
		err = json.Unmarshal(body, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return out
}
