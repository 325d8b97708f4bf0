package causes

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/rag"
)

func TestDiagnose(t *testing.T) {
	t.Parallel()
	held := []rag.Hit{evidenceHit, otherHit}
	contradicted := func(string) []WindowVerdict { return []WindowVerdict{{Verdict: Contradicts, Quote: evidencePlace}} }
	none := func(string) []WindowVerdict { return []WindowVerdict{{Verdict: Neutral}} }
	for name, c := range map[string]struct {
		lab  scriptLab
		in   LabCase
		want causeSummary
	}{
		"judge noise": {
			scriptLab{pass: func(_ string, vote int) bool { return vote > 0 }},
			lowCase(held, "bad", ""),
			causeSummary{Component: NoFault, Certainty: MediumCertainty},
		},
		"post-processing": {
			scriptLab{},
			lowCase(held, "bad", "good and long"),
			causeSummary{Component: PostProcessing, Repairs: "post_process=none 3/3", Certainty: HighCertainty},
		},
		"database": {
			scriptLab{windows: none},
			lowCase(nil, "bad", ""),
			causeSummary{Component: Database, Detail: "not_in_corpus", Repairs: "corpus=add 0/0", Certainty: MediumCertainty},
		},
		"reference contradicted": {
			scriptLab{windows: contradicted},
			lowCase(nil, "bad", ""),
			causeSummary{Component: ReferenceText, Detail: "reference_or_stale", Repairs: "=correct 0/0", Certainty: MediumCertainty},
		},
		"reference of another question": {
			scriptLab{clear: func(int) (bool, string) { return false, "reference: answers another" }},
			lowCase([]rag.Hit{otherHit}, "bad", ""),
			causeSummary{Component: ReferenceText, Detail: "unclear", Repairs: "=correct 0/0", Certainty: HighCertainty},
		},
		"question": {
			scriptLab{clear: func(int) (bool, string) { return false, "which ticket" }},
			lowCase([]rag.Hit{otherHit}, "bad", ""),
			causeSummary{Component: QuestionText, Detail: "unclear", Repairs: "=reword 0/0", Certainty: HighCertainty},
		},
		"k": {
			scriptLab{hits: depthOnly(5, 3), answer: healthy},
			lowCase(rankedAt(5, 3), "bad", ""),
			causeSummary{Component: Retriever, Repairs: "retrieve.k=5 4/4", Certainty: HighCertainty},
		},
		"k expensive": {
			scriptLab{hits: depthOnly(20, 3), answer: healthy},
			lowCase(rankedAt(20, 3), "bad", ""),
			causeSummary{Component: Retriever, Repairs: "retrieve.k=20 4/4", Certainty: HighCertainty},
		},
		"no change": {
			scriptLab{hits: depthOnly(0, 3), answer: healthy},
			lowCase(rankedAt(0, 3), "bad", ""),
			causeSummary{Component: Retriever, Detail: "no_change_found", Certainty: HighCertainty},
		},
		"query": {
			scriptLab{config: func() rag.Config { c := scriptConfig(); c.Rewrite.Mode = "damage"; return c }(), answer: healthy,
				hits: func(ch map[string]any) []rag.Hit {
					if ch["rewrite"] == "none" {
						return rankedAt(1, 3)
					}
					return rankedAt(4, 30)
				}},
			lowCase(rankedAt(0, 3), "bad", ""),
			causeSummary{Component: SearchQuery, Repairs: "rewrite=none 4/4", Certainty: HighCertainty},
		},
		"embedder": {
			scriptLab{answer: healthy, hits: func(ch map[string]any) []rag.Hit {
				if ch["embedding.model"] == "ngram" {
					return rankedAt(2, 3)
				}
				return rankedAt(0, 3)
			}},
			lowCase(rankedAt(0, 3), "bad", ""),
			causeSummary{Component: Retriever, Repairs: "embedding.model=ngram 4/4", Certainty: HighCertainty},
		},
		"pair": {
			scriptLab{answer: healthy, hits: func(ch map[string]any) []rag.Hit {
				n, _ := ch["retrieve.k"].(int)
				if ch["retrieve.mode"] == "bm25" {
					return rankedAt(5, max(3, n))
				}
				return rankedAt(0, max(3, n))
			}},
			lowCase(rankedAt(0, 3), "bad", ""),
			causeSummary{Component: Retriever, Repairs: "retrieve.mode=bm25 4/4, retrieve.k=5 4/4", Certainty: HighCertainty},
		},
		"k and prompt": {
			scriptLab{hits: depthOnly(5, 3), answer: swapsThatHeal(true, false)},
			lowCase(rankedAt(5, 3), "bad", ""),
			causeSummary{Component: Retriever, Further: []Component{SystemPrompt},
				Repairs: "retrieve.k=5 4/4, generate.prompt=reference 4/4", Certainty: HighCertainty},
		},
		"prompt": {
			scriptLab{answer: swapsThatHeal(true, false)},
			lowCase(held, "bad", ""),
			causeSummary{Component: SystemPrompt, Repairs: "generate.prompt=reference 4/4", Certainty: HighCertainty},
		},
		"model": {
			scriptLab{answer: swapsThatHeal(false, true)},
			lowCase(held, "bad", ""),
			causeSummary{Component: GenerationModel, Repairs: "generate.model=strong 4/4", Certainty: HighCertainty},
		},
		"either": {
			scriptLab{answer: swapsThatHeal(true, true)},
			lowCase(held, "bad", ""),
			causeSummary{Component: SystemPrompt, Detail: "either", Repairs: "generate.prompt=reference 8/8", Certainty: MediumCertainty},
		},
		"both": {
			scriptLab{answer: func(evidence, _ bool, s Swap, _ int) (string, string) {
				if evidence && s.Prompt && s.Model {
					return "good", ""
				}
				return "bad", ""
			}},
			lowCase(held, "bad", ""),
			causeSummary{
				Component: SystemPrompt, Detail: "both", Further: []Component{GenerationModel},
				Repairs: "generate.prompt=reference 4/4, generate.model=strong 4/4", Certainty: HighCertainty,
			},
		},
		"unstable": {
			scriptLab{answer: healthy},
			lowCase(held, "bad", ""),
			causeSummary{Component: Unstable, Detail: "sampling", Certainty: HighCertainty},
		},
		"context noise": {
			scriptLab{hits: depthOnly(1, 3), answer: func(evidence, noise bool, _ Swap, _ int) (string, string) {
				if evidence && !noise {
					return "good", ""
				}
				return "bad", ""
			}},
			lowCase(rankedAt(1, 3), "bad", ""),
			causeSummary{Component: Retriever, Detail: "context_noise", Repairs: "retrieve.k=1 4/4", Certainty: HighCertainty},
		},
		"k, found by answering": { // the judge finds no passage, as where a claim joins two of them
			scriptLab{windows: none, hits: depthOnly(5, 3), answer: healthy},
			lowCase(rankedAt(5, 3), "bad", ""),
			causeSummary{Component: Retriever, Repairs: "retrieve.k=5 4/4", Certainty: HighCertainty},
		},
		"k and prompt, found by answering": {
			scriptLab{windows: none, hits: depthOnly(5, 3), answer: swapsThatHeal(true, false)},
			lowCase(rankedAt(5, 3), "bad", ""),
			causeSummary{Component: Retriever, Further: []Component{SystemPrompt},
				Repairs: "retrieve.k=5 4/4, generate.prompt=reference 4/4", Certainty: HighCertainty},
		},
		"model, no passage found": {
			scriptLab{windows: none, answer: swapsThatHeal(false, true)},
			lowCase(held, "bad", ""),
			causeSummary{Component: GenerationModel, Repairs: "generate.model=strong 4/4", Certainty: HighCertainty},
		},
		"a model that loses the evidence among other contexts": {
			scriptLab{answer: func(evidence, noise bool, s Swap, _ int) (string, string) {
				if evidence && (!noise || s.Model) {
					return "good", ""
				}
				return "bad", ""
			}},
			lowCase(held, "bad", ""),
			causeSummary{Component: GenerationModel, Repairs: "generate.model=strong 4/4", Certainty: HighCertainty},
		},
		"prompt behind a gap in the documents": {
			scriptLab{windows: none, answer: swapsThatHeal(true, false)},
			lowCase([]rag.Hit{otherHit}, "bad", ""),
			causeSummary{
				Component: Database, Detail: "not_in_corpus", Further: []Component{SystemPrompt},
				Repairs:   "corpus=add 0/0, generate.prompt=reference 4/4",
				Certainty: MediumCertainty,
			},
		},
		"nothing heals": {
			scriptLab{answer: swapsThatHeal(false, false)},
			lowCase(held, "bad", ""),
			causeSummary{Component: Undetermined, Detail: "nothing_heals", Certainty: LowCertainty},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lab := c.lab
			lab.powers = allPowers
			if lab.config.Retrieve.K == 0 {
				lab.config = scriptConfig()
			}
			rules := CauseRules{Embedders: []rag.Model{{Provider: "offline", Name: "ngram"}},
				Reference: &rag.Model{Provider: "offline", Name: "strong"}}
			d, err := Diagnose(t.Context(), &lab, c.in, rules)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, summed(d)); diff != "" {
				t.Errorf("(-want +got):\n%s\nsteps %+v", diff, d.Steps)
			}
			checkDiagnosis(t, &lab, d)
		})
	}
}

// TestALargerKIsARepairUpToSixOrTwiceAsMany: above that it is possible but expensive, as docs/causes.md says.
func TestALargerKIsARepairUpToSixOrTwiceAsMany(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		k, rank   int
		expensive bool
	}{
		{1, 6, false}, {1, 7, true}, {3, 6, false}, {3, 7, true}, {4, 8, false}, {4, 9, true}, {10, 20, false}, {10, 21, true},
	} {
		lab := scriptLab{config: scriptConfig(), powers: allPowers, hits: depthOnly(c.rank, c.k), answer: healthy}
		lab.config.Retrieve.K = c.k
		d, err := Diagnose(t.Context(), &lab, lowCase(rankedAt(c.rank, c.k), "bad", ""), CauseRules{})
		if err != nil {
			t.Fatal(err)
		}
		if len(d.Repairs) != 1 || d.Repairs[0].Param != "retrieve.k" || d.Repairs[0].To != c.rank || d.Repairs[0].Expensive != c.expensive {
			t.Errorf("k %d, evidence at %d: %+v, want expensive %v", c.k, c.rank, d.Repairs, c.expensive)
		}
	}
}

// TestDiagnoseWhatRepeatsItself counts the equal answers of a system at temperature 0 once, and judges their words by votes.
func TestDiagnoseWhatRepeatsItself(t *testing.T) {
	t.Parallel()
	config := scriptConfig()
	config.Generate.Temperature = 0
	for name, c := range map[string]struct {
		lab   scriptLab
		want  string
		calls int // at most
	}{
		"prompt": {scriptLab{answer: swapsThatHeal(true, false)}, "generate.prompt=reference 1/1", 16},
		"it varies nonetheless": {scriptLab{answer: func(evidence, _ bool, s Swap, trial int) (string, string) {
			if evidence && s.Prompt {
				return fmt.Sprint("good ", trial), ""
			}
			return fmt.Sprint("bad ", trial), ""
		}}, "generate.prompt=reference 4/4", 40},
	} {
		lab := c.lab
		lab.powers, lab.config = allPowers, config
		d, err := Diagnose(t.Context(), &lab, lowCase([]rag.Hit{evidenceHit, otherHit}, "bad", ""), CauseRules{})
		if err != nil {
			t.Fatal(err)
		}
		if got := summed(d); d.Component != SystemPrompt || got.Repairs != c.want || d.Calls > c.calls || d.Certainty != HighCertainty {
			t.Errorf("%s: %+v after %d calls, want %s after at most %d; %+v", name, got, d.Calls, c.want, c.calls, d.Steps)
		}
		checkDiagnosis(t, &lab, d)
	}
}

// TestStanding says of a cause that it was tested only where a replacement healed the answer.
func TestStanding(t *testing.T) {
	t.Parallel()
	healed, failed := CauseStep{Step: "prompt", Passes: 4, Trials: 4}, CauseStep{Step: "model", Passes: 1, Trials: 4}
	for want, d := range map[Standing]Diagnosis{
		StandsTested:   {Method: Tested, Component: SystemPrompt, Steps: []CauseStep{failed, healed}},
		StandsSearched: {Method: Tested, Component: Database, Steps: []CauseStep{{Step: "facts", Passes: 4, Trials: 4}, failed}},
		StandsObserved: {Method: Observed, Component: SystemPrompt, Steps: []CauseStep{healed}},
		StandsUnknown:  {Method: Tested, Component: GenerationUnsure, Steps: []CauseStep{failed}},
	} {
		if got := d.Standing(); got != want {
			t.Errorf("%+v stands as %s, want %s", d, got, want)
		}
	}
}

// checkDiagnosis is what holds for every diagnosis: its parts fit together and every call is counted.
func checkDiagnosis(t *testing.T, lab *scriptLab, d Diagnosis) {
	t.Helper()
	if d.Data != d.Component.Data() || d.Certainty != CertaintyOf(d.Confidence) || d.Method != Tested {
		t.Errorf("data %s, certainty %s of %v, method %s", d.Data, d.Certainty, d.Confidence, d.Method)
	}
	if d.Rationale.EN == "" || d.Rationale.JA == "" || !strings.Contains(d.Rationale.JA, "→ "+d.Component.Word("ja")) {
		t.Errorf("rationale %+v", d.Rationale)
	}
	calls := 0
	for _, s := range d.Steps {
		calls += s.Calls
		if causeWord("ja", "step."+s.Step) == "step."+s.Step {
			t.Errorf("step %q has no words", s.Step)
		}
	}
	made := lab.asked["pass"] + lab.asked["claims"] + lab.asked["supports"] + 2*lab.asked["clear"] + lab.asked["generate"]
	if calls != d.Calls || made != d.Calls {
		t.Errorf("%d calls, the steps say %d, the lab counted %d", d.Calls, calls, made)
	}
	for _, r := range d.Repairs {
		if r.Trials > 0 && 2*r.Passes < r.Trials {
			t.Errorf("%+v is no repair", r)
		}
	}
	if d.Detail != "" && causeWord("en", "detail."+d.Detail) == "detail."+d.Detail {
		t.Errorf("detail %q has no words", d.Detail)
	}
}

func TestDiagnoseLabels(t *testing.T) {
	t.Parallel()
	label := EvidenceLabel{Now: evidencePlace, Quote: evidenceText, Found: true}
	t.Run("in place", func(t *testing.T) {
		t.Parallel()
		lab := labelledScript{&scriptLab{config: scriptConfig(), powers: allPowers, labels: []EvidenceLabel{label}, hits: depthOnly(5, 3),
			answer: healthy}}
		d, err := Diagnose(t.Context(), lab, lowCase(rankedAt(5, 3), "bad", ""), CauseRules{})
		if err != nil {
			t.Fatal(err)
		}
		if d.Component != Retriever || lab.asked["supports"] != 0 || len(d.Evidence) != 1 || d.Evidence[0].Quote != evidenceText ||
			d.Evidence[0].Rank != 5 {
			t.Errorf("%s with evidence %+v after %d judged windows", d.Component, d.Evidence, lab.asked["supports"])
		}
	})
	// What stands now is quoted from the relocated sentence only: a window that contradicts the claim is no proof that it took its place.
	for _, instead := range []string{"the fee is 550 yen", ""} {
		t.Run("lost, now: "+instead, func(t *testing.T) {
			t.Parallel()
			gone := EvidenceLabel{Now: evidencePlace, Quote: "the fee is 440 yen", Instead: instead}
			lab := labelledScript{&scriptLab{
				config: scriptConfig(), powers: allPowers, labels: []EvidenceLabel{gone},
				windows: func(string) []WindowVerdict { return []WindowVerdict{{Verdict: Contradicts, Quote: evidencePlace}} },
			}}
			d, err := Diagnose(t.Context(), lab, lowCase(nil, "bad", ""), CauseRules{})
			if err != nil {
				t.Fatal(err)
			}
			want := map[bool]string{true: "stale", false: "removed"}[instead != ""]
			says := strings.Contains(d.Rationale.EN, "the fee is 440 yen") && strings.Contains(d.Rationale.JA, instead)
			if d.Component != Database || d.Detail != want || !says || strings.Contains(d.Rationale.EN, evidenceText) {
				t.Errorf("%s %s: %+v", d.Component, d.Detail, d.Rationale)
			}
		})
	}
	t.Run("a whole document", func(t *testing.T) {
		t.Parallel()
		document := EvidenceLabel{Now: rag.Span{DocID: "doc", End: 5000}, Quote: strings.Repeat("x", 5000), Found: true}
		lab := labelledScript{&scriptLab{config: scriptConfig(), powers: allPowers, labels: []EvidenceLabel{document},
			answer: swapsThatHeal(true, false)}}
		d, err := Diagnose(t.Context(), lab, lowCase([]rag.Hit{evidenceHit}, "bad", ""), CauseRules{})
		if err != nil {
			t.Fatal(err)
		}
		if d.Component != SystemPrompt || !strings.Contains(d.Evidence[0].Quote, "xxx") {
			t.Errorf("%s with evidence %+v", d.Component, d.Evidence)
		}
	})
}

// TestDiagnoseWithoutPowers leaves out what a system does not allow, and never guesses.
func TestDiagnoseWithoutPowers(t *testing.T) {
	t.Parallel()
	held, lacking := []rag.Hit{evidenceHit, otherHit}, []rag.Hit{otherHit}
	for name, c := range map[string]struct {
		powers    LabPowers
		contexts  []rag.Hit
		component Component
		detail    string
	}{
		"a log with its corpus, evidence missing": {LabPowers{Corpus: true}, lacking, Retriever, "parameter_untested"},
		"a log with its corpus, evidence there":   {LabPowers{Corpus: true}, held, GenerationUnsure, "untested"},
		"a log":                                   {LabPowers{}, held, Undetermined, "untested"},
		"only k":                                  {LabPowers{Corpus: true, K: true}, lacking, Retriever, ""},
		"only the prompt":                         {LabPowers{Corpus: true, Prompt: true}, held, SystemPrompt, ""},
		"no model": {LabPowers{Corpus: true, Contexts: true, Retrieval: true, K: true}, held,
			GenerationUnsure, "partly_untested"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			lab := &scriptLab{config: scriptConfig(), powers: c.powers, hits: depthOnly(5, 3),
				answer: func(evidence, _ bool, s Swap, _ int) (string, string) {
					if evidence && (s.Prompt || !c.powers.Prompt && c.powers.K && !c.powers.Contexts) {
						return "good", ""
					}
					return "bad", ""
				}}
			d, err := Diagnose(t.Context(), lab, lowCase(c.contexts, "bad", ""), CauseRules{})
			if err != nil {
				t.Fatal(err)
			}
			if d.Component != c.component || d.Detail != c.detail {
				t.Errorf("%s %q, want %s %q; %+v", d.Component, d.Detail, c.component, c.detail, d.Steps)
			}
			if d.Component == GenerationUnsure && d.Certainty == HighCertainty && d.Detail == "partly_untested" {
				t.Error("certain of what was not tested")
			}
		})
	}
}

// TestDiagnoseFails passes on what the lab meets, wherever it meets it.
func TestDiagnoseFails(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"pass", "claims", "candidates", "supports", "clear", "retrieve", "generate"} {
		lab := &scriptLab{config: scriptConfig(), powers: allPowers, hits: depthOnly(5, 3), answer: healthy, failAt: method}
		if _, err := Diagnose(t.Context(), lab, lowCase(rankedAt(5, 3), "bad", ""), CauseRules{}); err == nil ||
			!strings.Contains(err.Error(), "the lab is closed") {
			t.Errorf("%s failed, Diagnose says %v", method, err)
		}
	}
}

// TestSearchOutvotesNoise finds a claim that some votes deny and misses one that some votes claim.
func TestSearchOutvotesNoise(t *testing.T) {
	t.Parallel()
	yes, no := WindowVerdict{Verdict: Entails, Quote: evidencePlace}, WindowVerdict{Verdict: Neutral}
	outside := WindowVerdict{Verdict: Entails, Quote: rag.Span{DocID: "doc", Start: 5, End: 9}}
	for name, c := range map[string]struct {
		votes []WindowVerdict
		found bool
	}{
		"denied at first":           {[]WindowVerdict{no, yes, yes, yes, yes, yes, yes, yes, yes, yes}, true},
		"denied once":               {[]WindowVerdict{yes, yes, no, yes, yes, yes, yes, yes, yes, yes}, true},
		"claimed once":              {[]WindowVerdict{yes, no, no, no, no, no, no, no, no, no}, false},
		"claimed in words not held": {[]WindowVerdict{outside}, false},
	} {
		lab := &scriptLab{config: scriptConfig(), powers: allPowers, windows: func(string) []WindowVerdict { return c.votes }}
		x := &diagnosing{lab: lab, c: lowCase(nil, "bad", ""), rules: CauseRules{}.filled(), config: lab.config, powers: lab.powers}
		searches, err := x.searching().searchNear(t.Context(), []string{"claim"})
		if err == nil {
			err = x.searching().searchFar(t.Context(), searches)
		}
		if err != nil {
			t.Fatal(err)
		}
		x.searching().sumUp(searches, nil)
		if x.claims[0].found() != c.found {
			t.Errorf("%s: found %v, want %v after %d votes", name, x.claims[0].found(), c.found, lab.asked["supports"])
		}
	}
}

// TestLadderAsksOnceForEveryK retrieves once, to the deepest k, for all smaller ones.
func TestLadderAsksOnceForEveryK(t *testing.T) {
	t.Parallel()
	lab := &scriptLab{config: scriptConfig(), powers: LabPowers{Corpus: true, K: true, Contexts: true}, hits: depthOnly(5, 3),
		answer: healthy}
	if _, err := Diagnose(t.Context(), lab, lowCase(rankedAt(5, 3), "bad", ""), CauseRules{}); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(lab.seen, []string{"retrieve.k=30"}) {
		t.Errorf("retrieved with %v", lab.seen)
	}
}

// TestMostCalls bounds what every diagnosis takes, the longest way too.
func TestMostCalls(t *testing.T) {
	t.Parallel()
	for _, m := range []int{2, 4} {
		most := CauseRules{Trials: m}.MostCalls()
		lab := &scriptLab{config: scriptConfig(), powers: allPowers, hits: depthOnly(5, 3), answer: swapsThatHeal(false, false)}
		d, err := Diagnose(t.Context(), lab, lowCase(rankedAt(5, 3), "bad", ""), CauseRules{Trials: m})
		if err != nil {
			t.Fatal(err)
		}
		if d.Calls <= most/6 || d.Calls > most {
			t.Errorf("m = %d: the longest way takes %d calls, at most %d are said", m, d.Calls, most)
		}
	}
}

// TestTheStoredAnswerGivenAgainCounts: a system that repeats its stored answer has been tried once, and no trial that was made is
// taken back.
func TestTheStoredAnswerGivenAgainCounts(t *testing.T) {
	t.Parallel()
	for before, want := range map[int]int{0: 1, 1: 1, 2: 2} {
		x, tried := &diagnosing{}, tried{last: "the same", trials: before}
		if !x.repeats(&tried, "the same") || tried.trials != want || !tried.fixed || tried.healed() {
			t.Errorf("after %d trials: %+v", before, tried)
		}
	}
	x, other := &diagnosing{}, tried{last: "the same"}
	if x.repeats(&other, "another") || other.trials != 0 || other.fixed || x.greedy() {
		t.Errorf("another answer: %+v", other)
	}
}
