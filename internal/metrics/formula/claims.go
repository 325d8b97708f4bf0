package formula

import (
	"slices"

	"github.com/rag-workbench/workbench/internal/metrics/textual"
	"github.com/rag-workbench/workbench/internal/text"
)

// Faithfulness is the share of the answer's claims that the contexts support.
//
// Fixed: no claims is not applicable, a claim without verdict a failure. Ragas divides by the verdicts that came back,
// however many claims it had sent.
func Faithfulness(p textual.Profile, claims VerdictList) Reduction {
	if p == textual.ProfileFixed {
		return fixedShare(claims)
	}
	if claims.Sent == 0 || len(claims.Verdicts) == 0 {
		return reducedNA("no_claims")
	}
	return reducedTo(float64(claims.Yes()) / float64(len(claims.Verdicts)))
}

func fixedShare(l VerdictList) Reduction {
	switch {
	case !l.complete():
		return reducedFailed("verdicts_missing")
	case len(l.Verdicts) == 0:
		return reducedNA("no_claims")
	default:
		return reducedTo(float64(l.Yes()) / float64(len(l.Verdicts)))
	}
}

// AnswerClaim is what the matrix says of one claim of the answer.
type AnswerClaim struct {
	InContexts   bool // a retrieved chunk entails it
	InReference  bool // the reference entails it
	Contradicted bool // the reference, or a chunk while none entails it, contradicts it
}

// GroundingShares split the answer's claims by where they come from: the three shares sum to 1.
type GroundingShares struct {
	Faithfulness  Reduction // from the contexts
	SelfKnowledge Reduction // not from the contexts, yet right by the reference
	Hallucination Reduction // from neither
	Contradicted  int       // how many claims are contradicted; they lie in any of the three
}

// Grounding counts the claims by origin (RAGChecker, arXiv 2408.08067). Without a reference nothing is known to be right
// that the contexts do not say: hallucination is then 1 − faithfulness, and self-knowledge is not applicable.
func Grounding(claims []AnswerClaim, hasReference bool) GroundingShares {
	if len(claims) == 0 {
		na := reducedNA("no_claims")
		return GroundingShares{Faithfulness: na, SelfKnowledge: na, Hallucination: na}
	}
	var supported, known, contradicted int
	for _, c := range claims {
		switch {
		case c.InContexts:
			supported++
		case hasReference && c.InReference:
			known++
		}
		if c.Contradicted {
			contradicted++
		}
	}
	of := func(n int) Reduction { return reducedTo(float64(n) / float64(len(claims))) }
	g := GroundingShares{
		Faithfulness: of(supported), SelfKnowledge: of(known), Hallucination: of(len(claims) - supported - known),
		Contradicted: contradicted,
	}
	if !hasReference {
		g.SelfKnowledge = reducedNA("no_reference")
	}
	return g
}

// ContextRecall is the share of the reference's claims that the contexts support. The collections of Ragas add up the
// judge's integers, so that a 2 counts twice. No contexts: see [reduceInputs].
func ContextRecall(p textual.Profile, claims VerdictList) Reduction {
	switch {
	case p == textual.ProfileFixed:
		return fixedShare(claims)
	case len(claims.Verdicts) == 0:
		return reducedNA("no_claims")
	case p == textual.ProfileCollections:
		return reducedTo(float64(claims.sum()) / float64(len(claims.Verdicts)))
	default:
		return reducedTo(float64(claims.Yes()) / float64(len(claims.Verdicts)))
	}
}

// ClaimUtilization is the share of the reference's claims found in the contexts that the answer also holds
// (RAGChecker's context utilization); not applicable when the contexts hold none.
func ClaimUtilization(inContexts, inAnswer []bool) Reduction {
	if len(inContexts) != len(inAnswer) {
		return reducedFailed("verdicts_missing")
	}
	found, used := 0, 0
	for i, there := range inContexts {
		if there {
			found++
			if inAnswer[i] {
				used++
			}
		}
	}
	if found == 0 {
		return reducedNA("no_claims_in_contexts")
	}
	return reducedTo(float64(used) / float64(found))
}

// EntityRecall is the share of the reference's entities that the contexts name. Fixed compares folded names and is not
// applicable without entities; Ragas compares them exactly and gives 0, and its legacy metric counts duplicates below the line.
func EntityRecall(p textual.Profile, reference, contexts []string) Reduction {
	same := func(s string) string { return s }
	if p == textual.ProfileFixed {
		same = text.Fold
	}
	want, have := foldedSet(reference, same), foldedSet(contexts, same)
	found := 0
	for name := range want {
		if have[name] {
			found++
		}
	}
	switch {
	case p == textual.ProfileFixed && len(want) == 0:
		return reducedNA("no_entities")
	case p == textual.ProfileFixed:
		return reducedTo(float64(found) / float64(len(want)))
	case p == textual.ProfileLegacy:
		return reducedTo(float64(found) / (float64(len(reference)) + ragasEntityTerm))
	default:
		return reducedTo(float64(found) / (float64(len(want)) + ragasEntityTerm))
	}
}

func foldedSet(list []string, same func(string) string) map[string]bool {
	set := make(map[string]bool, len(list))
	for _, s := range list {
		set[same(s)] = true
	}
	return set
}

// NoiseMatrix holds the verdicts behind noise sensitivity: of each chunk on the claims of reference and answer, and
// which claims of the answer are not wrong: those that the reference does not contradict, with Ragas those that it supports.
type NoiseMatrix struct {
	ReferenceByChunk  [][]bool // [chunk][reference claim]
	AnswerByChunk     [][]bool // [chunk][answer claim]
	AnswerByReference []bool   // [answer claim]
}

// NoiseMode says which chunks may have misled the answer.
type NoiseMode string

// A chunk is relevant when it supports any claim of the reference.
const (
	NoiseRelevant   NoiseMode = "relevant"
	NoiseIrrelevant NoiseMode = "irrelevant"
)

// NoiseSensitivity is the share of the answer's claims that are wrong by the reference and come from relevant chunks, or
// from irrelevant ones only; lower is better.
//
// Fixed: claims or chunks missing is not applicable, a verdict missing a failure. Ragas follows numpy: a list of one verdict is
// stretched over all claims, other lengths fail.
func NoiseSensitivity(p textual.Profile, mode NoiseMode, m NoiseMatrix) Reduction {
	if !sameLengths(m.ReferenceByChunk) || !sameLengths(m.AnswerByChunk) || len(m.ReferenceByChunk) != len(m.AnswerByChunk) {
		return reducedFailed("verdicts_missing")
	}
	if len(m.AnswerByChunk) == 0 {
		if p == textual.ProfileFixed {
			return reducedNA("no_contexts")
		}
		return reducedFailed("no_contexts")
	}
	claims, judged := len(m.AnswerByChunk[0]), len(m.AnswerByReference)
	switch {
	case len(m.ReferenceByChunk[0]) == 0 && p == textual.ProfileFixed:
		return reducedNA("no_reference_claims")
	case len(m.ReferenceByChunk[0]) == 0: // numpy has no maximum of nothing
		return reducedFailed("no_reference_claims")
	case claims != judged && (p == textual.ProfileFixed || claims != 1 && judged != 1):
		return reducedFailed("verdicts_missing")
	case claims == 0 || judged == 0:
		return reducedNA("no_claims")
	}
	n := max(claims, judged)
	misled := 0
	for j := range n {
		if m.misled(mode, min(j, claims-1)) && !m.AnswerByReference[min(j, judged-1)] {
			misled++
		}
	}
	return reducedTo(float64(misled) / float64(n))
}

// misled reports whether answer claim j is supported by a relevant chunk or, in the other mode, by irrelevant ones only.
func (m NoiseMatrix) misled(mode NoiseMode, j int) bool {
	var byRelevant, byIrrelevant bool
	for k, claims := range m.AnswerByChunk {
		if !claims[j] {
			continue
		}
		if slices.Contains(m.ReferenceByChunk[k], true) {
			byRelevant = true
		} else {
			byIrrelevant = true
		}
	}
	if mode == NoiseIrrelevant {
		return byIrrelevant && !byRelevant
	}
	return byRelevant
}

func sameLengths(lists [][]bool) bool {
	for _, l := range lists {
		if len(l) != len(lists[0]) {
			return false
		}
	}
	return true
}
