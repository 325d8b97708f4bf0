package questions

import (
	"context"
	"strconv"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

func TestHopsComeFromFoundEvidence(t *testing.T) {
	t.Parallel()
	corpus := rag.NewCorpus("c", []rag.Document{
		{ID: "bassinet", Text: "A bassinet can be reserved up to 48 hours before departure."},
		{ID: "pets", Text: "A pet cage can be reserved at the counter. It must be 48 hours old."},
	})
	place := func(doc, quote string) rag.Span {
		d, _ := corpus.Document(doc)
		i := strings.Index(d.Text, quote)
		return rag.Span{DocID: doc, Start: i, End: i + len(quote)}
	}
	question := experiments.Question{ID: "q", Text: "How early can a bassinet be reserved?", Reference: "48 hours", Lang: "en",
		Answerable: true}
	unanswered := question
	unanswered.Reference = ""
	for _, c := range []struct {
		name     string
		question experiments.Question
		spans    []rag.Span
		found    bool
		hops     experiments.Hops
		by       string
		answers  string
	}{
		{"a section that speaks of it", question, []rag.Span{place("bassinet", "48 hours")}, true, experiments.SingleHop,
			HopsByEvidence, "true"},
		{"a short reference elsewhere", question, []rag.Span{place("pets", "48 hours")}, true, experiments.SingleHop, HopsByText, "true"},
		{"two documents", question, []rag.Span{place("bassinet", "48 hours"), place("pets", "counter")}, true, experiments.MultiHop,
			HopsByEvidence, "true"},
		{"nothing", question, nil, false, experiments.SingleHop, HopsByText, "false"},
		{"without a reference nothing is looked for", unanswered, []rag.Span{place("bassinet", "48 hours")}, true, experiments.SingleHop,
			HopsByText, "unknown"},
	} {
		run := experiments.Run{Setup: experiments.Setup{Judge: metrics.DefaultJudge(), Analysis: &experiments.AnalysisSetup{
			Version: QuestionVersion, Taxonomies: []experiments.Taxonomy{themesOf(1, experiments.TaxonomyLabel{ID: "x"})},
		}}}
		closed := false
		a, err := OpenQuestions(run, QuestionSource{
			Corpus: corpus, Providers: everyName{newClassifier()}, Stages: &rag.MemoryStages{}, Close: func() { closed = true },
			Find: func(context.Context, experiments.Question) ([]rag.Span, bool, error) { return c.spans, c.found, nil },
		})
		if err != nil {
			t.Fatal(err)
		}
		l := labelsOf(t, a, c.question)
		answers := "unknown"
		if l.Answerable != nil {
			answers = strconv.FormatBool(*l.Answerable)
		}
		if l.Hops != c.hops || l.HopsBy != c.by || answers != c.answers {
			t.Errorf("%s: %s by %s, answerable %s", c.name, l.Hops, l.HopsBy, answers)
		}
		if a.Close(); !closed {
			t.Error("what the search holds is not let go of")
		}
	}
}
