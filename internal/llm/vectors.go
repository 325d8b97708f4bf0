package llm

import "context"

// VectorSpace names where the vectors of a model are kept: vectors of different origins or models never meet.
func VectorSpace(info Info, model string) string {
	return info.Kind + "|" + info.Origin + "|" + model
}

// MissingVectors returns the distinct texts whose embeddings are not stored and would have to be bought, in order.
func MissingVectors(ctx context.Context, s VectorStore, info Info, model string, texts []string) ([]string, error) {
	digests := make([]string, len(texts))
	for i, t := range texts {
		digests[i] = digest(t)
	}
	have, err := s.Vectors(ctx, VectorSpace(info, model), digests)
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
