package main

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

// Every format is written under the name that its ending or --format says, and nothing else is.
func TestReportFormats(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("run", "{}/sweep.yaml", "{}/closed.yaml")
	for _, c := range []struct {
		args  []string
		file  string
		holds string
	}{
		{[]string{"-o", "{}/a.html", "--lang", "both"}, "a.html", `<article lang="ja">`},
		{[]string{"-o", "{}/a.csv"}, "a.csv", "\uFEFFrun_id,question_id,"},
		{[]string{"-o", "{}/a.jsonl"}, "a.jsonl", `{"run_id":"`},
		{[]string{"-o", "{}/a.txt", "--format", "md"}, "a.txt", "## What fails most"},
		{[]string{"-o", "{}/A.XLSX"}, "A.XLSX", "PK"},
	} {
		b.must(append([]string{"report", "faq", "closed"}, c.args...)...)
		body, err := os.ReadFile(b.path(c.file))
		if err != nil || !strings.Contains(string(body), c.holds) {
			t.Errorf("%v: %v, %.60q", c.args, err, body)
		}
	}
	if o := b.must("report", "faq", "closed", "--format", "md", "-o", "-"); !strings.HasPrefix(o.stdout, "# closed") {
		t.Errorf("standard output is %.60q", o.stdout)
	}
	var told map[string]string
	if err := json.Unmarshal([]byte(b.must("report", "closed", "--json", "-o", "{}/b.html").stdout), &told); err != nil ||
		told["format"] != "html" {
		t.Errorf("as JSON: %v, %v", told, err)
	}
	for _, args := range [][]string{{"report", "a", "b", "c"}, {"report", "a", "b", "--baseline", "c"},
		{"report", "closed", "--format", "pdf"}, {"report", "closed", "-o", "{}/report"}} {
		if o := b.run(args...); o.code != program.ExitUsage {
			t.Errorf("%v: exit %d, %s", args, o.code, o.stderr)
		}
	}
}
