package validation

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
)

// publishedCauses are the figures of the founding paper's tables 2 and 3: 50 WikiEval items for each fault, classified by one call.
// Only the rows of its four faults and of its two systems without one exist.
type publishedCauses struct {
	data      map[causes.DataCause]int
	component map[causes.Component]int // OtherCause for the paper's last column
}

func publishedCause(condition string) (publishedCauses, bool) {
	row := func(none, question, retrieval, generation, reference, no, database, retriever, model, prompt,
		other int) publishedCauses { //nolint:unparam // every column of the paper's tables, also the one that is 0 throughout
		return publishedCauses{
			map[causes.DataCause]int{causes.NoFaultData: none, causes.QuestionData: question, causes.RetrievalData: retrieval,
				causes.GenerationData: generation, causes.ReferenceData: reference},
			map[causes.Component]int{causes.NoFault: no, causes.Database: database, causes.Retriever: retriever,
				causes.GenerationModel: model, causes.SystemPrompt: prompt, causes.OtherCause: other},
		}
	}
	p, ok := map[string]publishedCauses{
		"ideal":               row(45, 0, 1, 4, 0, 49, 1, 0, 0, 0, 0),
		"standard":            row(30, 0, 2, 13, 5, 41, 3, 0, 0, 3, 3),
		"database_deleted":    row(2, 0, 48, 0, 0, 2, 40, 8, 0, 0, 0),
		"retriever_k":         row(1, 0, 48, 0, 1, 1, 0, 48, 0, 0, 1),
		"retriever_chunk":     row(1, 0, 48, 0, 1, 1, 0, 48, 0, 0, 1),
		"retriever_embedding": row(1, 0, 48, 0, 1, 1, 0, 48, 0, 0, 1),
		"generation_model":    row(10, 0, 1, 38, 1, 13, 2, 0, 35, 0, 0),
		"system_prompt":       row(1, 0, 0, 49, 0, 3, 0, 0, 10, 37, 0),
	}[condition]
	return p, ok
}

// paperItems is how many answers a row of the paper's tables has; ours are shown as if they had as many.
const paperItems = 50

// CauseTables writes rows as the founding paper's tables 2 and 3 in Markdown: what was found of the answers of each condition, as
// counts of 50, ours beside the paper's method with the same judge and beside the paper's published figures; in "en" or "ja".
func CauseTables(rows []CauseRow, lang string) string {
	l := tableWords(lang)
	var b strings.Builder
	for _, group := range grouped(rows) {
		first := group[0]
		title := l.of("%s, judge %s", l.of(first.Material), l.of(first.Judge))
		if first.Judge == "scripted" {
			title += l.of(" with %g%% of its calls wrong", 100*first.Noise)
			if first.Lasting > 0 {
				title += l.of(", %g%% of the errors in every vote alike", 100*first.Lasting)
			}
		}
		fmt.Fprintf(&b, "## %s\n\n%s", title, l.of("Counts of %d answers. In brackets: the paper's one call on the same answers with the same "+
			"judge / the paper's published figure.\n", paperItems))
		for _, t := range []struct {
			title string
			write func(*strings.Builder, tableWords, []CauseRow)
		}{
			{"Data level (the paper's table 2)", dataTable}, {"Component level (the paper's table 3)", componentTable},
			{"What was expected, and the repairs", expectedTable},
		} {
			fmt.Fprintf(&b, "\n### %s\n\n", l.of(t.title))
			t.write(&b, l, group)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// grouped are the rows of each material, judge and noise, in their order.
func grouped(rows []CauseRow) [][]CauseRow {
	var out [][]CauseRow
	for _, r := range rows {
		i := slices.IndexFunc(out, func(g []CauseRow) bool {
			return g[0].Material == r.Material && g[0].Judge == r.Judge && g[0].Noise == r.Noise && g[0].Lasting == r.Lasting
		})
		if i < 0 {
			out = append(out, nil)
			i = len(out) - 1
		}
		out[i] = append(out[i], r)
	}
	return out
}

func dataTable(b *strings.Builder, l tableWords, rows []CauseRow) {
	columns := []causes.DataCause{causes.NoFaultData, causes.QuestionData, causes.RetrievalData, causes.GenerationData,
		causes.ReferenceData, causes.UndeterminedData}
	heads := l.named("condition", "n")
	for _, c := range columns {
		heads = append(heads, l.cause("data", string(c)))
	}
	header(b, heads)
	for _, r := range rows {
		p, known := publishedCause(r.Condition)
		cells := []string{r.Condition, strconv.Itoa(r.N)}
		for _, c := range columns {
			var here *int
			if r.Control != nil {
				n := r.Control.DataLevel[c]
				here = &n
			}
			cells = append(cells, confusionCell(r.DataLevel[c], r.N, here, p.data[c], known))
		}
		line(b, cells)
	}
}

// tableComponents are the columns of the component table. Every cause without a column is counted in the last one.
var tableComponents = []causes.Component{causes.NoFault, causes.Database, causes.Retriever, causes.GenerationModel, causes.SystemPrompt,
	causes.SearchQuery, causes.PostProcessing, causes.ReferenceText, causes.QuestionText, causes.Unstable}

func componentTable(b *strings.Builder, l tableWords, rows []CauseRow) {
	heads := l.named("condition", "n")
	for _, c := range tableComponents {
		heads = append(heads, l.cause("component", string(c)))
	}
	header(b, append(heads, l.cause("component", string(causes.OtherCause))))
	for _, r := range rows {
		p, known := publishedCause(r.Condition)
		cells := []string{r.Condition, strconv.Itoa(r.N)}
		rest, restHere := r.N, 0
		if r.Control != nil {
			restHere = r.N
		}
		cell := func(n int, here int, published int) {
			var control *int
			if r.Control != nil {
				control = &here
			}
			cells = append(cells, confusionCell(n, r.N, control, published, known))
		}
		for _, c := range tableComponents {
			here := 0
			if r.Control != nil {
				here = r.Control.ComponentLevel[c]
			}
			rest, restHere = rest-r.ComponentLevel[c], restHere-here
			cell(r.ComponentLevel[c], here, p.component[c])
		}
		cell(rest, restHere, p.component[causes.OtherCause])
		line(b, cells)
	}
}

// confusionCell is "47.4 (40 / 40)"; zeros are left out so that the eye finds what counts.
func confusionCell(n, of int, control *int, published int, known bool) string {
	if of == 0 {
		return "-"
	}
	text := of50(n, of)
	var more []string
	if control != nil {
		more = append(more, of50(*control, of))
	}
	if known {
		more = append(more, strconv.Itoa(published))
	}
	if n == 0 && (control == nil || *control == 0) && published == 0 {
		return "·"
	}
	if len(more) == 0 {
		return text
	}
	return text + " (" + strings.Join(more, " / ") + ")"
}

// of50 is a count as if there were 50 answers, "-" when there is none.
func of50(n, of int) string {
	if of == 0 {
		return "-"
	}
	return short(paperItems * float64(n) / float64(of))
}

// short is a count with one decimal where it has one.
func short(v float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") }

func expectedTable(b *strings.Builder, l tableWords, rows []CauseRow) {
	header(b, l.named("condition", "expected", "ours, of 50", "one call here", "published", "really wrong, of 50", "ours of really wrong",
		"one call of really wrong", "both faults named", "named repairs that restore the answer", "calls", "calls per low answer"))
	for _, r := range rows {
		w := r.ReallyWrong
		here, hereWrong, published, bothFound := "-", "-", "-", "-"
		if r.Control != nil {
			here, hereWrong = of50(r.Control.Right, r.N), ratio(r.Control.WrongRight, w.N)
		}
		if p, ok := publishedCause(r.Condition); ok {
			published = strconv.Itoa(p.component[causes.Component(r.Expected)])
		}
		if strings.Contains(r.Expected, "+") {
			bothFound = l.of("%s, of really wrong %s", ratio(r.Both, r.N), ratio(w.Both, w.N))
		}
		repaired := "-"
		if r.Repairs.Named > 0 {
			repaired = l.of("%s of %d", ratio(r.Repairs.Restored, r.Repairs.Named), r.Repairs.Named)
		}
		line(b, []string{
			r.Condition, l.expected(r.Expected), of50(r.Right, r.N), here, published, of50(w.N, r.N), ratio(w.Right, w.N), hereWrong,
			bothFound, repaired, short(r.Calls), short(r.LowCalls),
		})
	}
}

func ratio(n, of int) string {
	if of == 0 {
		return "-"
	}
	return fmt.Sprintf("%.2f", float64(n)/float64(of))
}

func header(b *strings.Builder, cells []string) {
	line(b, cells)
	rule := make([]string, len(cells))
	for i := range rule {
		rule[i] = "---"
	}
	line(b, rule)
}

func line(b *strings.Builder, cells []string) {
	b.WriteString("| " + strings.Join(cells, " | ") + " |\n")
}
