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
	spoken := dialectOf(c.Origin)
	if spoken.texts == nil {
		return nil, fmt.Errorf("call %s embedded nothing", c.ID)
	}
	texts, want, err := spoken.texts(c.Request)
	if err != nil {
		return nil, fmt.Errorf("the request of call %s: %w", c.ID, err)
	}
	digests := make([]string, len(texts))
	for i, text := range texts {
		digests[i] = digest(text)
	}
	var out []BankedVectors
	for _, raw := range []bool{false, true} {
		got, f := spoken.parseEmbeddings(c.Reply, len(texts), raw)
		if f != nil {
			return nil, fmt.Errorf("the reply of call %s: %w", c.ID, f.err)
		}
		want.Raw = raw
		out = append(out, BankedVectors{Digests: digests, Vectors: got.vectors, Variant: want.variant()})
	}
	return out, nil
}

// openAITexts reads from a request what was to be embedded, and how.
func openAITexts(body []byte) (texts []string, want Embedding, err error) {
	var sent struct {
		Model string   `json:"model"`
		Input []string `json:"input"`
	}
	fields := map[string]any{}
	if err := json.Unmarshal(body, &fields); err != nil {
		return nil, want, err
	}
	if err := json.Unmarshal(body, &sent); err != nil {
		return nil, want, err
	}
	known := EmbedderOf(sent.Model)
	want.Model = sent.Model
	if n, ok := fields[known.dimensionsField()].(float64); ok {
		want.Dimensions = int(n)
	}
	if word, ok := fields[known.RoleField].(string); ok {
		want.Role = known.roleOf(word)
	}
	return sent.Input, want, nil
}
