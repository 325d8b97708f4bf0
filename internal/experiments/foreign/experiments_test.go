package foreign

import (
	"github.com/rag-workbench/workbench/internal/problem"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/metrics"
)

// TestExperimentsOfLangSmithAndPhoenix: their tables are nobody else's, and hold the scores of evaluators.
func TestExperimentsOfLangSmithAndPhoenix(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ file, text, tool, row string }{
		"the page of LangSmith": {"a.csv", "inputs,reference_outputs,outputs,run,status,error,latency,tokens,correctness\n" +
			`"{""question"": ""Why?""}","{""answer"": ""So.""}","{""output"": ""Thus.""}",r1,success,,1.2,100,0.9` + "\n",
			ToolLangSmith, "|Why?|So.|none|Thus.|langsmith.correctness=0.9"},
		"to_pandas": {"a.csv", "inputs.question,outputs.answer,error,reference.answer,feedback.correctness,execution_time,example_id,id\n" +
			"Why?,Thus.,,So.,0.9,1.1,ex0,A0\n", ToolLangSmith, "ex0|Why?|So.|none|Thus.|langsmith.correctness=0.9"},
		"Phoenix by its API": {"a.json", `[{"example_id":"e","repetition_number":1,"input":{"question":"Why?"},"reference_output":` +
			`{"answer":"So."},"output":"Thus.","error":null,"latency_ms":1200,"annotations":[{"name":"correctness","score":0.9}]}]`,
			ToolPhoenix, "e|Why?|So.|none|Thus.|phoenix.correctness=0.9"},
		"traces of Langfuse": {"a.csv", "id,timestamp,name,userId,input,output,tags,scores,latency\n" +
			`t,2026-10-01T00:00:00Z,qa,u,Why?,Thus.,[],"{""correctness"": [0.9]}",1.2` + "\n",
			ToolLangfuse, "|Why?||none|Thus.|langfuse.correctness=0.9"},
	} {
		f, err := readForeign([]byte(c.text), c.file, ForeignOptions{})
		if err != nil || f.Tool != c.tool || shown(f.Items[0]) != c.row {
			t.Errorf("%s: %v %+v", name, err, f)
		}
	}
	f, err := readForeign([]byte("inputs,outputs,mark\nWhy?,Thus.,0.9\n"), "a.csv", ForeignOptions{})
	if err != nil || f.Tool != ToolTable { // everybody's names
		t.Errorf("weak marks: %v %+v", err, f)
	}
}

// TestNumbersAsSheetsWriteThem: percentages and commas are read where the whole column has them, and named where not.
func TestNumbersAsSheetsWriteThem(t *testing.T) {
	t.Parallel()
	head := "user_input,response,row_no,latency,score\n"
	for text, want := range map[string]string{"85%": "0.85", `"0,85"`: "0.85"} {
		f, err := readForeign([]byte(head+"A?,a,1,1.5,"+text+"\nB?,b,2,1.5,"+text+"\n"), "a.csv", ForeignOptions{})
		if err != nil || !strings.HasSuffix(shown(f.Items[0]), "ragas.score="+want) || !slices.Equal(f.Unread, []string{"row_no"}) {
			t.Errorf("%s: %v %+v", text, err, f)
		}
	}
	f, err := readForeign([]byte(head+"A?,a,1,1,85%\nB?,b,2,1,\"0,9\"\n"), "a.csv", ForeignOptions{})
	if err != nil || !slices.Contains(f.Unread, "score") || f.Forms[0].Form != "mixed" {
		t.Errorf("two forms: %v %+v", err, f)
	}
}

// readText reads a file with this text.
func readText(t *testing.T, name, body string) *Foreign {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	return readAnswering(t, path)
}

// readAnswering reads results, and says that more is better where that is asked.
func readAnswering(t *testing.T, path string) *Foreign {
	t.Helper()
	f, err := ReadForeign(path, ForeignOptions{})
	if problem.CodeOf(err) == "direction_unknown" {
		names, _ := problem.From(err).Params["metrics"].([]string)
		f, err = ReadForeign(path, ForeignOptions{Higher: names})
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// valuesOf are the scores of a metric, by item; a missing one as -1.
func valuesOf(f *Foreign, metric string) (out []float64) {
	for _, item := range f.Items {
		for _, s := range item.Scores {
			switch {
			case s.Metric != metric:
			case s.Value == nil:
				out = append(out, -1)
			default:
				out = append(out, *s.Value)
			}
		}
	}
	return out
}

// TestReadExperimentOfLangSmith as its SDK's table holds it: it is nobody else's, and its scores and right answers are read. Latency and
// tokens are no scores.
func TestReadExperimentOfLangSmith(t *testing.T) {
	t.Parallel()
	f := readText(t, "langsmith.csv", `inputs,reference_outputs,outputs,run,status,error,latency,tokens,correctness
"{""question"": ""How long?""}","{""answer"": ""Two days""}","{""output"": ""Two days.""}",r0,success,,1.2,100,0.9
"{""question"": ""How much?""}","{""answer"": ""Ten""}","{""output"": ""Nothing.""}",r1,success,,0.8,90,0.1
"{""question"": ""Who?""}","{""answer"": ""Nobody""}",,r2,error,timed out,,,
`)
	if f.Tool != ToolLangSmith || len(f.Items) != 3 || len(f.Metrics) != 1 {
		t.Fatalf("%d items of %s with %+v", len(f.Items), f.Tool, f.Metrics)
	}
	if diff := cmp.Diff([]float64{.9, .1}, valuesOf(f, "langsmith.correctness")[:2]); diff != "" {
		t.Error(diff)
	}
	first, last := f.Items[0], f.Items[2]
	if first.Question != "How long?" || first.Reference != "Two days" || first.Answer == nil || *first.Answer != "Two days." ||
		first.Measured == nil || first.Measured.LatencyMS != 1200 {
		t.Errorf("%+v", first)
	}
	if last.Answer != nil || last.Failure != "timed out" {
		t.Errorf("what failed: %+v", last)
	}
	if diff := cmp.Diff([]string{"latency", "tokens"}, f.Operation); diff != "" {
		t.Error(diff)
	}
}

// TestReadExperimentOfLangSmithsPage: columns of feedback, and others are no scores.
func TestReadExperimentOfLangSmithsPage(t *testing.T) {
	t.Parallel()
	f := readText(t, "page.csv", `inputs.question,outputs.output,reference.answer,feedback.correctness,rank,example_id
How long?,Two days.,Two days,1,3,e1
How much?,Nothing.,Ten,0,4,e2
`)
	if f.Tool != ToolLangSmith || !cmp.Equal(valuesOf(f, "langsmith.correctness"), []float64{1, 0}) || len(f.Metrics) != 1 ||
		f.Items[1].Reference != "Ten" || f.Items[1].ID != "e2" {
		t.Errorf("%s: %+v, %+v", f.Tool, f.Metrics, f.Items)
	}
	if diff := cmp.Diff([]string{"rank"}, f.Unread); diff != "" {
		t.Errorf("a number that is no score is not named: %s", diff)
	}
}

// TestReadExperimentOfPhoenixAsATable: a column for each evaluator, and what stands beside its score is none.
func TestReadExperimentOfPhoenixAsATable(t *testing.T) {
	t.Parallel()
	f := readText(t, "phoenix.csv",
		`example_id,repetition_number,input,reference_output,output,latency_ms,annotation_correctness_score,annotation_correctness_label
e1,1,"{""question"": ""How long?""}","{""answer"": ""Two days""}",Two days.,1200,1,correct
e2,1,"{""question"": ""How much?""}","{""answer"": ""Ten""}",Nothing.,800,0,incorrect
`)
	item := f.Items[0]
	if f.Tool != ToolPhoenix || len(f.Metrics) != 1 || !cmp.Equal(valuesOf(f, "phoenix.correctness"), []float64{1, 0}) ||
		item.ID != "e1" || item.Question != "How long?" || item.Reference != "Two days" || item.Answer == nil ||
		*item.Answer != "Two days." || item.Measured == nil || item.Measured.LatencyMS != 1200 {
		t.Errorf("%s: %+v, %+v", f.Tool, f.Metrics, item)
	}
}

// TestALeftOutScoreIsMissing: Langfuse writes no score where its evaluator failed, and DeepEval none of a metric that it did not measure.
// A score that few answers have is one that the tool gives to these alone.
func TestALeftOutScoreIsMissing(t *testing.T) {
	t.Parallel()
	var rows []string
	for i, scores := range []string{
		`[{"name": "correctness", "value": 1}]`, `[{"name": "correctness", "value": 0.5}, {"name": "refusal", "value": 1}]`,
		`[{"name": "correctness", "value": 0}]`, `[]`, `[{"name": "correctness", "value": 1}]`,
	} {
		rows = append(rows, `{"experimentItemId": "e`+string(rune('0'+i))+`", "input": {"question": "Question `+string(rune('0'+i))+
			`?"}, "output": "So.", "expectedOutput": "So", "scores": `+scores+`}`)
	}
	f := readText(t, "langfuse.json", "["+strings.Join(rows, ",")+"]")
	if f.Tool != ToolLangfuse || !cmp.Equal(valuesOf(f, "langfuse.correctness"), []float64{1, .5, 0, -1, 1}) {
		t.Fatalf("%s: %v", f.Tool, valuesOf(f, "langfuse.correctness"))
	}
	missing := map[string]int{}
	for _, m := range f.Metrics {
		missing[m.ID] = m.Missing
	}
	if diff := cmp.Diff(map[string]int{"langfuse.correctness": 1, "langfuse.refusal": 0}, missing); diff != "" {
		t.Error(diff)
	}
	if s := f.Items[3].Scores; len(s) != 1 || s[0].Missing != metrics.ImportAbsent {
		t.Errorf("%+v", s)
	}
	table := f.Scores()
	partial := func(metric string) bool { return table.Partial(slices.Index(table.Metrics, metric)) }
	if partial("langfuse.correctness") || !partial("langfuse.refusal") {
		t.Error("a score of few answers is taken for one of all, or the other way round")
	}
}
