package foreign

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/problem"
)

// promptfooFile writes results of these prompts, two questions each, whose scores are the place of the prompt; drop names keys that the
// file lacks.
func promptfooFile(t *testing.T, kind string, prompts []string, drop ...string) string {
	t.Helper()
	var rows []any
	for test := range 2 {
		for place, prompt := range prompts {
			question := fmt.Sprintf("What is thing %d?", test)
			row := map[string]any{"promptIdx": place, "testIdx": test, "promptId": fmt.Sprintf("id of %s", prompt), "success": true,
				"provider": map[string]any{"id": "openai:gpt-4.1", "label": ""}, "vars": map[string]any{"question": question},
				"prompt": map[string]any{"label": prompt, "raw": prompt + question}, "namedScores": map[string]any{},
				"response": map[string]any{"output": "An answer."}, "score": float64(place), "gradingResult": nil}
			for _, key := range drop {
				delete(row, key)
			}
			rows = append(rows, row)
		}
	}
	path := filepath.Join(t.TempDir(), "r.json")
	var body []byte
	var err error
	switch kind {
	case "eval":
		body, err = json.Marshal(map[string]any{"evalId": "e", "results": map[string]any{"version": 3, "results": rows}})
	case "summary":
		body, err = json.Marshal(map[string]any{"version": 3, "results": rows, "stats": nil})
	case "list":
		body, err = json.Marshal(rows)
	case "lines":
		path += "l"
		for _, row := range rows {
			line, _ := json.Marshal(row)
			body = append(append(body, line...), '\n')
		}
	}
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, body, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestPromptsThatBeginAlikeAreTwoVariants: whatever numbers a file of promptfoo lacks, and however late two prompts part, each is read by
// itself, by the flag that the refusal names.
func TestPromptsThatBeginAlikeAreTwoVariants(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("You answer from the documents alone. ", 9)
	for _, prompts := range [][]string{
		{long + "Be brief.", long + "Be thorough."}, {long, long + "Be thorough."}, {"Brief.", "Thorough."},
		{long + "Be brief." + long, long + "Be kind." + long, "Answer:"},
	} {
		for _, drop := range [][]string{nil, {"promptIdx"}, {"promptIdx", "testIdx", "promptId"}, {"promptId", "gradingResult"}} {
			for _, kind := range []string{"eval", "summary", "list", "lines"} {
				path := promptfooFile(t, kind, prompts, drop...)
				_, err := ReadForeign(path, ForeignOptions{})
				p := problem.From(err)
				if err == nil || p.Code != "results_variants" {
					t.Fatalf("%q without %q as %s: %v", prompts, drop, kind, err)
				}
				for place, name := range p.Params["variants"].([]string) {
					if !strings.Contains(p.Hint, fmt.Sprintf("--variant %q", name)) {
						t.Errorf("%q is not in %s", name, p.Hint)
					}
					f, err := ReadForeign(path, ForeignOptions{Variant: name})
					if err != nil || len(f.Items) != 2 {
						t.Fatalf("%q: %+v %v", name, f, err)
					}
					for _, item := range f.Items {
						if *item.Scores[0].Value != float64(place) {
							t.Errorf("%q of %q without %q as %s: %+v", name, prompts, drop, kind, item.Scores)
						}
					}
				}
			}
		}
	}
}

// TestOnePromptTwiceIsTwoVariants: one prompt with one provider, configured in two ways, is told apart by its place alone; where a file
// lacks that, its rows are votes.
func TestOnePromptTwiceIsTwoVariants(t *testing.T) {
	t.Parallel()
	path := promptfooFile(t, "eval", []string{"Answer.", "Answer."})
	_, err := ReadForeign(path, ForeignOptions{})
	if p := problem.From(err); err == nil || p.Code != "results_variants" || !strings.Contains(p.Message, "#2") {
		t.Fatalf("%v", err)
	}
	f, err := ReadForeign(path, ForeignOptions{Variant: "#2"})
	if err != nil || *f.Items[1].Scores[0].Value != 1 {
		t.Errorf("%+v %v", f, err)
	}
	table := filepath.Join(t.TempDir(), "r.csv")
	body := "question,[p] Answer.,Status,Score,Named Scores,Grader Reason,[p] Answer.,Status,Score,Named Scores,Grader Reason\n" +
		"Pets?,No.,FAIL,0,{},,Yes.,PASS,1,{},\n"
	if err := os.WriteFile(table, []byte(body), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]float64{"[p] Answer.": 0, "#2": 1} {
		f, err := ReadForeign(table, ForeignOptions{Variant: name})
		if err != nil || *f.Items[0].Scores[0].Value != want {
			t.Errorf("%s: %+v %v", name, f, err)
		}
	}
}
