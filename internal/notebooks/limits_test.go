package notebooks

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"reflect"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
)

// asked notes by which limits an engine was asked for a release check.
type asked struct {
	*bench
	gate, compared, written *document.Limits
}

func (a asked) Gate(ctx context.Context, baseline, candidate string, l document.Limits) (document.Verdict, error) {
	*a.gate = l
	return a.bench.Gate(ctx, baseline, candidate, l)
}

func (a asked) Compare(ctx context.Context, baseline, candidate string, l document.Limits) (document.Comparison, error) {
	*a.compared = l
	return a.bench.Compare(ctx, baseline, candidate, l)
}

func (a asked) WriteReport(ctx context.Context, r document.Report, plans []spreadsheet.NamedPlan, lang string, w io.Writer) error {
	*a.written = r.Limits
	return a.bench.WriteReport(ctx, r, plans, lang, w)
}

// TestAReportCellTakesTheLimitsOfAGateCell: whatever limits both cells have, what the gate decides by, what the report says and the
// workbook that is written of it go by the same, and each says which cell set them; a report about one run alone takes none.
func TestAReportCellTakesTheLimitsOfAGateCell(t *testing.T) {
	t.Parallel()
	for mix := range 8 {
		fields, want := "", experiments.Limits{}
		if mix&1 > 0 {
			fields, want.Min = fields+"min: ['correctness >= 4', 'trust >= 3']\n", []string{"correctness >= 4", "trust >= 3"}
		}
		if mix&2 > 0 {
			fields, want.Margin = fields+"margin: 0.1\n", new(.1)
		}
		if mix&4 > 0 {
			fields, want.Allowance = fields+"allowance: 0.5\n", new(.5)
		}
		for cell, body := range map[string]string{"gate": "of: c\n", "report": "of: run:b\nbaseline: run:a\n"} {
			a := asked{newBench(), &document.Limits{}, &document.Limits{}, &document.Limits{}}
			text := "---\nragnb: 1\n---\n```rag compare c\nbaseline: run:a\ncandidate: run:b\n```\n" +
				fmt.Sprintf("```rag %s mine\n%s%s```\n", cell, body, fields)
			n := opened(t, a.bench, text)
			n.Engine = a
			v := run(t, n)
			got := a.gate
			if cell == "report" {
				got = a.compared
				if err := n.WriteXLSX(t.Context(), v, "en", &bytes.Buffer{}); err != nil {
					t.Fatal(err)
				}
				if !reflect.DeepEqual(*a.written, *a.compared) {
					t.Errorf("%q: the workbook goes by %+v, the cell by %+v", fields, *a.written, *a.compared)
				}
			}
			if len(got.Min) == 0 {
				got.Min = nil
			}
			if !reflect.DeepEqual(got.Limits, want) || got.Cell != "mine" {
				t.Errorf("%s with %q: %+v, want %+v", cell, fields, got, want)
			}
		}
		alone := opened(t, newBench(), "---\nragnb: 1\n---\n```rag report mine\nof: run:b\n"+fields+"```\n")
		view, err := alone.Run(t.Context(), Options{Approve: approve})
		if err != nil {
			t.Fatal(err)
		}
		if p := view.Cell("mine").Error; (p != nil) != (mix > 0) || p != nil && !strings.Contains(p.Message, "limits are about two runs") {
			t.Errorf("a report about one run with %q: %v", fields, p)
		}
	}
}

// TestACellTakesTheLimitsThatACommandTakes: margins from above 0 to below 1, allowances from 0 to 1, thresholds that are written as such;
// what is refused is told as elsewhere, at the line of its field.
func TestACellTakesTheLimitsThatACommandTakes(t *testing.T) {
	t.Parallel()
	taken := 0
	for _, x := range []float64{-0.1, 0, 1e-9, 0.05, 0.999, 1, 1.5} {
		for field, limits := range map[string]experiments.Limits{
			"margin": {Margin: &x}, "allowance": {Allowance: &x}, "min": {Min: []string{fmt.Sprint("correctness ", x)}},
		} {
			value := fmt.Sprint(x)
			if field == "min" {
				value = "['" + limits.Min[0] + "']"
			}
			_, want := compare.RulesOf(limits, compare.Setter{})
			source := "---\nragnb: 1\n---\n```rag compare c\nbaseline: run:a\ncandidate: run:b\n```\n```rag gate g\nof: c\n" +
				field + ": " + value + "\n```\n"
			if field == "min" && want != nil { // known before anything is computed
				_, err := document.Parse("study.rag.md", []byte(source))
				if p := problem.From(err); p == nil || p.Code != problem.From(want).Code || p.Params["line"] != 10 ||
					p.Params["field"] != field {
					t.Errorf("%s: %v", value, err)
				}
				continue
			}
			n := opened(t, newBench(), source)
			v, err := n.Run(t.Context(), Options{Approve: approve})
			if err != nil {
				t.Fatal(err)
			}
			switch p := v.Cell("g").Error; {
			case want == nil && p == nil:
				taken++
			case want == nil || p == nil:
				t.Errorf("%s %s: the cell says %v, a command %v", field, value, p, want)
			case p.Code != problem.CodeOf(want) || !strings.Contains(p.Message, problem.From(want).Message) || p.Params["line"] != 10:
				t.Errorf("%s %s: the cell says %+v, a command %v", field, value, p, want)
			}
		}
	}
	if taken != 3+5 {
		t.Errorf("%d were taken", taken)
	}
}
