package metrics

import "context"

// What validating a judge asks of it besides scores: the claims of a reference and single verdicts.

// KeyClaims returns the claims of the sample's reference without which an answer is incomplete; none when it claims nothing.
// Errors are those of the judge and of the stages.
func (s *Suite) KeyClaims(ctx context.Context, sample Sample) ([]string, error) {
	list := (&evaluation{Suite: s, sample: sample}).referenceClaims(ctx)
	var key []string
	for i, claim := range list.claims {
		if list.key[i] {
			key = append(key, claim)
		}
	}
	return key, list.err
}

// Verdicts returns what the judge says about claims and passages, by claim and by passage: "supported", "contradicted" or
// "neither". The sample gives the language and the question's id, on which the order of a replicate depends. Errors are those
// of the judge, also where it leaves verdicts out, and of the stages.
func (s *Suite) Verdicts(ctx context.Context, sample Sample, claims, passages []string) ([][]string, error) {
	if len(claims) == 0 || len(passages) == 0 {
		return make([][]string, len(claims)), nil
	}
	g := &claimMatrix{block: "audit", claims: claims, passages: passages}
	(&evaluation{Suite: s, sample: sample}).matrix().fill(ctx, []*claimMatrix{g})
	switch {
	case g.err != nil:
		return nil, g.err
	case len(g.unread) > 0:
		return nil, missingError(g.unreadCause, len(g.unread), len(claims)*len(passages))
	}
	out := make([][]string, len(claims))
	for i, row := range g.at {
		for _, r := range row {
			out[i] = append(out[i], r.Verdict)
		}
	}
	return out, nil
}
