package main

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

// TestValidateCauses plays one corpus of the made-up world and reads the rows as a script would.
func TestValidateCauses(t *testing.T) {
	t.Parallel()
	b := newBench(t)
	args := []string{"validate", "causes", "--batches", "1", "--noise", "0,5", "--condition", "database_deleted", "--condition",
		"retriever_k+system_prompt"}
	o := b.must(args...)
	for _, want := range []string{"## synthetic, judge scripted with 5% of its calls wrong", "| database_deleted | 50 |",
		"the paper's table 3", "| retriever+system_prompt |"} {
		if !strings.Contains(o.stdout, want) {
			t.Errorf("no %q in:\n%s", want, o.stdout)
		}
	}
	if !strings.Contains(o.stderr, "1/2 database_deleted") {
		t.Errorf("no progress: %s", o.stderr)
	}
	var rows []struct {
		Condition string         `json:"condition"`
		N         int            `json:"n"`
		Expected  string         `json:"expected"`
		Data      map[string]int `json:"data_level"`
		Component map[string]int `json:"component_level"`
		Calls     float64        `json:"calls_per_question"`
		Noise     float64        `json:"noise"`
	}
	one := b.must(append(args, "--json", "--quiet")...)
	decode(t, one, &rows)
	if one.stderr != "" || len(rows) != 4 {
		t.Fatalf("%d rows, and --quiet says %q", len(rows), one.stderr)
	}
	for _, r := range rows {
		if r.N != 50 || r.Calls < 5 || r.Data["retrieval"] < 40 || r.Component[strings.Split(r.Expected, "+")[0]] < 40 {
			t.Errorf("%+v", r)
		}
	}
	if rows[0].Expected != "database" || rows[2].Condition != "database_deleted" || rows[2].Noise != .05 {
		t.Errorf("%+v", rows)
	}
	for _, wrong := range [][]string{
		{"--batches", "-1"},
		{"--noise", "60"},
		{"--condition", "moon"},
		{"--judge", "offline"},
		{"--budget", "3"},
		{"--lasting", "200"},
		{"--items", "{}/nowhere"},
		{"--items", "{}/docs", "--unlabelled"},
	} {
		if o := b.run(append([]string{"validate", "causes"}, wrong...)...); o.code != program.ExitUsage ||
			!strings.Contains(o.stderr, "hint:") {
			t.Errorf("%v: exit %d\n%s", wrong, o.code, o.stderr)
		}
	}
}

// TestValidateCausesOfOwnText has the offline judge find documents that were taken away.
func TestValidateCausesOfOwnText(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	o := b.run("validate", "causes", "--items", "faq", "--corpus", "faq", "--judge", "offline", "--condition",
		"database_deleted", "--misses")
	if o.code != program.ExitDone || !strings.Contains(o.stdout, "## faq, judge offline/lexical") ||
		!strings.Contains(o.stdout, "| database_deleted |") {
		t.Errorf("exit %d\n%s%s", o.code, o.stdout, o.stderr)
	}
}
