package metrics

import (
	"context"
	"fmt"
	"strings"

	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/stats"
)

// Limits of one verify call (science.md 5.3); longer lists are split over several calls.
const (
	maxClaims   = 10
	maxPassages = 8
)

// matrix holds the verdicts of one list of claims against the contexts.
type matrix struct {
	claims    []string
	supported [][]bool // by claim, by context
	keys      []string // stages the verdicts came from
	err       error    // why there are no verdicts
}

// bySome reports for a claim whether any context supports it.
func (m *matrix) bySome(claim int) bool {
	for _, ok := range m.supported[claim] {
		if ok {
			return true
		}
	}
	return false
}

// share is the share of claims that some context supports, with the count in words.
func (m *matrix) share() Score {
	n := 0
	for i := range m.claims {
		if m.bySome(i) {
			n++
		}
	}
	return scored(float64(n)/float64(len(m.claims)), fmt.Sprintf("%d/%d", n, len(m.claims)), m.keys...)
}

// answerMatrix verifies the answer's claims, once for all metrics that need them.
func (b *bench) answerMatrix(ctx context.Context) *matrix {
	if b.answer == nil {
		b.answer = b.verify(ctx, claimsData{Question: b.sample.Question, Text: b.sample.Answer})
	}
	return b.answer
}

// referenceMatrix verifies the reference's claims. The claims depend on the reference alone, so they are found once for
// each dataset version, whatever is evaluated.
func (b *bench) referenceMatrix(ctx context.Context) *matrix {
	if b.reference == nil {
		b.reference = b.verify(ctx, claimsData{Text: b.sample.Reference})
	}
	return b.reference
}

func (b *bench) verify(ctx context.Context, data claimsData) *matrix {
	reply, key, err := ask[claimsReply](ctx, b.Suite, "claims", PurposeClaims, b.sample.Lang, data, claimsSchema)
	m := &matrix{claims: reply.Claims, keys: []string{key}, err: err}
	if err != nil || len(m.claims) == 0 {
		return m
	}
	m.supported = make([][]bool, len(m.claims))
	for i := range m.supported {
		m.supported[i] = make([]bool, len(b.sample.Contexts))
	}
	for c := 0; c < len(m.claims); c += maxClaims {
		for p := 0; p < len(b.sample.Contexts); p += maxPassages {
			if m.err = b.verifyBlock(ctx, m, c, p); m.err != nil {
				return m
			}
		}
	}
	return m
}

// verifyBlock asks for the verdicts of one block of the matrix that begins at this claim and context.
func (b *bench) verifyBlock(ctx context.Context, m *matrix, firstClaim, firstPassage int) error {
	data := verifyData{
		Claims:   number(m.claims[firstClaim:min(firstClaim+maxClaims, len(m.claims))]),
		Passages: number(texts(b.sample.Contexts[firstPassage:min(firstPassage+maxPassages, len(b.sample.Contexts))])),
	}
	reply, key, err := ask[verifyReply](ctx, b.Suite, "verify", PurposeVerify, b.sample.Lang, data, verifySchema)
	if err != nil {
		return err
	}
	m.keys = append(m.keys, key)
	for _, v := range reply.Verdicts {
		if v.Claim > len(data.Claims) || v.Passage > len(data.Passages) || v.Claim < 1 || v.Passage < 1 {
			continue // a pair that was never asked about decides nothing
		}
		if v.Verdict == "supported" {
			m.supported[firstClaim+v.Claim-1][firstPassage+v.Passage-1] = true
		}
	}
	return nil
}

func number(list []string) []numbered {
	out := make([]numbered, len(list))
	for i, s := range list {
		out[i] = numbered{Number: i + 1, Text: s}
	}
	return out
}

func texts(hits []rag.Hit) []string {
	out := make([]string, len(hits))
	for i, h := range hits {
		out[i] = h.Text
	}
	return out
}

// faithfulness is the share of the answer's claims that some context supports (science.md 5.1).
func (b *bench) faithfulness(ctx context.Context) (Score, error) {
	if strings.TrimSpace(b.sample.Answer) == "" {
		return notApplicable("no_answer"), nil
	}
	m := b.answerMatrix(ctx)
	switch {
	case m.err != nil:
		return Score{}, m.err
	case len(m.claims) == 0:
		return notApplicable("no_claims"), nil
	}
	return m.share(), nil
}

// contextRecall is the share of the reference's claims that some context supports; 0 without contexts (science.md 5.1).
func (b *bench) contextRecall(ctx context.Context) (Score, error) {
	return b.ofReference(ctx, (*matrix).share)
}

// contextPrecision is the mean of precision@rank over the contexts that support a reference claim; 0 when none does
// (science.md 5.1, ranked).
func (b *bench) contextPrecision(ctx context.Context) (Score, error) {
	return b.ofReference(ctx, (*matrix).rankedPrecision)
}

// rankedPrecision says how high the contexts stand that support some claim, with their count in words.
func (m *matrix) rankedPrecision() Score {
	relevant := make([]bool, len(m.supported[0]))
	n := 0
	for k := range relevant {
		for i := range m.claims {
			relevant[k] = relevant[k] || m.supported[i][k]
		}
		if relevant[k] {
			n++
		}
	}
	return scored(stats.RankedPrecision(relevant), fmt.Sprintf("%d/%d", n, len(relevant)), m.keys...)
}

// ofReference reduces the verdicts on the reference's claims, and settles without a call where there is nothing to ask.
func (b *bench) ofReference(ctx context.Context, reduce func(*matrix) Score) (Score, error) {
	switch {
	case !b.sample.Answerable:
		return notApplicable("unanswerable"), nil
	case strings.TrimSpace(b.sample.Reference) == "":
		return notApplicable("no_reference"), nil
	case len(b.sample.Contexts) == 0:
		return scored(0, "0/0"), nil
	}
	m := b.referenceMatrix(ctx)
	switch {
	case m.err != nil:
		return Score{}, m.err
	case len(m.claims) == 0:
		return notApplicable("no_claims"), nil
	}
	return reduce(m), nil
}
