package studies

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
)

// TestAPageIsAsFreshAsItWasRun: what an execution shows is what the page shows afterwards, every cell of it fresh, though a comparison
// stands above the diagnosis that it tells of, and a change that is applied tells the diagnosis above it what came of it.
func TestAPageIsAsFreshAsItWasRun(t *testing.T) {
	t.Parallel()
	w := apptest.NewWorld(t, "")
	body := strings.NewReplacer("judge: {provider: openai, model: gpt-test}\n", "", "provider: openai, model: gpt-test",
		"provider: offline, model: extractive").Replace(applying)
	body = strings.Replace(body, "```rag cause why", "```rag config more\nextends: base\nretrieve: {mode: dense, k: 2}\n```\n"+
		"```rag run s\nconfigs: more\ndataset: qa\n```\n```rag compare c\nbaseline: s\ncandidate: r\n```\n```rag cause why", 1)
	n := notebook(w, t, body)
	shown, err := n.Run(t.Context(), notebooks.Options{Approve: yes})
	if err != nil {
		t.Fatal(err)
	}
	after, err := notebook(w, t, "").Evaluate(t.Context(), false)
	if err != nil {
		t.Fatal(err)
	}
	if _, made := after.Cell("fix").Value.(document.Comparison); !made {
		t.Fatalf("nothing was applied: %+v", after.Cell("fix"))
	}
	for i, c := range after.Cells {
		if c.State != notebooks.Fresh {
			t.Errorf("%s is %s: %v", c.Name, c.State, c.Why)
		}
		was, _ := json.Marshal(shown.Cells[i].Value)
		is, _ := json.Marshal(c.Value)
		if string(was) != string(is) {
			t.Errorf("%s was shown as\n%s\nand is\n%s", c.Name, was, is)
		}
	}
}
