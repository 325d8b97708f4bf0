package notebooks

import (
	"context"
	"strings"

	"github.com/rag-workbench/workbench/internal/charts"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/notebooks/sqlbox"
)

// tabled computes a table cell.
func (n *Notebook) tabled(ctx context.Context, v *View, c *document.Cell) (any, error) {
	name, _, _ := strings.Cut(document.TextOf(c.Values["of"]), ".")
	t, rows, err := n.tableOf(ctx, v, name)
	if err != nil {
		return nil, err
	}
	out := document.Tabled{Filter: document.TextOf(c.Values["filter"]), Sort: []string{}, Words: calledIn(t, rows),
		Run: n.runOf(v.Cell(name).Value)}
	if x, is := v.Cell(name).Value.(document.Rows); is {
		out.Texts = x.Texts
	}
	if sql, _, _ := c.Statement(); sql != "" {
		got, err := n.asked(ctx, v, c, Question{SQL: sql, Rows: document.MostRows})
		if err != nil {
			return nil, err
		}
		rows, out.Texts = got.Rows, out.Texts || got.Texts
	}
	if pivot, is := c.Values["pivot"].(map[string]any); is {
		if err = out.PivotBy(t, rows, pivot, document.TextOf(c.Values["total"])); err == nil {
			out.Across.Of = name
		}
	} else {
		err = out.Plain(t, rows, c)
	}
	if err == nil {
		err = out.SortBy(document.TextsOf(c.Values["sort"]))
	}
	if err != nil {
		return nil, n.placed(c, err)
	}
	limit := document.UsualRows
	if c.Values["limit"] != nil {
		limit = int(document.NumberOf(c.Values["limit"]))
	}
	if limit < 1 || limit > document.MostRows {
		return nil, n.placed(c, document.Outside("limit", limit, document.RowsAllowed))
	}
	out.Total = len(out.Rows)
	out.Rows = out.Rows[:min(limit, out.Total)]
	out.Count = len(out.Rows)
	return out, nil
}

// runOf is the one run whose questions a value lists; "" where it does not say.
func (n *Notebook) runOf(value any) string {
	switch x := value.(type) {
	case document.Comparison:
		return x.Candidate.ID
	case document.Failures:
		return x.Run.ID
	case document.CauseSet:
		return x.RunID
	}
	return ""
}

// verdictWords are the words of comparisons.
var verdictWords = map[string]charts.Words{
	"worse": {EN: "worse", JA: "悪化"}, "mixed": {EN: "mixed", JA: "一長一短"}, "needs_check": {EN: "needs check", JA: "要確認"},
	"better": {EN: "better", JA: "改善"}, "same": {EN: "no change", JA: "変化なし"}, "met": {EN: "met", JA: "達成"},
	"missed": {EN: "missed", JA: "未達"},
}

// calledIn are the texts of a table that have a name in two languages: verdicts, and metrics.
func calledIn(t sqlbox.Table, rows [][]any) map[string]charts.Words {
	var out map[string]charts.Words
	for i, c := range t.Columns {
		if c.Name != "verdict" && c.Name != "metric" && c.Name != "state" {
			continue
		}
		for _, row := range rows {
			s, _ := row[i].(string)
			w, known := verdictWords[s]
			if c.Name == "metric" {
				w = charts.Words(document.ColumnTitle(s))
				known = w.JA != ""
			}
			if known {
				if out == nil {
					out = map[string]charts.Words{}
				}
				out[s] = w
			}
		}
	}
	return out
}

// tabled shows a table cell in reading mode: at most so many rows, with the count of the rest.
func (p *ReadingBlock) tabled(x document.Tabled, lang string) {
	p.Table = &Table{Head: []string{}}
	for _, c := range x.Columns {
		p.Table.Head = append(p.Table.Head, c.Title.In(lang))
	}
	line := func(row []any) []string {
		out := make([]string, len(row))
		for i, v := range row {
			out[i] = document.Cut(x.ShownIn(x.Columns[i], v, lang))
		}
		return out
	}
	for _, row := range x.Rows[:min(mostRead, len(x.Rows))] {
		p.Table.Rows = append(p.Table.Rows, line(row))
	}
	if x.Totals != nil {
		last := line(x.Totals)
		for i, v := range x.Totals {
			if v == nil {
				last[i] = ""
			}
		}
		last[0] = strings.TrimSpace(say(lang, "All ", "全体 ") + last[0])
		p.Table.Rows = append(p.Table.Rows, last)
	}
	if left := x.Total - min(mostRead, len(x.Rows)); left > 0 {
		p.Text = say(lang, document.Thousands(left)+" more rows are not shown.", "ほか"+document.Thousands(left)+"行は表示していません。")
	}
}
