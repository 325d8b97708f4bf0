package experiments

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
)

const own = `
name: faq
corpus: manual
dataset: faq-153
suite: [trust, hit]
metrics:
  - id: politeness
    kind: rubric
    title: Politeness
    instruction: How polite is the answer?
    levels: {1: rude, 3: plain, 5: polite}
  - more.yaml
judge:
  provider: openai
  model: gpt-4.1
  prompts: {verify: verify.md, trust.ja: "日本語で評価してください。"}
goals: [{metric: politeness, target: 4}]
`

func ownFolder(t *testing.T, more string) string {
	t.Helper()
	dir := t.TempDir()
	for name, body := range map[string]string{"more.yaml": more, "verify.md": "Check it.\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(body), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestOwnMetrics(t *testing.T) {
	t.Parallel()
	for name, more := range map[string]string{
		"one definition": "id: promises\nkind: critic\ninstruction: It promises something.\nlower_is_better: true\n",
		"a list":         "- {id: promises, kind: critic, instruction: It promises something., lower_is_better: true}\n",
		"under metrics":  "metrics:\n  - {id: promises, kind: critic, instruction: It promises something., lower_is_better: true}\n",
	} {
		d, err := ParseDefinition([]byte(own), ownFolder(t, more))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want := []metrics.Custom{
			{ID: "politeness", Kind: "rubric", Title: "Politeness", Instruction: "How polite is the answer?",
				Levels: map[int]string{1: "rude", 3: "plain", 5: "polite"}},
			{ID: "promises", Kind: "critic", Instruction: "It promises something.", LowerIsBetter: true},
		}
		if diff := cmp.Diff(want, d.Metrics); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
		if diff := cmp.Diff(map[string]string{"verify": "Check it.\n", "trust.ja": "日本語で評価してください。"}, d.Judge.Prompts); diff != "" {
			t.Errorf("%s: prompts (-want +got):\n%s", name, diff)
		}
		specs, err := d.Specs()
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, s := range specs {
			ids = append(ids, s.ID)
			if _, same := s.Current(); !same {
				t.Errorf("%s %s would not be resumed by this program", s.ID, s.Version)
			}
		}
		if got := strings.Join(ids, " "); got != "trust hit politeness promises" {
			t.Errorf("%s: metrics %s", name, got)
		}
		if !strings.Contains(specs[0].Version, "+") || strings.Contains(specs[1].Version, "+") {
			t.Errorf("versions %s and %s with other prompts", specs[0].Version, specs[1].Version)
		}
	}
}

func TestOwnMetricsAreChecked(t *testing.T) {
	t.Parallel()
	const good = "id: promises\nkind: critic\ninstruction: It promises something.\n"
	cases := []struct{ name, from, to, more, says string }{
		{"a level in words", "1: rude", "low: rude", good, "metrics"},
		{"an unknown field", "title: Politeness", "titel: Politeness", good, "titel"},
		{"one of our ids", "id: politeness", "id: trust", good, "metrics (entry 1).id"},
		{"no kind", "kind: rubric", "kind: \"\"", good, "metrics (entry 1).kind"},
		{"twice the same id", "id: politeness", "id: promises", good, "metrics (entry 2).id"},
		{"a file that is not there", "more.yaml", "other.yaml", good, "other.yaml"},
		{"a file that names a file", "more.yaml", "more.yaml", "[more.yaml]", "no further file"},
		{"a file that is no YAML", "more.yaml", "more.yaml", "a: [", "line"},
		{"a file of numbers", "more.yaml", "more.yaml", "17", "metrics"},
		{"a goal on nothing", "metric: politeness,", "metric: kindness,", good, "goals (entry 1).metric"},
		{"an unknown prompt", "prompts: {verify:", "prompts: {verfy:", good, "verfy"},
		{"a prompt file that is not there", "verify.md", "nowhere.md", good, "nowhere.md"},
		{"an empty prompt", "verify.md", "\"  \"", good, "verify"},
	}
	for _, c := range cases {
		if !strings.Contains(own, c.from) {
			t.Fatalf("%s: the file has no %q", c.name, c.from)
		}
		_, err := ParseDefinition([]byte(strings.Replace(own, c.from, c.to, 1)), ownFolder(t, c.more))
		if p := problem.From(err); err == nil || p.Kind != problem.Invalid || !strings.Contains(err.Error()+p.Hint, c.says) {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}
