package intake

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// A file may have as many columns as allowed and very many rows with one value each. Rows must not grow with the columns.
func TestRowsHoldOnlyTheirCells(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range MaxDatasetColumns - 1 {
		fmt.Fprintf(&b, "{\"question\":\"a\",\"k%d\":%d}\n", i, i)
	}
	table, err := ReadTable([]byte(b.String()), "q.jsonl", "", &RowFaults{File: "q.jsonl"})
	if err != nil {
		t.Fatal(err)
	}
	for i, row := range table.Rows {
		if len(row.cells) != 2 || row.Cell(0) != "a" || row.Cell(i+1) != json.Number(strconv.Itoa(i)) || row.Cell(i+2) != nil {
			t.Fatalf("row %d is %+v", i, row)
		}
	}
	b.WriteString("{\"question\":\"a\",\"one more\":1}\n")
	_, _, err = read("q.jsonl", b.String(), nil, nil)
	if p := problem.From(err); p == nil || p.Code != "dataset_too_wide" ||
		p.Message != "the objects in q.jsonl have more than 1000 different keys" {
		t.Errorf("got %v", err)
	}
}

func TestOneColumnNamedTwice(t *testing.T) {
	t.Parallel()
	d, _, err := read("q.jsonl", `{"b":"x","inputs.question":"first","inputs":{"question":"second"},"a":"y"}`, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if q := d.Questions[0]; q.Text != "second" || !cmp.Equal(q.Metadata, map[string]string{"a": "y", "b": "x"}) {
		t.Errorf("question %+v", q)
	}
}

func TestTextsAreBounded(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("x", experiments.MaxCellBytes+1)
	cases := []struct{ name, line, field, say string }{
		{"question", `{"question":"` + long + `"}`, "question", "a text of 1025 KiB"},
		{"reference", `{"question":"a","reference":"` + long + `"}`, "reference", "a text of 1025 KiB"},
		{"metadata", `{"question":"a","note":"` + long + `"}`, "note", "a text of 1025 KiB"},
		{"quote with a place", `{"question":"a","evidence":[{"doc_id":"d","start":0,"end":1,"quote":"` + long + `"}]}`, "evidence",
			"a text of 1025 KiB"},
		{"NUL in a quote with a place", `{"question":"a","evidence":[{"doc_id":"d","start":0,"end":1,"quote":"\u0000"}]}`,
			"evidence", "U+0000"},
		{"NUL in the name of a column", `{"question":"a","b\u0000":"c"}`, "metadata", "U+0000"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, _, err := read("q.jsonl", c.line, nil, nil)
			if got := rowProblems(t, err); len(got) != 1 || got[0].Field != c.field || !strings.Contains(got[0].Message, c.say) {
				t.Errorf("problems %.300v, want one in %s saying %q", got, c.field, c.say)
			}
		})
	}
	if _, _, err := read("q.jsonl", `{"question":"`+long[1:]+`"}`, nil, nil); err != nil {
		t.Errorf("a text at the bound: %v", err)
	}
}

// The parts of a workbook are counted before an object is made of each.
func TestWorkbookWithTooManyParts(t *testing.T) {
	t.Parallel()
	raw := append([]byte("PK\x03\x04"), bytes.Repeat([]byte("PK\x01\x02"), maxParts+1)...)
	if err := checkWorkbook(raw); err == nil || !strings.Contains(err.Error(), "more than 10000 parts") {
		t.Errorf("got %v", err)
	}
}

func TestDefinitionBounds(t *testing.T) {
	t.Parallel()
	const head = "name: a\ncorpus: c\ndataset: d\n"
	var nested strings.Builder
	nested.WriteString(head + "judge:\n  a0: &a0 {x: y}\n")
	for i := range 30 {
		fmt.Fprintf(&nested, "  a%d: &a%d {x: [*a%d, *a%d, *a%d]}\n", i+1, i+1, i, i, i)
	}
	cases := []struct{ name, body, code, say string }{
		{"references to references", nested.String(), "experiment_yaml", "stands for more than 100000 values"},
		{"NUL in notes", head + `notes: "a\0b"`, "experiment_yaml", "U+0000"},
		{"NUL in a tag", head + `tags: [a, "b\x00"]`, "experiment_yaml", "U+0000"},
		{"NUL in the configuration", head + `base: {generate: {model: "a\0"}}`, "experiment_yaml", "U+0000"},
		{"brackets never closed", head + "base: " + strings.Repeat("[", 100_000), "experiment_yaml", "line 4: lists or objects"},
		{"objects never closed", head + "base:\n" + strings.Repeat("  {a:\n", 1000), "experiment_yaml", "line 69: lists or objects"},
		{"lists in lists", head + "base:\n  " + strings.Repeat("- ", 100_000), "experiment_yaml", "line 5: lists or objects"},
		{"keys in keys", head + strings.Repeat("? ", 1000), "experiment_yaml", "line 4: lists or objects"},
		{"too large", head + "notes: " + strings.Repeat("x", experiments.MaxDefinitionBytes), "file_too_large", "256 KiB"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(t.TempDir(), "e.yaml")
			if err := os.WriteFile(file, []byte(c.body), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := experiments.ReadDefinition(file)
			if p := problem.From(err); p == nil || p.Code != c.code || !strings.Contains(p.Message, c.say) ||
				!strings.Contains(p.Message, file) || p.Hint == "" {
				t.Errorf("got %v (%s), want %s saying %q", err, problem.CodeOf(err), c.code, c.say)
			}
		})
	}
	if _, err := experiments.ParseDefinition([]byte(head+"notes: \x83\x65\n"), ""); problem.CodeOf(err) != "experiment_yaml" {
		t.Errorf("bytes that are not UTF-8: %v", err)
	}
	for _, body := range []string{"base: {retrieve: &r {k: 4}}\nsweep: {retrieve.k: [3, 4]}\n", "notes: |\n  " + strings.Repeat("-", 200) +
		"\n  " + strings.Repeat("[x] ", 200) + "\n"} {
		if _, err := experiments.ParseDefinition([]byte(head+body), ""); err != nil {
			t.Errorf("an ordinary file: %v", err)
		}
	}
}
