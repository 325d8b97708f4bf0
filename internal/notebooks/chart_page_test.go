package notebooks

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"os"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/rag-workbench/workbench/internal/charts"
)

// TestAnExportedChartHasTheNumbersOfThePage (spec notebook2.md 8, row 8): the table behind every golden plan, read back from the exported
// page, has the digest to which golden.test.ts holds the browser and plan_book_test.go the workbook.
func TestAnExportedChartHasTheNumbersOfThePage(t *testing.T) {
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
	for _, c := range cases {
		for _, lang := range []string{"en", "ja"} {
			shown, cut := exported(t, c.Plan, lang)
			if sum := tableSum(shown); !cut && sum != c.Tables[lang] {
				t.Errorf("%s, %s: the exported page has another table than the browser: %s, %s", c.Name, lang, sum, c.Tables[lang])
			}
		}
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
