package llm

import (
	"encoding/json"
	"fmt"
)

// BankedVectors are what an embedding call brought, as one of the forms in which it may be stored.
type BankedVectors struct {
	Digests []string    // of each text, under which its vector is stored
	Vectors [][]float32 // in the order of the digests
	Variant string      // what the name of their space has after the model
}

// ReadBankedVectors reads the request and the reply of an embedding call as they were banked, in the forms in which its vectors may be
// stored: of length 1, and as they were made. It fails where they are gone or are not those of an embedding that this package asked for.
func ReadBankedVectors(c Call) ([]BankedVectors, error) {
	var texts struct {
		Input []string `json:"input"`
	}
	fields := map[string]any{}
	if err := json.Unmarshal(c.Request, &fields); err != nil {
		return nil, fmt.Errorf("the request of call %s: %w", c.ID, err)
	}
	if err := json.Unmarshal(c.Request, &texts); err != nil {
		return nil, fmt.Errorf("the request of call %s: %w", c.ID, err)
	}
	digests := make([]string, len(texts.Input))
	for i, text := range texts.Input {
		digests[i] = digest(text)
	}
	var out []BankedVectors
	for _, raw := range []bool{false, true} {
		got, f := parseEmbeddings(c.Reply, len(texts.Input), raw)
		if f != nil {
			return nil, fmt.Errorf("the reply of call %s: %w", c.ID, f.err)
		}
		want := askedFor(c.Model, fields)
		want.Raw = raw
		out = append(out, BankedVectors{Digests: digests, Vectors: got.vectors, Variant: want.variant()})
	}
	return out, nil
}

// askedFor reads from a request which vectors were wanted.
func askedFor(model string, fields map[string]any) Embedding {
	known, want := EmbedderOf(model), Embedding{Model: model}
	if n, ok := fields[known.dimensionsField()].(float64); ok {
		want.Dimensions = int(n)
	}
	for _, role := range []string{RoleQuery, RolePassage} {
		if known.RoleField != "" && fields[known.RoleField] == known.role(role) {
			want.Role = role
		}
	}
	return want
}
