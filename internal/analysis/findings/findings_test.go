package findings

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// scored is an evaluation of one metric for each name, with these scores of every question.
func scored(id string, offline bool, scores map[string][]float64) experiments.Evaluation {
	e := experiments.Evaluation{Run: experiments.Run{ID: id, State: experiments.Finished}}
	e.Run.Setup = experiments.Setup{Experiment: id, LowScore: 2, Offline: offline, Settled: true, Config: rag.DefaultConfig()}
	n := 0
	for _, name := range slices.Sorted(maps.Keys(scores)) {
		spec, _ := metrics.Find(name)
		e.Run.Setup.Suite = append(e.Run.Setup.Suite, spec)
		n = len(scores[name])
	}
	for i := range n {
		q := experiments.Question{ID: fmt.Sprintf("q%02d", i), Text: fmt.Sprintf("Question %d?", i), Reference: "Yes.", Answerable: true}
		r := experiments.Result{QuestionID: q.ID, Answer: &rag.Answer{Generation: rag.Generation{Text: fmt.Sprintf("%s says %d", id, i)}}}
		for _, spec := range e.Run.Setup.Suite {
			r.Scores = append(r.Scores, metrics.Score{Metric: spec.ID, Version: spec.Version, State: metrics.Scored,
				Value: scores[spec.ID][i]})
		}
		e.Questions, e.Results = append(e.Questions, q), append(e.Results, r)
	}
	return e
}

func of(t *testing.T, before, after experiments.Evaluation) Findings {
	t.Helper()
	c, err := compare.Compare(before, after)
	if err != nil {
		t.Fatal(err)
	}
	gate, err := compare.Gate(compare.RunGate(c, before, after), compare.DefaultGateRules())
	if err != nil {
		t.Fatal(err)
	}
	return Of(Input{Comparison: &c, Baseline: &before, Candidate: after, Gate: &gate})
}

func repeated(values ...float64) []float64 {
	var out []float64
	for range 10 {
		out = append(out, values...)
	}
	return out
}

// TestFallIsFirst: whatever else rose, the first sentence and the headline name the metric that clearly fell.
func TestFallIsFirst(t *testing.T) {
	t.Parallel()
	f := of(t, scored("old", false, map[string][]float64{"correctness": repeated(4, 5), "trust": repeated(2, 3)}),
		scored("new", false, map[string][]float64{"correctness": repeated(2, 4), "trust": repeated(4, 5)}))
	if !strings.HasPrefix(f.Sentences[0].EN, "Correctness fell from 4.5 to 3") || !strings.Contains(f.Headline.EN, "Correctness fell") ||
		!strings.Contains(f.Headline.EN, "Trust rose") {
		t.Errorf("%q, %q", f.Headline.EN, f.Sentences[0].EN)
	}
	if f.Release.Answer != NotYet || f.Check.Code != "gate.failed" {
		t.Errorf("release %+v, check %+v", f.Release, f.Check)
	}
	v := f.Verdicts
	if v.Worse+v.Mixed+v.NeedsCheck+v.NoChange+v.Better+v.Undecided != f.Matched || len(f.Ids(compare.Worse)) != v.Worse {
		t.Errorf("%+v of %d", v, f.Matched)
	}
}

// TestOfflineNeverReleases: a better run whose targets are all met is no yes while the built-in checker scored it, and is one otherwise.
func TestOfflineNeverReleases(t *testing.T) {
	t.Parallel()
	for offline, want := range map[bool]string{true: CannotSay, false: MayRelease} {
		before, after := scored("old", offline, map[string][]float64{"correctness": repeated(3, 4)}),
			scored("new", offline, map[string][]float64{"correctness": repeated(5, 5)})
		after.Run.Setup.Goals = []experiments.Goal{{Metric: "correctness", Target: 4.5}}
		c, err := compare.Compare(before, after)
		if err != nil {
			t.Fatal(err)
		}
		gate, err := compare.Gate(compare.RunGate(c, before, after), compare.DefaultGateRules())
		if err != nil {
			t.Fatal(err)
		}
		progress := progress.ProgressOf(experiments.Agreement{}, after, nil, nil)
		in := Input{Comparison: &c, Baseline: &before, Candidate: after, Gate: &gate, Agreement: &progress}
		if f := Of(in); f.Release.Answer != want {
			t.Errorf("offline %t: %+v", offline, f.Release)
		}
		in.Agreement = nil
		if f := Of(in); f.Release.Answer == MayRelease {
			t.Errorf("yes without anything that was agreed: %+v", f.Release)
		}
	}
}

// TestRetrievalAlone: where nothing that decides looks at answers, that is said.
func TestRetrievalAlone(t *testing.T) {
	t.Parallel()
	f := of(t, scored("old", true, map[string][]float64{"hit": {1, 0, 1}}), scored("new", true, map[string][]float64{"hit": {0, 1, 1}}))
	if !f.Retrieval || !slices.ContainsFunc(f.Sentences, func(s Text) bool { return s.Code == "say.retrieval" }) {
		t.Errorf("%+v", Texts(f.Sentences, "en"))
	}
}

// TestSentencesHoldAtMostThreeNumbers: in both languages, whatever happened.
func TestSentencesHoldAtMostThreeNumbers(t *testing.T) {
	t.Parallel()
	number := regexp.MustCompile(`[0-9]+(?:[.,][0-9]+)*`)
	for _, move := range [][2][]float64{{repeated(4, 2), repeated(1, 5)}, {repeated(4), repeated(4)}, {{3, 3}, {3, 4}},
		{repeated(1), repeated(5)}} {
		f := of(t, scored("old", true, map[string][]float64{"correctness": move[0]}),
			scored("new", true, map[string][]float64{"correctness": move[1]}))
		for _, text := range append([]Text{f.Headline, f.Release.Text}, f.Sentences...) {
			for _, lang := range []string{"en", "ja"} {
				if n := len(number.FindAllString(text.In(lang), -1)); n > 3 || strings.ContainsAny(text.In(lang), "{}") ||
					text.In(lang) == "" {
					t.Errorf("%d numbers in %q", n, text.In(lang))
				}
			}
		}
	}
}

// TestCataloguesAgree: both languages have the same keys and placeholders, and every key that the code says is there.
func TestCataloguesAgree(t *testing.T) {
	t.Parallel()
	if diff := cmp.Diff(slices.Sorted(maps.Keys(catalogues["en"])), slices.Sorted(maps.Keys(catalogues["ja"]))); diff != "" {
		t.Fatalf("keys (-en +ja):\n%s", diff)
	}
	names := func(s string) []string {
		var out []string
		for _, m := range placeholder.FindAllStringSubmatch(s, -1) {
			if !slices.Contains(out, m[1]) {
				out = append(out, m[1])
			}
		}
		slices.Sort(out)
		return out
	}
	for key, en := range catalogues["en"] {
		if diff := cmp.Diff(names(en), names(catalogues["ja"][key])); diff != "" {
			t.Errorf("%s (-en +ja):\n%s", key, diff)
		}
	}
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	said := regexp.MustCompile(`say\("([a-z_.]+[a-z_])"`)
	for _, name := range files {
		body, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range said.FindAllStringSubmatch(string(body), -1) {
			if _, ok := catalogues["en"][m[1]]; !ok {
				t.Errorf("%s says %q, which the catalogue lacks", name, m[1])
			}
		}
	}
}
