package foreign

import (
	"slices"
	"strings"
	"testing"
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
	_, err := readForeign([]byte("inputs,outputs,mark\nWhy?,Thus.,0.9\n"), "a.csv", ForeignOptions{})
	if err == nil || !strings.Contains(err.Error(), "inputs, outputs, mark") {
		t.Errorf("weak marks: %v", err)
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
