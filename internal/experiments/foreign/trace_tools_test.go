package foreign

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReadTracesOfTools reads what MLflow 3.17.2, Phoenix 20.26.1 and the SDK of LangSmith 0.15.0 wrote of one pipeline.
func TestReadTracesOfTools(t *testing.T) {
	t.Parallel()
	for file, tool := range map[string]string{"mlflow.traces.json": ToolMLflowTraces, "phoenix.spans.json": ToolPhoenix,
		"phoenix.frame.json": ToolPhoenix, "langsmith.runs.jsonl": ToolLangSmith} {
		f := traced(t, file, ForeignOptions{})
		want := []string{
			"How long may a parcel wait at the counter?|It waits fourteen days and is then sent back.|" +
				"Parcels wait at the counter for fourteen days. After that they return to the sender. + The counter opens at nine.",
			"What does a lost key card cost?|A new key card is free of charge.|" +
				"Replacing a lost key card costs 25 euros, a broken one nothing.",
			"図書室は何時に閉まりますか。|図書室は午後八時に閉まります。|図書室の利用時間は午前九時から午後八時までです。",
			`May visitors park in the yard?|The documents do not say, "perhaps".|`,
			"Who answers the phone?|!429 too many requests|",
		}
		if tool == ToolPhoenix {
			want = slices.Insert(want, 4, "Which counter is open on Sunday?|The north counter.|The north counter opens on Sundays.")
		}
		var got []string
		for _, item := range f.Items {
			said := "!" + item.Failure
			if item.Answer != nil {
				said = *item.Answer
			}
			if strings.Contains(said, "429 too many requests") {
				said = "!429 too many requests" // each tool says it in its way
			}
			texts := []string{}
			for _, c := range item.Contexts {
				texts = append(texts, c.Text)
			}
			got = append(got, item.Question+"|"+said+"|"+strings.Join(texts, " + "))
		}
		if d := cmp.Diff(want, got); d != "" || f.Tool != tool {
			t.Errorf("%s of %s: %s", file, f.Tool, d)
		}
		if id := f.Items[1].Contexts[0].DocID; id == "" {
			t.Errorf("%s: the context is of no document", file)
		}
	}
}

// What is no span is passed over and named; a table of MLflow's traces holds them as texts.
func TestTracesOfToolsThatAreDamaged(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile(filepath.Join("testdata", "foreign", "langsmith.runs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	f, err := readForeign(append([]byte(string(raw)+`{"run_type":"chain"}`+"\n"+`{"id":"x"}`), '\n'), "runs.jsonl", ForeignOptions{})
	lines := strings.Count(string(raw), "\n")
	if want := "2 rows of runs.jsonl without ids of a trace and a span passed over: line "; err != nil || len(f.Items) != 5 ||
		!strings.HasPrefix(f.Notes[0], want) || lines < 10 {
		t.Errorf("%v, %v", err, f.Notes)
	}
	if raw, err = os.ReadFile(filepath.Join("testdata", "foreign", "mlflow.traces.json")); err != nil {
		t.Fatal(err)
	}
	var list []json.RawMessage
	if err := json.Unmarshal(raw, &list); err != nil {
		t.Fatal(err)
	}
	rows := mapped(list, func(one json.RawMessage) map[string]any {
		return map[string]any{"trace_id": "x", "request": "r", "response": "a", "trace": string(one)}
	})
	table, err := json.Marshal(rows)
	if err != nil {
		t.Fatal(err)
	}
	if f, err := readForeign(table, "traces.json", ForeignOptions{}); err != nil || f.Tool != ToolMLflowTraces || len(f.Items) != 5 {
		t.Errorf("a table of traces: %v, %+v", err, f)
	}
	one, err := readForeign(list[0], "trace.json", ForeignOptions{})
	if err != nil || len(one.Items) != 1 || one.Items[0].Answer == nil {
		t.Errorf("one trace alone: %v, %+v", err, one)
	}
}
