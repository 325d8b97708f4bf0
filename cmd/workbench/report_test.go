package main

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

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

// closing is standard output that is written to once the database is closed, so that what that held is free.
type closing struct {
	bytes.Buffer
	t *testing.T
	p *program.Program
}

func (c *closing) Write(b []byte) (int, error) {
	if c.p.Opened != nil {
		c.t.Error("the database is open while the report is written")
	}
	return c.Buffer.Write(b)
}

func TestAReportIsWrittenOnceTheDatabaseIsClosed(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("run", "{}/closed.yaml")
	p := program.Program{Getenv: func(string) string { return "" }, Now: func() time.Time { return today }, Stderr: &bytes.Buffer{}}
	out := &closing{t: t, p: &p}
	p.Stdout = out
	code := run(t.Context(), &p, []string{"--data", b.path("data"), "report", "closed", "--format", "md", "-o", "-"})
	if code != program.ExitDone || out.Len() == 0 {
		t.Errorf("exit %d, %d bytes: %s", code, out.Len(), p.Stderr)
	}
}
