package llm

import (
	"encoding/json"
	"fmt"
)

// ReadBankedVectors reads the request and the reply of an embedding call as they were banked: the digest of each text under which its
// vector is stored, and the vectors, of length 1. It fails where they are gone or are not those of an embedding that this package
// asked for.
func ReadBankedVectors(c Call) (digests []string, vectors [][]float32, err error) {
	var sent struct {
		Input []string `json:"input"`
	}
	if err := json.Unmarshal(c.Request, &sent); err != nil {
		return nil, nil, fmt.Errorf("the request of call %s: %w", c.ID, err)
	}
	got, f := parseEmbeddings(c.Reply, len(sent.Input))
	if f != nil {
		return nil, nil, fmt.Errorf("the reply of call %s: %w", c.ID, f.err)
	}
	for _, text := range sent.Input {
		digests = append(digests, digest(text))
	}
	return digests, got.vectors, nil
}
