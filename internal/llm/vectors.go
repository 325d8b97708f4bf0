package llm

import (
	"context"
	"strings"
)

// VectorSpace names where vectors are kept: those of different origins, models or wishes never meet.
func VectorSpace(info Info, want Embedding) string {
	return info.Kind + "|" + info.Origin + "|" + want.Model + want.variant()
}

// SpaceOf reports whether a space holds vectors of the model, whatever was wished.
func SpaceOf(space, model string) bool {
	return strings.HasSuffix(space, "|"+model) || strings.Contains(space, "|"+model+"|")
}

// MissingVectors returns the distinct texts whose embeddings are not stored and would have to be bought, in order.
func MissingVectors(ctx context.Context, s VectorStore, info Info, want Embedding, texts []string) ([]string, error) {
	digests := make([]string, len(texts))
	for i, t := range texts {
		digests[i] = digest(t)
	}
	have, err := s.Vectors(ctx, VectorSpace(info, want), digests)
	if err != nil {
		return nil, err
	}
	var missing []string
	seen := map[string]bool{}
	for i, d := range digests {
		if _, ok := have[d]; !ok && !seen[d] {
			seen[d] = true
			missing = append(missing, texts[i])
		}
	}
	return missing, nil
}
