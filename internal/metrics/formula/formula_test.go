package formula

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rag-workbench/workbench/internal/metrics/textual"
	"github.com/rag-workbench/workbench/internal/problem"
)

var everyProfile = []textual.Profile{textual.ProfileFixed, textual.ProfileLegacy, textual.ProfileCollections}

func TestParseProfile(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]textual.Profile{
		"": textual.ProfileFixed, "fixed": textual.ProfileFixed, "ragas-legacy": textual.ProfileLegacy,
		"ragas-collections": textual.ProfileCollections,
	} {
		if got, err := ParseProfile(name); err != nil || got != want {
			t.Errorf("ParseProfile(%q) = %q, %v", name, got, err)
		}
	}
	_, err := ParseProfile("ragas")
	if problem.CodeOf(err) != "metric_profile_unknown" || !strings.Contains(problem.From(err).Hint, "ragas-legacy") {
		t.Errorf("an unknown profile: %v", err)
	}
}

// near compares reductions; a Ragas profile may be off by what it adds to its denominators.
func near(t *testing.T, what string, got, want Reduction) {
	t.Helper()
	if diff := cmp.Diff(want, got, cmpopts.EquateApprox(0, 1e-9)); diff != "" {
		t.Errorf("%s: (-want +got)\n%s", what, diff)
	}
}

// list are verdicts of a judge that was given as many statements.
func list(verdicts ...int) VerdictList { return VerdictList{Sent: len(verdicts), Verdicts: verdicts} }

// TestPublishedExamples recomputes the worked examples of the founding documents.
func TestPublishedExamples(t *testing.T) {
	t.Parallel()
	near(t, "faithfulness, Paris", Faithfulness(textual.ProfileFixed, list(1, 1, 0, 1, 0)), reducedTo(0.6))
	near(t, "faithfulness, Einstein", Faithfulness(textual.ProfileFixed, list(1, 0)), reducedTo(0.5))
	near(t, "faithfulness, Oppenheimer", Faithfulness(textual.ProfileFixed, list(1, 1)), reducedTo(1))
	near(t, "context precision, green tea", ContextPrecision(textual.ProfileFixed, list(1, 0, 1, 0, 1)), reducedTo((1+2.0/3+3.0/5)/3))
	near(t, "context recall, Eiffel", ContextRecall(textual.ProfileFixed, list(0)), reducedTo(0))
	near(t, "answer relevancy", AnswerRelevancy(textual.ProfileFixed, []AskedBack{
		{Question: "one", CosineToAsked: 0.95}, {Question: "two", CosineToAsked: 0.90},
	}), reducedTo(0.925))
	near(t, "similarity", Similarity(textual.ProfileFixed, 0.95, nil), reducedTo(0.95))
}

// TestPerfectIsOne: additions to denominators keep Ragas under 1; a gate of 1 can pass on ours.
func TestPerfectIsOne(t *testing.T) {
	t.Parallel()
	perfect := FactualVerdicts{AnswerClaims: list(1, 1), ReferenceClaims: list(1, 1, 1)}
	for what, reduce := range map[string]func(textual.Profile) Reduction{
		"context precision": func(p textual.Profile) Reduction { return ContextPrecision(p, list(1)) },
		"entity recall":     func(p textual.Profile) Reduction { return EntityRecall(p, []string{"Paris"}, []string{"Paris"}) },
	} {
		if got := reduce(textual.ProfileFixed); got != reducedTo(1) {
			t.Errorf("%s: fixed gives %+v", what, got)
		}
		for _, p := range everyProfile[1:] {
			if got := reduce(p); got.Outcome != Valued || got.Value >= 1 || got.Value < 0.99999 {
				t.Errorf("%s: %s gives %+v", what, p, got)
			}
		}
	}
	if got := FactualCorrectness(textual.ProfileFixed, FactualF1, 1, perfect); got != reducedTo(1) {
		t.Errorf("factual correctness: %+v", got)
	}
}

// TestFixedSaysWhatIsMissing holds fixed to ragas.md 9: nothing missing becomes a value that it is not.
func TestFixedSaysWhatIsMissing(t *testing.T) {
	t.Parallel()
	nan := math.NaN()
	lost := VerdictList{Sent: 3, Verdicts: []int{1, 0}}
	extra := VerdictList{Sent: 1, Verdicts: []int{1, 1, 0}}
	for what, c := range map[string]struct {
		got  Reduction
		want Reduction
	}{
		"a lost verdict":         {Faithfulness(textual.ProfileFixed, lost), reducedFailed("verdicts_missing")},
		"invented verdicts":      {Faithfulness(textual.ProfileFixed, extra), reducedFailed("verdicts_missing")},
		"no claims":              {Faithfulness(textual.ProfileFixed, list()), reducedNA("no_claims")},
		"a lost context verdict": {ContextPrecision(textual.ProfileFixed, lost), reducedFailed("verdicts_missing")},
		"nothing retrieved":      {ContextPrecision(textual.ProfileFixed, list()), reducedTo(0)},
		"nothing retrieved, by text": {ContextPrecisionByText(textual.ProfileFixed, nil, []string{"a"},
			textual.LevenshteinSimilarity), reducedTo(0)},
		"recall without contexts": {ContextRecallByText(textual.ProfileFixed, nil, []string{"a"}, textual.LevenshteinSimilarity),
			reducedTo(0)},
		"no entities":             {EntityRecall(textual.ProfileFixed, nil, []string{"a"}), reducedNA("no_entities")},
		"a score off the scale":   {Rating(textual.ProfileFixed, RubricRange, 7), reducedFailed("score_out_of_range")},
		"a verdict off the scale": {Rating(textual.ProfileFixed, criticRange, 2), reducedFailed("score_out_of_range")},
		"no rubric":               {reduceInstanceRubric(textual.ProfileFixed, RubricRange, 0, 3), reducedNA("no_rubric")},
		"no question made": {AnswerRelevancy(textual.ProfileFixed, []AskedBack{{}, {Question: " "}}),
			reducedFailed("no_questions")},
		"an empty vector":       {Similarity(textual.ProfileFixed, nan, nil), reducedFailed("embedding_empty")},
		"a negative similarity": {Similarity(textual.ProfileFixed, -0.2, nil), reducedTo(0)},
		"one rating of two":     {reduceTwoRatings(textual.ProfileFixed, twoRatings{nan, 2, 2}), reducedTo(1)},
		"no rating":             {reduceTwoRatings(textual.ProfileFixed, twoRatings{nan, nan, 2}), reducedFailed("no_rating")},
		"no reference claims": {
			FactualCorrectness(textual.ProfileFixed, FactualF1, 1, FactualVerdicts{AnswerClaims: list(1)}),
			reducedNA("no_reference_claims"),
		},
		"an answer that claims nothing": {
			AnswerCorrectness(textual.ProfileFixed, DefaultCorrectnessWeights, 1, CorrectnessCounts{ReferenceClaims: 3},
				reducedTo(0.8)), reducedTo(0.2),
		},
		"no statement classified": {
			AnswerCorrectness(textual.ProfileFixed, DefaultCorrectnessWeights, 1,
				CorrectnessCounts{AnswerClaims: 1, ReferenceClaims: 1}, reducedTo(1)),
			reducedFailed("verdicts_missing"),
		},
		"a failed similarity": {
			AnswerCorrectness(textual.ProfileFixed, DefaultCorrectnessWeights, 1,
				CorrectnessCounts{AnswerClaims: 1, ReferenceClaims: 1, TP: 1}, reducedFailed("provider_auth")),
			reducedFailed("provider_auth"),
		},
		"weights of nothing": {
			AnswerCorrectness(textual.ProfileFixed, CorrectnessWeights{}, 1, CorrectnessCounts{}, Reduction{}),
			reducedFailed("weights_invalid"),
		},
		"a quotation nowhere": {QuotedSpans(textual.ProfileFixed, textual.QuoteCount{}), reducedNA("no_quotations")},
	} {
		near(t, what, c.got, c.want)
	}
}

func TestInputsThatNeedNoJudge(t *testing.T) {
	t.Parallel()
	full := reduceInput{Question: "q", Answer: "a", Reference: "r", Contexts: []string{"c"}}
	for metric := range inputWants {
		if _, decided := reduceInputs(textual.ProfileFixed, metric, full); decided {
			t.Errorf("%s: decided without its judge", metric)
		}
		if got, decided := reduceInputs(textual.ProfileFixed, metric, reduceInput{}); !decided || got.Outcome != NotApplicable {
			t.Errorf("%s of nothing: %+v, %v", metric, got, decided)
		}
	}
	noContexts := full
	noContexts.Contexts = []string{" "}
	for metric, want := range map[string]Reduction{
		"context_recall": reducedTo(0), "context_precision": reducedTo(0), "context_utilization": reducedTo(0),
		"faithfulness": reducedNA("no_contexts"),
	} {
		if got, decided := reduceInputs(textual.ProfileFixed, metric, noContexts); !decided || got != want {
			t.Errorf("%s without contexts: %+v, %v", metric, got, decided)
		}
	}
	noContexts.Contexts = nil
	for p, want := range map[textual.Profile]Reduction{textual.ProfileLegacy: reducedTo(0),
		textual.ProfileCollections: reducedFailed("no_contexts")} {
		if got, _ := reduceInputs(p, "context_precision", noContexts); got != want {
			t.Errorf("%s: context precision without contexts: %+v", p, got)
		}
	}
	copied := reduceInput{Question: "q", Answer: "is Paris", Contexts: []string{"The capital is Paris."}}
	if got, decided := reduceInputs(textual.ProfileLegacy, "nv_response_groundedness", copied); !decided || got != reducedTo(1) {
		t.Errorf("a copied answer: %+v", got)
	}
	if _, decided := reduceInputs(textual.ProfileCollections, "nv_response_groundedness", copied); decided {
		t.Error("the collections ask about a copied answer")
	}
}

// TestGroundingSharesAddUp: faithfulness, self-knowledge and hallucination split the claims, with or without a reference.
func TestGroundingSharesAddUp(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 500 {
		claims := make([]AnswerClaim, 1+random.IntN(9))
		contradicted := 0
		for i := range claims {
			claims[i] = AnswerClaim{InContexts: random.IntN(2) == 0, InReference: random.IntN(2) == 0, Contradicted: random.IntN(4) == 0}
			if claims[i].Contradicted {
				contradicted++
			}
		}
		g := Grounding(claims, true)
		if sum := g.Faithfulness.Value + g.SelfKnowledge.Value + g.Hallucination.Value; math.Abs(sum-1) > 1e-12 ||
			g.Contradicted != contradicted {
			t.Fatalf("%+v of %+v: sum %v", g, claims, sum)
		}
		g = Grounding(claims, false)
		if math.Abs(g.Faithfulness.Value+g.Hallucination.Value-1) > 1e-12 || g.SelfKnowledge.Outcome != NotApplicable {
			t.Fatalf("without a reference: %+v", g)
		}
	}
	if g := Grounding(nil, true); g.Hallucination.Outcome != NotApplicable {
		t.Errorf("no claims: %+v", g)
	}
}

func TestClaimUtilization(t *testing.T) {
	t.Parallel()
	near(t, "one of two found is used", ClaimUtilization([]bool{true, true, false}, []bool{true, false, true}), reducedTo(0.5))
	near(t, "nothing found", ClaimUtilization([]bool{false}, []bool{true}), reducedNA("no_claims_in_contexts"))
	near(t, "a lost verdict", ClaimUtilization([]bool{true}, nil), reducedFailed("verdicts_missing"))
	near(t, "share of useful contexts", ContextShare([]bool{true, false, false, true}), reducedTo(0.5))
}

// TestNoiseSensitivityByHand: two wrong claims, one from the relevant chunk, one from the other; the third claim is right.
func TestNoiseSensitivityByHand(t *testing.T) {
	t.Parallel()
	m := NoiseMatrix{
		ReferenceByChunk:  [][]bool{{true, false}, {false, false}},
		AnswerByChunk:     [][]bool{{true, false, true}, {true, true, false}},
		AnswerByReference: []bool{false, false, true},
	}
	for _, p := range everyProfile {
		near(t, "relevant", NoiseSensitivity(p, NoiseRelevant, m), reducedTo(1.0/3))
		near(t, "irrelevant", NoiseSensitivity(p, NoiseIrrelevant, m), reducedTo(1.0/3))
	}
	m.AnswerByReference = []bool{false}
	near(t, "fixed misses verdicts", NoiseSensitivity(textual.ProfileFixed, NoiseRelevant, m), reducedFailed("verdicts_missing"))
	near(t, "numpy stretches one", NoiseSensitivity(textual.ProfileLegacy, NoiseRelevant, m), reducedTo(2.0/3))
	near(t, "no chunks", NoiseSensitivity(textual.ProfileFixed, NoiseRelevant, NoiseMatrix{}), reducedNA("no_contexts"))
	m.AnswerByChunk = [][]bool{{}, {}}
	near(t, "no claims, one verdict", NoiseSensitivity(textual.ProfileLegacy, NoiseRelevant, m), reducedNA("no_claims"))
	m.AnswerByReference = nil
	near(t, "no claims", NoiseSensitivity(textual.ProfileFixed, NoiseRelevant, m), reducedNA("no_claims"))
}

// TestOrderOfClaimsDoesNotCount shuffles verdicts: shares stay, and a better ranking never lowers context precision.
func TestOrderOfClaimsDoesNotCount(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		verdicts := make([]int, 1+random.IntN(12))
		for i := range verdicts {
			verdicts[i] = random.IntN(2)
		}
		faith, recall := Faithfulness(textual.ProfileFixed, list(verdicts...)),
			ContextRecall(textual.ProfileFixed, list(verdicts...))
		ranked := ContextPrecision(textual.ProfileFixed, list(verdicts...))
		better := append([]int(nil), verdicts...)
		for i := 1; i < len(better); i++ {
			if better[i] > better[i-1] {
				better[i], better[i-1] = better[i-1], better[i]
				break
			}
		}
		if up := ContextPrecision(textual.ProfileFixed, list(better...)); up.Value < ranked.Value {
			t.Fatalf("context precision falls from %v to %v when %v becomes %v", ranked.Value, up.Value, verdicts, better)
		}
		random.Shuffle(len(verdicts), func(i, j int) { verdicts[i], verdicts[j] = verdicts[j], verdicts[i] })
		if Faithfulness(textual.ProfileFixed, list(verdicts...)) != faith ||
			ContextRecall(textual.ProfileFixed, list(verdicts...)) != recall {
			t.Fatalf("the order of %v counts", verdicts)
		}
		for _, r := range []Reduction{faith, recall, ranked} {
			if r.Outcome != Valued || r.Value < 0 || r.Value > 1 {
				t.Fatalf("%+v of %v", r, verdicts)
			}
		}
	}
}

// TestFactualCorrectnessIsSymmetric: swapping answer and reference swaps precision and recall and keeps F1; Ragas mixes them.
func TestFactualCorrectnessIsSymmetric(t *testing.T) {
	t.Parallel()
	v := FactualVerdicts{AnswerClaims: list(1, 1, 1, 0), ReferenceClaims: list(1, 1, 0)}
	w := FactualVerdicts{AnswerClaims: v.ReferenceClaims, ReferenceClaims: v.AnswerClaims}
	of := func(p textual.Profile, mode FactualMode, v FactualVerdicts) Reduction {
		return FactualCorrectness(p, mode, 1, v)
	}
	near(t, "recall", of(textual.ProfileFixed, FactualRecall, v), reducedTo(2.0/3))
	near(t, "precision", of(textual.ProfileFixed, FactualPrecision, v), reducedTo(0.75))
	near(t, "precision of the swapped", of(textual.ProfileFixed, FactualPrecision, w), of(textual.ProfileFixed, FactualRecall, v))
	near(t, "F1 of the swapped", of(textual.ProfileFixed, FactualF1, w), of(textual.ProfileFixed, FactualF1, v))
	near(t, "Ragas's recall", of(textual.ProfileLegacy, FactualRecall, v), reducedTo(0.75))
	if got := textual.FBeta(0.5, 0.25, 2); got >= textual.FBeta(0.5, 0.25, 1) {
		t.Errorf("beta 2 does not weigh a low recall more: %v", got)
	}
}

func TestSummaryWeighsLength(t *testing.T) {
	t.Parallel()
	s := summaryParts{Source: "0123456789", Summary: "要約", Questions: 4, Answered: 4, Yes: 3, Concise: 0.5}
	near(t, "with length", reduceSummary(textual.ProfileFixed, s), reducedTo(0.75*0.5+0.8*0.5))
	s.NoPenalty = true
	near(t, "without", reduceSummary(textual.ProfileFixed, s), reducedTo(0.75))
	near(t, "without, legacy", reduceSummary(textual.ProfileLegacy, s), reducedTo(0.375))
	s.Answered = 3
	near(t, "a lost answer", reduceSummary(textual.ProfileFixed, s), reducedFailed("verdicts_missing"))
}

func TestCosine(t *testing.T) {
	t.Parallel()
	if c, ok := vectorCosine([]float32{3, 4}, []float32{4, 3}); !ok || math.Abs(c-0.96) > 1e-9 {
		t.Errorf("cosine = %v, %v", c, ok)
	}
	if c, ok := vectorCosine([]float64{0, 0}, []float64{1, 0}); !ok || !math.IsNaN(c) {
		t.Errorf("a vector without length: %v, %v", c, ok)
	}
	if _, ok := vectorCosine([]float64{1}, []float64{1, 0}); ok {
		t.Error("vectors of two dimensions were compared")
	}
}
