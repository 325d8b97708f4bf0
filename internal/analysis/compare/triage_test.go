package compare

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// hit is a chunk with a text that stands for its place.
func hit(doc string, start, end int) rag.Hit {
	s := rag.Span{DocID: doc, Start: start, End: end}
	return rag.Hit{Span: s, Text: "text of " + s.String()}
}

// answered gives the only question of a run an answer with contexts.
func answered(e experiments.Evaluation, answer string, hits ...rag.Hit) experiments.Evaluation {
	e.Results[0].Answer = &rag.Answer{Retrieval: rag.Retrieval{Hits: hits}, Generation: rag.Generation{Text: answer}}
	e.Run.Setup.Corpus = experiments.Ref{Name: "c", Version: 1, Digest: "corpus"}
	return e
}

// places marks evidence for the only question of a run.
func places(e experiments.Evaluation, evidence ...experiments.Evidence) experiments.Evaluation {
	e.Questions[0].Evidence = evidence
	return e
}

func marked(start, end int, quote string) experiments.Evidence {
	return experiments.Evidence{Span: rag.Span{DocID: "d", Start: start, End: end}, Quote: quote}
}

func TestTriage(t *testing.T) {
	t.Parallel()
	long := hit("d", 0, 400)
	cases := []struct {
		name          string
		metric        string
		evidence      []experiments.Evidence
		before, after []rag.Hit
		answers       [2]string
		unanswerable  bool
		change        func(c *experiments.Evaluation)
		want          Class
		covered       *[2]float64
		lost          []rag.Span
		cuts          []Cut
	}{
		{
			name: "evidence not retrieved any more", evidence: []experiments.Evidence{marked(100, 200, "")},
			before: []rag.Hit{long}, after: []rag.Hit{hit("d", 600, 900)}, answers: [2]string{"yes", "no"},
			want: EvidenceLost, covered: &[2]float64{1, 0}, lost: []rag.Span{{DocID: "d", Start: 100, End: 200}},
		},
		{
			name: "a border through the evidence", evidence: []experiments.Evidence{marked(100, 200, "")},
			before: []rag.Hit{long}, after: []rag.Hit{hit("d", 0, 150)}, answers: [2]string{"yes", "no"},
			want: EvidenceCut, covered: &[2]float64{1, 0.5}, lost: []rag.Span{{DocID: "d", Start: 150, End: 200}},
			cuts: []Cut{{Evidence: rag.Span{DocID: "d", Start: 100, End: 200}, Chunk: rag.Span{DocID: "d", End: 150}, Border: 150}},
		},
		{
			name: "a gap in the middle", evidence: []experiments.Evidence{marked(100, 200, "")},
			before: []rag.Hit{long}, after: []rag.Hit{hit("d", 180, 300), hit("d", 0, 120)}, answers: [2]string{"yes", "no"},
			want: EvidenceCut, covered: &[2]float64{1, 0.4}, lost: []rag.Span{{DocID: "d", Start: 120, End: 180}},
			cuts: []Cut{{Evidence: rag.Span{DocID: "d", Start: 100, End: 200}, Chunk: rag.Span{DocID: "d", Start: 180, End: 300},
				Border: 180}},
		},
		{
			name: "one lost, a smaller one cut", evidence: []experiments.Evidence{marked(0, 100, ""), marked(300, 350, "")},
			before: []rag.Hit{long}, after: []rag.Hit{hit("d", 310, 500)}, answers: [2]string{"yes", "no"},
			want: EvidenceLost, covered: &[2]float64{1, 40.0 / 150},
			lost: []rag.Span{{DocID: "d", End: 100}, {DocID: "d", Start: 300, End: 310}},
			cuts: []Cut{{Evidence: rag.Span{DocID: "d", Start: 300, End: 350}, Chunk: rag.Span{DocID: "d", Start: 310, End: 500},
				Border: 310}},
		},
		{
			name: "two chunks meet inside the evidence", evidence: []experiments.Evidence{marked(100, 200, "")},
			before: []rag.Hit{long}, after: []rag.Hit{hit("d", 150, 300), hit("d", 0, 150)}, answers: [2]string{"yes", "no"},
			want: AnswerChanged, covered: &[2]float64{1, 1},
		},
		{
			name: "never retrieved", evidence: []experiments.Evidence{marked(900, 950, "")},
			before: []rag.Hit{long}, after: []rag.Hit{hit("d", 0, 150)}, answers: [2]string{"yes", "no"},
			want: InNeither, covered: &[2]float64{0, 0},
		},
		{
			name: "same answer, another verdict", metric: "correctness", evidence: []experiments.Evidence{marked(100, 200, "")},
			before: []rag.Hit{long}, after: []rag.Hit{hit("e", 0, 10)}, answers: [2]string{"yes  it is", "yes it is"},
			want: SameAnswer, covered: &[2]float64{1, 0}, lost: []rag.Span{{DocID: "d", Start: 100, End: 200}},
		},
		{
			name: "same answer without its evidence", metric: "trust", evidence: []experiments.Evidence{marked(100, 200, "")},
			before: []rag.Hit{long}, after: []rag.Hit{hit("e", 0, 10)}, answers: [2]string{"yes", "yes"},
			want: EvidenceLost, covered: &[2]float64{1, 0}, lost: []rag.Span{{DocID: "d", Start: 100, End: 200}},
		},
		{
			name: "same contexts, nothing marked", before: []rag.Hit{long}, after: []rag.Hit{long}, answers: [2]string{"yes", "no"},
			want: SamePassages,
		},
		{
			name: "other contexts, nothing to hold", before: []rag.Hit{long}, after: []rag.Hit{hit("e", 0, 10)},
			answers: [2]string{"yes", "no"}, unanswerable: true, want: NoneToHold,
		},
		{
			name: "as much in other places", evidence: []experiments.Evidence{marked(100, 200, ""), marked(700, 800, "")},
			before: []rag.Hit{long}, after: []rag.Hit{hit("d", 600, 900)}, answers: [2]string{"yes", "no"},
			want: EvidenceMoved, covered: &[2]float64{0.5, 0.5}, lost: []rag.Span{{DocID: "d", Start: 100, End: 200}},
		},
		{
			name: "contexts without places", evidence: []experiments.Evidence{marked(100, 200, "")}, answers: [2]string{"yes", "no"},
			change: func(c *experiments.Evaluation) { c.Results[0].Answer.Hidden = rag.NoContexts }, want: NotShown,
		},
		{
			name: "no answer is stored", before: []rag.Hit{long}, after: []rag.Hit{long}, answers: [2]string{"yes", "no"},
			change: func(c *experiments.Evaluation) { c.Results[0].Answer = nil }, want: NotShown,
		},
		{
			name: "more of the evidence for the same answer", metric: "hit",
			evidence: []experiments.Evidence{marked(100, 200, "")},
			before:   []rag.Hit{hit("e", 0, 10)}, after: []rag.Hit{long}, answers: [2]string{"yes", "yes"},
			want: Gained, covered: &[2]float64{0, 1},
		},
		{
			name: "other contexts, nothing marked", before: []rag.Hit{long}, after: []rag.Hit{hit("e", 0, 10)},
			answers: [2]string{"yes", "no"}, want: ContextsDiffer,
		},
		{
			name: "evidence marked anew", before: []rag.Hit{long}, after: []rag.Hit{long}, answers: [2]string{"yes", "yes"},
			change: func(c *experiments.Evaluation) {
				c.Questions[0].Evidence = []experiments.Evidence{marked(1, 2, "")}
				c.Questions[0].Text += " " // what the judge saw is not the same to the letter
			},
			want: QuestionEdited, covered: &[2]float64{1, 1},
		},
		{
			name: "the candidate failed", before: []rag.Hit{long}, after: []rag.Hit{long}, answers: [2]string{"yes", "no"},
			change: func(c *experiments.Evaluation) { c.Results[0].Failure = &experiments.Failure{Cause: "timeout"} }, want: RuntimeError,
		},
		{
			name: "another corpus, words found", evidence: []experiments.Evidence{marked(100, 120, "refunds take ten days")},
			before:  []rag.Hit{{Span: rag.Span{DocID: "d", Start: 90, End: 140}, Text: "… refunds take ten days. …"}},
			after:   []rag.Hit{{Span: rag.Span{DocID: "x", Start: 0, End: 40}, Text: "Since May refunds take ten days."}},
			answers: [2]string{"yes", "no"},
			change:  func(c *experiments.Evaluation) { c.Run.Setup.Corpus.Digest = "other" }, want: AnswerChanged,
			covered: &[2]float64{1, 1},
		},
		{
			name: "another corpus, words cut", evidence: []experiments.Evidence{marked(100, 121, "refunds take ten days")},
			before:  []rag.Hit{{Span: rag.Span{DocID: "d", Start: 90, End: 140}, Text: "… refunds take ten days. …"}},
			after:   []rag.Hit{{Span: rag.Span{DocID: "x", Start: 0, End: 22}, Text: "Since May refunds take"}},
			answers: [2]string{"yes", "no"},
			change:  func(c *experiments.Evaluation) { c.Run.Setup.Corpus.Digest = "other" }, want: EvidenceCut,
			covered: &[2]float64{1, 12.0 / 21},
			lost:    []rag.Span{{DocID: "d", Start: 100, End: 121}},
			cuts:    []Cut{{Evidence: rag.Span{DocID: "d", Start: 100, End: 121}, Chunk: rag.Span{DocID: "x", End: 22}, Border: 22}},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			metric := c.metric
			if metric == "" {
				metric = "correctness"
			}
			unanswerable := func(e experiments.Evaluation) experiments.Evaluation {
				e.Questions[0].Answerable = e.Questions[0].Answerable && !c.unanswerable
				return e
			}
			baseline := places(answered(evaltest.One(t, "b", metric, 5), c.answers[0], c.before...), c.evidence...)
			candidate := places(answered(evaltest.One(t, "c", metric, 2), c.answers[1], c.after...), c.evidence...)
			baseline, candidate = unanswerable(baseline), unanswerable(candidate)
			if c.change != nil {
				c.change(&candidate)
			}
			got := compared(t, baseline, candidate).Triage
			if len(got) != 1 {
				t.Fatalf("triage %+v", got)
			}
			type facts struct {
				Class   Class
				Covered *[2]float64
				Lost    []rag.Span
				Cuts    []Cut
			}
			want := facts{c.want, c.covered, c.lost, c.cuts}
			if c.name == "evidence marked anew" {
				want.Covered = got[0].Facts.Covered
			}
			if diff := cmp.Diff(want, facts{got[0].Class, got[0].Facts.Covered, got[0].Facts.Lost, got[0].Facts.Cuts}); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			for _, lang := range []string{"en", "ja"} {
				if w := c.want.Word(lang); w == "class."+string(c.want) {
					t.Errorf("no words for %s in %s", c.want, lang)
				}
			}
		})
	}
}

// TestTriageOfWhatIsNotCompared lists questions that one run failed to measure and those that were edited.
func TestTriageOfWhatIsNotCompared(t *testing.T) {
	t.Parallel()
	row := map[string]float64{"correctness": 4}
	baseline := evaltest.Evaluation(t, "b", evaltest.Table{"q1": row, "q2": row, "q3": row, "q4": row})
	candidate := evaltest.Evaluation(t, "c", evaltest.Table{"q1": row, "q2": {}, "q3": row, "q4": row})
	candidate.Results[1].Scores[0].State, candidate.Results[1].Scores[0].Reason = "error", "timeout"
	candidate.Questions[2].Text = "something else"
	candidate.Questions[3].Reference = "something else"
	got := compared(t, baseline, candidate)
	want := []Triage{
		{QuestionID: "q2", Class: RuntimeError,
			Facts: Facts{Metric: "correctness", Cause: "timeout", Arm: CandidateArm}},
		{QuestionID: "q3", Class: QuestionEdited},
		{QuestionID: "q4", Class: QuestionEdited},
	}
	if diff := cmp.Diff(want, got.Triage); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]Unscored{{"q2", "correctness", CandidateArm, "timeout"}}, got.Unscored); diff != "" {
		t.Errorf("unscored (-want +got):\n%s", diff)
	}
}

// TestAnImportWithoutAnAnswerHadNoError: nothing ran that could have failed.
func TestAnImportWithoutAnAnswerHadNoError(t *testing.T) {
	t.Parallel()
	row := map[string]float64{"correctness": 4}
	baseline := evaltest.Evaluation(t, "b", evaltest.Table{"q1": row, "q2": row})
	candidate := evaltest.Evaluation(t, "c", evaltest.Table{"q1": row, "q2": {}})
	candidate.Results[1].Scores[0].State, candidate.Results[1].Scores[0].Reason = "error", llm.CauseNoLoggedAnswer
	got := compared(t, baseline, candidate).Triage
	if len(got) != 1 || got[0].Class != NoAnswer || strings.Contains(got[0].Class.Word("en"), "error") ||
		strings.Contains(got[0].Class.Word("ja"), "エラー") {
		t.Errorf("%+v", got)
	}
}

// TestImportedMetricsHaveOneName in sentences: the title that specs have.
func TestImportedMetricsHaveOneName(t *testing.T) {
	t.Parallel()
	value := 1.0
	for _, id := range []string{"promptfoo.score", "ragas.answer_relevancy", "table.my_score"} {
		spec := metrics.Imported([]rag.LoggedAnswer{{Scores: []rag.LoggedScore{{Metric: id, Value: &value, Max: 1}}}})[0]
		if n := metricNote(id); n.Text("en") != spec.Title("en") || n.Text("ja") != spec.Title("ja") || spec.Title("en") == id {
			t.Errorf("%s is %q and %q in sentences, and %q in tables", id, n.Text("en"), n.Text("ja"), spec.Title("en"))
		}
	}
	if n := metricNote("my.column"); n.Text("en") != "my.column" {
		t.Errorf("a column of a file is called %q", n.Text("en"))
	}
}

// TestTriageExplainsTheVerdict explains the metric that decides, even where another fell further, and nothing that decides nothing.
func TestTriageExplainsTheVerdict(t *testing.T) {
	t.Parallel()
	baseline := evaltest.Evaluation(t, "b", evaltest.Table{"q1": {"correctness": 5, "faithfulness": 1}, "q2": {"faithfulness": 1,
		"trust": 5},
		"q3": {"correctness": 3, "trust": 4}})
	candidate := evaltest.Evaluation(t, "c", evaltest.Table{"q1": {"correctness": 4, "faithfulness": 0}, "q2": {"faithfulness": 0.5,
		"trust": 5},
		"q3": {"correctness": 3, "trust": 1}})
	var got []string
	for _, x := range compared(t, baseline, candidate).Triage {
		got = append(got, x.QuestionID+" "+x.Facts.Metric+" "+string(x.Label))
	}
	if diff := cmp.Diff([]string{"q1 correctness worse", "q3 trust worse"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestWhatGotBetterDidNotForLostEvidence: a reason that speaks against the verdict is told as one that did not matter.
func TestWhatGotBetterDidNotForLostEvidence(t *testing.T) {
	t.Parallel()
	for _, class := range Classes() {
		for _, label := range Labels() {
			against := label == Better && slices.Contains([]Class{EvidenceLost, EvidenceCut, EvidenceGone, DocumentsMoved}, class)
			tri := Triage{Class: class, Label: label}
			for lang, yet := range map[string]string{"en": ", yet the answer got better", "ja": "が、回答は改善した"} {
				want := class.Word(lang)
				if against {
					want += yet
				}
				if got := tri.Word(lang); got != want {
					t.Errorf("%s, %s: %q, want %q", class, label, got, want)
				}
			}
		}
	}
}

// TestWhatDecidesInPlaceOfTheFirstIsOneThing: over all ways in which scores can be missing, a question is told as not compared exactly
// where it has no verdict, and what decided without the first metric is counted.
func TestWhatDecidesInPlaceOfTheFirstIsOneThing(t *testing.T) {
	t.Parallel()
	const n = 4
	for state := range 1 << (2 * n) { // of each question: is correctness, and is trust, missing in the candidate?
		table := evaltest.Table{}
		for i := range n {
			table[fmt.Sprint("q", i+1)] = map[string]float64{"correctness": 4, "trust": 4}
		}
		baseline, candidate := evaltest.Evaluation(t, "b", table), evaltest.Evaluation(t, "c", table)
		alone, neither, first, any := 0, []string{}, false, false
		for i := range n {
			for m := range candidate.Results[i].Scores {
				s := &candidate.Results[i].Scores[m]
				if bit := map[string]int{"correctness": 0, "trust": 1}[s.Metric]; state>>(2*i+bit)&1 == 1 {
					s.State, s.Reason, s.Value = "error", "timeout", 0
				}
			}
			lost := state >> (2 * i) & 3
			first, any = first || lost&1 == 0, any || lost != 3
			switch lost {
			case 1:
				alone++
			case 3:
				neither = append(neither, fmt.Sprint("q", i+1))
			}
		}
		if !any {
			continue
		}
		got := compared(t, baseline, candidate)
		told := []string{}
		for _, tr := range got.Triage {
			if tr.Label != "" {
				t.Fatalf("%b: %+v", state, tr)
			}
			told = append(told, tr.QuestionID)
		}
		if !slices.Equal(told, neither) || !slices.Equal(got.Undecided, neither) {
			t.Errorf("%b: not compared %v, without a verdict %v, want %v", state, told, got.Undecided, neither)
		}
		switch r := got.Replaced; {
		case (alone > 0) != (r != nil):
			t.Errorf("%b: %+v", state, r)
		case r != nil && (r.Metric != "correctness" || r.By != "trust" || r.Questions != alone || (r.Why == nil) != first):
			t.Errorf("%b: %+v, want %d, %t", state, r, alone, !first)
		}
	}
}
