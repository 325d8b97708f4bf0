package foreign

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/evaltest"
	"github.com/rag-workbench/workbench/internal/problem"
)

// shown is an item as one line, so that a table of expectations can be read.
func shown(item ForeignItem) string {
	var b strings.Builder
	answer := "-"
	if item.Answer != nil {
		answer = *item.Answer
	}
	contexts := "none"
	if item.Contexts != nil {
		contexts = strconv.Itoa(len(item.Contexts))
	}
	fmt.Fprintf(&b, "%s|%.12s|%.12s|%s|", item.ID, item.Question, item.Reference, contexts)
	fmt.Fprintf(&b, "%.12s", answer)
	for _, s := range item.Scores {
		value := s.Missing
		if s.Value != nil {
			value = fmt.Sprintf("%g", *s.Value)
		}
		fmt.Fprintf(&b, "|%s=%s", s.Metric, value)
	}
	return b.String()
}

// The scores that the files under testdata/foreign were made to hold, by metric and in the order of the rows; see their scripts.
var (
	ragasRows = []string{
		"ragas.faithfulness=1|ragas.answer_relevancy=0.93|ragas.context_recall=1|ragas.factual_correctness_mode_f1=0.8",
		"ragas.faithfulness=0|ragas.answer_relevancy=0.88|ragas.context_recall=1|ragas.factual_correctness_mode_f1=0",
		"ragas.faithfulness=1|ragas.answer_relevancy=0.97|ragas.context_recall=1|ragas.factual_correctness_mode_f1=1",
		"ragas.faithfulness=import_nan|ragas.answer_relevancy=0|ragas.context_recall=0|ragas.factual_correctness_mode_f1=import_nan",
	}
	deepevalRows = []string{
		"deepeval.faithfulness=1|deepeval.answer_relevancy=0.9|deepeval.hallucination=0",
		"deepeval.faithfulness=0|deepeval.answer_relevancy=0.8|deepeval.hallucination=1",
		"deepeval.faithfulness=1|deepeval.answer_relevancy=1|deepeval.hallucination=0",
		"deepeval.faithfulness=import_error|deepeval.answer_relevancy=0.1|deepeval.hallucination=import_error",
	}
	promptfooRows = []string{
		"promptfoo.score=0.9|promptfoo.pass=1|promptfoo.facts=1|promptfoo.tone=0.8",
		"promptfoo.score=0|promptfoo.pass=0|promptfoo.facts=0",
		"promptfoo.score=1|promptfoo.pass=1|promptfoo.facts=1",
		"",
	}
)

// TestReadForeign reads what the four tools really wrote.
func TestReadForeign(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		file, tool, variant string
		rows                []string // nil: no scores
		contexts            []int    // -1: not logged
	}{
		{"ragas.records.json", ToolRagas, "", ragasRows, []int{2, 1, 1, 0}},
		{"ragas.columns.json", ToolRagas, "", ragasRows, []int{2, 1, 1, 0}},
		{"ragas.jsonl", ToolRagas, "", ragasRows, []int{2, 1, 1, 0}},
		{"ragas.csv", ToolRagas, "", ragasRows, []int{2, 1, 1, 0}},
		{"ragas.index.csv", ToolRagas, "", ragasRows, []int{2, 1, 1, 0}},
		{"deepeval.testrun.json", ToolDeepEval, "", deepevalRows, []int{2, 1, 1, -1}},
		{"deepeval.result.json", ToolDeepEval, "", deepevalRows, []int{2, 1, 1, -1}},
		{"deepeval.alias.json", ToolDeepEval, "", deepevalRows, []int{2, 1, 1, -1}},
		{"deepeval.dataset.json", ToolDeepEval, "", nil, []int{2, 1, 1, 0}},
		{"deepeval.dataset.jsonl", ToolDeepEval, "", nil, []int{2, 1, 1, -1}},
		{"deepeval.dataset.csv", ToolDeepEval, "", nil, []int{2, 1, 1, -1}},
		{"promptfoo.json", ToolPromptfoo, "", promptfooRows, []int{2, 1, 1, 1}},
		{"promptfoo.jsonl", ToolPromptfoo, "", promptfooRows, []int{2, 1, 1, 1}},
		{"promptfoo.csv", ToolPromptfoo, "", promptfooRows, []int{1, 1, 1, 1}}, // its tables join the contexts with commas
		{"promptfoo.two.json", ToolPromptfoo, "bot-a", promptfooRows, []int{2, 1, 1, 1}},
		{"promptfoo.two.csv", ToolPromptfoo, "bot-a", promptfooRows, []int{1, 1, 1, 1}},
		{"ragchecker.inputs.json", ToolRAGChecker, "", nil, []int{2, 1, 1, 0}},
	} {
		t.Run(c.file+" "+c.variant, func(t *testing.T) {
			t.Parallel()
			f, err := ReadForeign(filepath.Join("testdata", "foreign", c.file), ForeignOptions{Variant: c.variant})
			if err != nil {
				t.Fatal(err)
			}
			if f.Tool != c.tool {
				t.Errorf("recognised as %s, want %s", f.Tool, c.tool)
			}
			for i, item := range f.Items {
				want := ""
				if c.rows != nil {
					want = c.rows[i]
				}
				fields := strings.SplitN(shown(item), "|", 6)
				got := ""
				if len(fields) == 6 {
					got = sortedParts(fields[5])
				}
				if d := cmp.Diff(sortedParts(want), got); d != "" {
					t.Errorf("row %d: %s", i+1, d)
				}
				contexts := len(item.Contexts)
				if item.Contexts == nil {
					contexts = -1
				}
				if contexts != c.contexts[i] {
					t.Errorf("row %d: %d contexts, want %d", i+1, contexts, c.contexts[i])
				}
			}
			wantWorld(t, f)
		})
	}
}

func sortedParts(s string) string {
	parts := strings.Split(s, "|")
	for i := range parts {
		for j := i; j > 0 && parts[j] < parts[j-1]; j-- {
			parts[j], parts[j-1] = parts[j-1], parts[j]
		}
	}
	return strings.Join(parts, "|")
}

// wantWorld checks questions, right answers and answers: testdata/foreign/world.py has them.
func wantWorld(t *testing.T, f *Foreign) {
	t.Helper()
	var got []string
	for _, item := range f.Items {
		got = append(got, item.Question+" / "+item.Reference)
	}
	want := []string{
		"How long may a parcel wait at the counter? / A parcel waits fourteen days, then it goes back to the sender.",
		"What does a lost key card cost? / A lost key card costs 25 euros.",
		"図書室は何時に閉まりますか。 / 図書室は午後八時に閉まります。",
		"May visitors park in the yard? / Visitors may park in the yard after six in the evening.",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if a := f.Items[2].Answer; a == nil || *a != "図書室は午後八時に閉まります。" {
		t.Errorf("the third answer is %v", a)
	}
	failed := f.Items[3].Answer == nil
	if failed != (f.Tool == ToolPromptfoo) {
		t.Errorf("the fourth row has an answer: %t", !failed)
	}
}

// TestReadForeignRAGChecker reads the scores of every question, not the percentages of the whole.
func TestReadForeignRAGChecker(t *testing.T) {
	t.Parallel()
	f, err := ReadForeign(filepath.Join("testdata", "foreign", "ragchecker.results.json"), ForeignOptions{})
	if err != nil {
		t.Fatal(err)
	}
	wantWorld(t, f)
	got := map[string][2]float64{}
	for _, m := range f.Metrics {
		lower := 0.0
		if m.Lower {
			lower = 1
		}
		sum := 0.0
		for _, item := range f.Items {
			for _, s := range item.Scores {
				if s.Metric == m.ID {
					sum += *s.Value
				}
			}
		}
		got[m.ID] = [2]float64{lower, sum / float64(len(f.Items)) * 100}
	}
	want := map[string][2]float64{ // the percentages that RAGChecker printed
		"ragchecker.precision": {0, 50}, "ragchecker.recall": {0, 50}, "ragchecker.f1": {0, 50}, "ragchecker.claim_recall": {0, 75},
		"ragchecker.context_precision": {0, 62.5}, "ragchecker.context_utilization": {0, 50},
		"ragchecker.noise_sensitivity_in_relevant":   {1, 0},
		"ragchecker.noise_sensitivity_in_irrelevant": {1, 0}, "ragchecker.hallucination": {1, 25}, "ragchecker.self_knowledge": {1, 0},
		"ragchecker.faithfulness": {0, 50},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if f.Items[0].ID != "k0" || f.Items[0].Contexts[1].DocID != "d0-1" {
		t.Errorf("ids are lost: %+v", f.Items[0])
	}
}

// TestReadForeignRefuses names what is wrong, with the way on.
func TestReadForeignRefuses(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, file, body, code, says string
		options                      ForeignOptions
	}{
		{"nobody's", "a.json", `{"x": 1}`, "results_unknown", "not recognised", ForeignOptions{}},
		{"broken", "a.json", `{"results": [`, "results_json", "cut off", ForeignOptions{}},
		{"tool", "a.json", `[]`, "results_tool", "braintrust", ForeignOptions{From: "braintrust"}},
		{"kind", "a.parquet", `x`, "results_file_kind", "kind", ForeignOptions{}},
		{"no answers", "a.jsonl", `{"user_input":"q","response":null,"faithfulness":1}`, "results_empty", "no answer", ForeignOptions{}},
		{"words for a score", "a.csv", "user_input,response,faithfulness\nq,a,1\nr,b,good\n", "results_rows", "no number",
			ForeignOptions{}},
		{"conversation", "a.jsonl", `{"user_input":[{"content":"hi"}],"response":"a"}`, "results_rows", "conversation", ForeignOptions{}},
		{"map", "a.csv", "user_input,response,faithfulness\nq,a,1\n", "results_column_unknown", "nothing",
			ForeignOptions{Columns: map[string]string{"nothing": "answer"}}},
		{"map field", "a.csv", "user_input,response,faithfulness\nq,a,1\n", "results_field_unknown", "score",
			ForeignOptions{Columns: map[string]string{"faithfulness": "score"}}},
		{"no column", "a.csv", "x,response,faithfulness\nq,a,1\n", "results_column_missing", "questions",
			ForeignOptions{From: ToolRagas}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := readForeign([]byte(c.body), c.file, c.options)
			p := problem.From(err)
			if err == nil || p.Code != c.code || !strings.Contains(p.Message, c.says) || p.Hint == "" {
				t.Errorf("got %q: %v (hint %q), want %s that says %q", p.Code, err, p.Hint, c.code, c.says)
			}
			evaltest.InJapanese(t, err)
		})
	}
	_, err := ReadForeign(filepath.Join("testdata", "foreign", "promptfoo.two.json"), ForeignOptions{})
	if p := problem.From(err); p.Code != "results_variants" || !strings.Contains(p.Message, "bot-b") {
		t.Errorf("two variants: %v", err)
	}
}

// TestForeignScales keeps scores on the scale they lie on.
func TestForeignScales(t *testing.T) {
	t.Parallel()
	body := "question,answer,faithfulness,rubrics_score,answer_similarity,length\nq,a,0.5,4,-0.1,250\nr,b,1,2,0.9,90\ns,c,,5,0.2,0.5\n"
	f, err := readForeign([]byte(body), "old.csv", ForeignOptions{Lower: []string{"length"}})
	if err != nil {
		t.Fatal(err)
	}
	want := []ForeignMetric{
		{ID: "ragas.faithfulness", Source: "faithfulness", Max: 1, Scored: 2, Missing: 1},
		{ID: "ragas.rubrics_score", Source: "rubrics_score", Min: 1, Max: 5, Scored: 3},
		{ID: "ragas.answer_similarity", Source: "answer_similarity", Min: -1, Max: 1, Scored: 3},
		{ID: "ragas.length", Source: "length", Max: 250, Scored: 3, Lower: true},
	}
	if d := cmp.Diff(want, f.Metrics); d != "" {
		t.Error(d)
	}
	for _, s := range f.Items[2].Scores {
		if s.Metric == "ragas.faithfulness" && (s.Value != nil || s.Missing != "import_nan") {
			t.Errorf("an empty cell became %+v", s)
		}
	}
}

// TestForeignLog matches results to a dataset that is there already.
func TestForeignLog(t *testing.T) {
	t.Parallel()
	f, err := ReadForeign(filepath.Join("testdata", "foreign", "ragas.csv"), ForeignOptions{})
	if err != nil {
		t.Fatal(err)
	}
	own := experiments.NewDataset("own", f.Questions())
	shuffled, err := ReadForeign(filepath.Join("testdata", "foreign", "deepeval.result.json"), ForeignOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(own, experiments.NewDataset("own", shuffled.Questions())); d != "" {
		t.Errorf("the same questions of two tools differ: %s", d)
	}
	log, missing, err := f.Log("bot", own)
	if err != nil || len(missing) > 0 || len(log.Answers) != 4 || len(log.Answers[0].Scores) != 4 {
		t.Fatalf("%d missing, %v", len(missing), err)
	}
	changed := f.Questions()
	changed[1].Reference = "A lost key card costs 30 euros."
	if _, _, err := f.Log("bot", experiments.NewDataset("own", changed)); problem.CodeOf(err) != "results_rows" ||
		!strings.Contains(err.Error(), "right answer") {
		t.Errorf("another right answer: %v", err)
	}
	if _, _, err := f.Log("bot", experiments.NewDataset("own", changed[2:])); problem.CodeOf(err) != "results_rows" {
		t.Errorf("a question that the dataset lacks: %v", err)
	}
}

// FuzzReadForeign never panics, and never takes for a number what is none.
func FuzzReadForeign(f *testing.F) {
	files, err := filepath.Glob(filepath.Join("testdata", "foreign", "*.*"))
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range files {
		raw, err := os.ReadFile(path) //nolint:gosec // our own test data
		if err != nil {
			f.Fatal(err)
		}
		f.Add(raw, filepath.Ext(path), "")
	}
	f.Fuzz(func(t *testing.T, raw []byte, ext, from string) {
		read, err := readForeign(raw, "results"+ext, ForeignOptions{From: from})
		if err != nil {
			if p := problem.From(err); p.Code == "internal" {
				t.Fatalf("not a problem for people: %v", err)
			}
			return
		}
		dataset := experiments.NewDataset("d", read.Questions())
		if _, _, err := read.Log("l", dataset); err != nil && problem.CodeOf(err) == "internal" {
			t.Fatal(err)
		}
		for _, item := range read.Items {
			for _, s := range item.Scores {
				if s.Value != nil && (*s.Value < s.Min || *s.Value > s.Max || *s.Value != *s.Value) {
					t.Fatalf("%s = %g lies outside %g to %g", s.Metric, *s.Value, s.Min, s.Max)
				}
				if s.Value == nil && s.Missing == "" {
					t.Fatal("a missing score without a name")
				}
			}
		}
	})
}
