package spreadsheet

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

	"github.com/rag-workbench/workbench/internal/charts"
)

// TestChartsInAWorkbookHaveTheNumbersOfThePlan: every golden plan, which the page and the HTML export are held to as well.
func TestChartsInAWorkbookHaveTheNumbersOfThePlan(t *testing.T) {
	t.Parallel()
	body, err := os.ReadFile("../../charts/testdata/plans.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name string       `json:"name"`
		Plan *charts.Plan `json:"plan"`
		// by language: the digest of the table that the page and the exported page show
		Tables map[string]string `json:"tables"`
	}
	if err := json.Unmarshal(body, &cases); err != nil || len(cases) < 40 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	native := 0
	for _, c := range cases {
		var out bytes.Buffer
		if err := WriteCharts(&out, "ja", []NamedPlan{{"chart: 1", c.Plan}}); err != nil {
			t.Errorf("%s: %v", c.Name, err)
			continue
		}
		f, err := excelize.OpenReader(&out)
		if err != nil {
			t.Fatal(err)
		}
		_, drawn := f.Pkg.Load("xl/charts/chart1.xml")
		if drawn {
			native++
		}
		if want := c.Plan.Mark != charts.Box && c.Plan.Mark != charts.Heat && c.Plan.Mark != charts.Rule &&
			c.Plan.Mark != charts.Label && c.Plan.Mark != charts.Bubble && c.Plan.Mark != charts.Flow &&
			c.Plan.Mark != charts.Over; drawn != want {
			t.Errorf("%s: a native chart: %v", c.Name, drawn)
		}
		if sum := tableSum(f, "図 chart_ 1", c.Plan, "ja"); sum != c.Tables["ja"] {
			t.Errorf("%s: the sheet shows another table than the page: %s, %s", c.Name, sum, c.Tables["ja"])
		}
		for i, row := range c.Plan.Rows {
			for k, v := range row {
				got, err := f.GetCellValue("図 chart_ 1", CellName(k+1, planFirst+i), excelize.Options{RawCellValue: true})
				if err != nil {
					t.Fatal(err)
				}
				want := ""
				switch x := v.(type) {
				case string:
					if want = x; c.Plan.Words[x].JA != "" {
						want = c.Plan.Words[x].JA
					}
				case float64:
					want = strconv.FormatFloat(x, 'f', -1, 64)
				}
				if got != want {
					t.Errorf("%s: row %d has %q, the plan %q", c.Name, i, got, want)
				}
			}
		}
	}
	if native < 25 {
		t.Errorf("%d native charts", native)
	}
}

// tableSum is the digest of a sheet's rows below the plan's head, numbers as people read them: what the golden plans have of the page's
// tables.
func tableSum(f *excelize.File, sheet string, p *charts.Plan, lang string) string {
	var lines []string
	for i := -1; i < len(p.Rows); i++ {
		var cells []string
		for k, h := range p.Head {
			cell, err := f.GetCellValue(sheet, CellName(k+1, planFirst+i), excelize.Options{RawCellValue: true})
			if v, number := strconv.ParseFloat(cell, 64); number == nil && i >= 0 && h.Number {
				cell = h.Shown(v)
			}
			if cells = append(cells, cell); err != nil || cell == "" {
				cells[k] = "–"
			}
		}
		lines = append(lines, strings.Join(cells, "|"))
	}
	sum := fnv.New32a()
	_, _ = sum.Write([]byte(strings.Join(lines, "\n"))) // a hash takes everything
	return fmt.Sprintf("%08x", sum.Sum32())
}
