package notebooks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
	"golang.org/x/net/html"

	"github.com/rag-workbench/workbench/internal/charts"
	"github.com/rag-workbench/workbench/internal/reports"
)

// TestAPlanHasTheSameNumbersInThreePlaces (spec notebook2.md 8, row 8): the table behind every golden plan as the exported page and the
// workbook hold it, read back from both, is the one whose digest the tests of the page (golden.test.ts) hold the browser's to.
func TestAPlanHasTheSameNumbersInThreePlaces(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile("../charts/testdata/plans.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name   string            `json:"name"`
		Plan   *charts.Plan      `json:"plan"`
		Tables map[string]string `json:"tables"`
	}
	if err := json.Unmarshal(body, &cases); err != nil || len(cases) < 40 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	numbers := 0
	for _, c := range cases {
		for _, lang := range []string{"en", "ja"} {
			shown, cut := exported(t, c.Plan, lang)
			if sum := tableSum(shown); !cut && sum != c.Tables[lang] {
				t.Errorf("%s, %s: the exported page has another table than the browser: %s, %s", c.Name, lang, sum, c.Tables[lang])
			}
			booked := inWorkbook(t, c.Plan, lang, len(shown)-1)
			for i, row := range shown[1:] {
				for k, want := range row {
					got := booked[i][k]
					if v, err := strconv.ParseFloat(got, 64); err == nil && c.Plan.Head[k].Number {
						got = c.Plan.Head[k].Shown(v)
						numbers++
					}
					if got == "" {
						got = "–"
					}
					if got != want {
						t.Errorf("%s, %s: row %d, %s: %q in the workbook, %q on the page", c.Name, lang, i, shown[0][k], got, want)
					}
				}
			}
		}
	}
	if numbers < 500 {
		t.Errorf("only %d numbers were compared", numbers)
	}
}

// exported is the table behind a plan as WriteHTML's template has it, its head first; cut says that rows were left out.
func exported(t *testing.T, p *charts.Plan, lang string) (table [][]string, cut bool) {
	t.Helper()
	drawn := chartPartOf(p, lang)
	var out bytes.Buffer
	if err := pageTemplate().Execute(&out, page{Lang: lang, Parts: []part{{Name: "c", Chart: drawn}}}); err != nil {
		t.Fatal(err)
	}
	root, err := html.Parse(&out)
	if err != nil {
		t.Fatal(err)
	}
	for n := range root.Descendants() {
		switch {
		case n.Type == html.ElementNode && n.Data == "tr":
			table = append(table, nil)
		case n.Type == html.ElementNode && (n.Data == "td" || n.Data == "th"):
			text := ""
			if n.FirstChild != nil {
				text = n.FirstChild.Data
			}
			table[len(table)-1] = append(table[len(table)-1], text)
		}
	}
	if len(table) == 0 || len(table[0]) != len(p.Head) {
		t.Fatalf("the exported page has no table with the plan's columns: %v", table)
	}
	return table, drawn.Rest != ""
}

// inWorkbook are the first rows behind a plan as the workbook holds them.
func inWorkbook(t *testing.T, p *charts.Plan, lang string, rows int) [][]string {
	t.Helper()
	var out bytes.Buffer
	if err := reports.WriteCharts(&out, lang, []reports.NamedPlan{{Name: "c", Plan: p}}); err != nil {
		t.Fatal(err)
	}
	f, err := excelize.OpenReader(&out)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	sheet := f.GetSheetName(0)
	all, err := f.GetRows(sheet, excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	var head []string
	for _, h := range p.Head {
		head = append(head, h.Title.In(lang))
	}
	for at, row := range all {
		if len(row) < len(head) || strings.Join(row[:len(head)], "|") != strings.Join(head, "|") {
			continue
		}
		found := make([][]string, rows)
		for i := range found {
			found[i] = make([]string, len(head))
			if at+1+i < len(all) {
				copy(found[i], all[at+1+i])
			}
		}
		return found
	}
	t.Fatalf("the sheet has no row %v", head)
	return nil
}

// tableSum is the digest that the golden plans have of their tables.
func tableSum(table [][]string) string {
	lines := make([]string, len(table))
	for i, row := range table {
		lines[i] = strings.Join(row, "|")
	}
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(strings.Join(lines, "\n"))) // a hash takes everything
	return fmt.Sprintf("%08x", sum.Sum32())
}
