package notebooks

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/notebooks/sqlbox"
)

// exportedForJupyter is a notebook as Jupyter reads it.
func exportedForJupyter(t *testing.T, n *Notebook, lang string) (raw []byte, cells []jupyterCell) {
	t.Helper()
	var out bytes.Buffer
	if err := n.WriteIPYNB(t.Context(), run(t, n), lang, &out); err != nil {
		t.Fatal(err)
	}
	var book jupyter
	if err := json.Unmarshal(out.Bytes(), &book); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), book.Cells
}

// jupyterStudy has every value that is exported: runs, causes, low scores, a comparison, a query and charts.
const jupyterStudy = shownText + "```rag query cells\nsql: |\n  SELECT '=1+1, \"<b>\"' AS what, 0.5 AS share, NULL AS empty\n```\n"

// TestANotebookOpensInJupyter checks the exported file against the schema of nbformat 4.5, which is kept in testdata (of the Jupyter
// project, with its licence), and runs its code cell in Python where there is one: tables come out as they went in, whatever letters
// are in them.
func TestANotebookOpensInJupyter(t *testing.T) {
	t.Parallel()
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join("testdata", "nbformat.v4.5.schema.json"))
	if err != nil {
		t.Fatal(err)
	}
	for _, lang := range []string{"en", "ja"} {
		raw, cells := exportedForJupyter(t, opened(t, newBench(), jupyterStudy), lang)
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			t.Fatal(err)
		}
		if err := schema.Validate(doc); err != nil {
			t.Errorf("%s: %v", lang, err)
		}
		code := cells[len(cells)-1]
		if code.Type != "code" || len(code.Outputs) == 0 {
			t.Fatalf("the last cell is %s with %d outputs", code.Type, len(code.Outputs))
		}
		for _, o := range code.Outputs {
			wellFormed(t, strings.Join(o.Data["image/svg+xml"], ""))
		}
		var prose strings.Builder
		for _, c := range cells[:len(cells)-1] {
			prose.WriteString(strings.Join(c.Source, "") + "\n")
		}
		for _, never := range []string{"<script", "{{", "rag run"} {
			if strings.Contains(prose.String(), never) {
				t.Errorf("%s: the text holds %q", lang, never)
			}
		}
		if want := map[string]string{"en": "correctness +0.75", "ja": "改善: **"}[lang]; !strings.Contains(prose.String(), want) {
			t.Errorf("%s: the text does not hold %q: %s", lang, want, prose.String())
		}
		python(t, strings.Join(code.Source, ""))
	}
}

// wellFormed fails unless a text is XML with a namespace and without scripts.
func wellFormed(t *testing.T, svg string) {
	t.Helper()
	if !strings.HasPrefix(svg, `<svg xmlns="http://www.w3.org/2000/svg" `) || strings.Contains(svg, "<script") {
		t.Errorf("no picture that stands alone: %.80s", svg)
	}
	d := xml.NewDecoder(strings.NewReader(svg))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			t.Error(err)
			return
		}
	}
}

// python runs the code of an exported notebook without pandas and looks at two tables.
func python(t *testing.T, code string) {
	t.Helper()
	program, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("there is no python3: the code of the exported notebook is not run")
	}
	path := filepath.Join(t.TempDir(), "cell.py")
	asked := "import sys\nsys.modules['pandas'] = None\n" + code +
		"\nimport json\nprint(json.dumps([tables['cells'], len(tables['r1']), sorted(tables)]))\n"
	if err := os.WriteFile(path, []byte(asked), 0o600); err != nil {
		t.Fatal(err)
	}
	said, err := exec.CommandContext(t.Context(), program, "-I", path).CombinedOutput() //nolint:gosec // our own code
	want := `[[{"what": "=1+1, \"<b>\"", "share": "0.5", "empty": ""}], 1, ["c", "causes", "cells", "low", "r0", "r1", "why"]]`
	if got := strings.TrimSpace(string(said)); err != nil || got != want {
		t.Errorf("%v: the tables are %s, not %s", err, got, want)
	}
}

// TestALongTableIsCutInJupyter: a table of more than 1 MiB keeps its first rows and says how many it had.
func TestALongTableIsCutInJupyter(t *testing.T) {
	t.Parallel()
	c := newTableCode("en")
	rows := document.Rows{Columns: []sqlbox.Column{{Name: "text"}}}
	for range 3000 {
		rows.Rows = append(rows.Rows, []any{strings.Repeat("あ", 200)})
	}
	if err := c.add("long", rows.Table("long")); err != nil {
		t.Fatal(err)
	}
	if s := c.String(); !strings.Contains(s, "# the first 1744 of 3000 rows") || len(s) > mostCSV*11/10 {
		t.Errorf("%d bytes: …%s", len(s), s[len(s)-80:])
	}
}
