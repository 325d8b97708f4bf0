package foreign

import (
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/text"
)

// Names of the two columns of a table that holds one score in each row: what was measured, and the score.
var (
	metricNames = []string{"metric", "metrics", "metric_name", "evaluator", "evaluator_name", "scorer", "criterion", "criteria", "metrik",
		"kriterium", "métrique", "critère", "métrica", "criterio", "metrica", "指标", "指標", "指標名", "評価指標", "メトリクス",
		"評価項目", "評価観点", "観点"}
	valueNames = []string{"score", "value", "metric_value", "rating", "result", "wert", "punkte", "bewertung", "valeur", "valor",
		"puntuación", "valore", "punteggio", "得分", "分数", "スコア", "得点", "点数", "評点", "値", "評価", "評価値", "採点",
		"採点結果"}
)

// mostLongMetrics bounds the metrics that a column of names may hold: more are words of another kind.
const mostLongMetrics = 60

// longForm is a table that holds one score in each row.
type longForm struct {
	metric, value int // columns
	names         []string
}

// longFormOf tells whether each row of a table is one score of one metric: a column names metrics, at least half of the questions stand
// under two or more of these names, and one column is called as scores are. Rows of one question are no votes then: what is better in one
// metric may be worse in another.
func longFormOf(t *intake.Table, known int) *longForm {
	column := func(names []string) int {
		return slices.IndexFunc(t.Columns, func(c string) bool { return slices.Contains(names, intake.ColumnKey(c)) })
	}
	l := &longForm{metric: column(metricNames), value: column(valueNames)}
	if l.metric < 0 || l.value < 0 || l.metric == l.value || known < 0 {
		return nil
	}
	measured := map[string]map[string]bool{}
	for _, row := range t.Rows {
		name, id := l.nameOf(row), text.Fold(wordsOf(row.Cell(known)))
		if name == "" || id == "" {
			continue
		}
		if !slices.Contains(l.names, name) {
			l.names = append(l.names, name)
		}
		if measured[id] == nil {
			measured[id] = map[string]bool{}
		}
		measured[id][name] = true
		if len(l.names) > mostLongMetrics {
			return nil
		}
	}
	several := 0
	for _, names := range measured {
		if len(names) > 1 {
			several++
		}
	}
	if several == 0 || 2*several < len(measured) {
		return nil
	}
	return l
}

// nameOf is the metric of a row.
func (l *longForm) nameOf(row intake.TableRow) string { return Wording(wordsOf(row.Cell(l.metric))) }

// wordsOf is the text of a cell; "" where it has none.
func wordsOf(v any) string {
	s, err := intake.CellText(v)
	if err != nil {
		return ""
	}
	return s
}

// takeLong makes the names in the column of metrics the metrics of the table, where it has one.
func (b *scoreBuilder) takeLong() {
	known := b.at[scoreID]
	if known < 0 {
		known = b.at[scoreQuestion]
	}
	if b.long = longFormOf(b.source, known); b.long == nil {
		return
	}
	if !b.isMetric(b.long.value, b.source.Columns[b.long.value]) {
		b.long = nil
		return
	}
	for range b.long.names {
		b.columns = append(b.columns, []int{b.long.value})
	}
	b.out.Metrics = b.long.names
	list, ja := inShort(b.long.names)
	told := text.Say("each row is one score: the column %[1]q says of which metric (%[2]s)",
		"1行が1つのスコアです。列「%[1]s」が指標を示します（%[3]s）", b.source.Columns[b.long.metric], list, ja)
	b.out.Notes, b.out.Sheet = append(b.out.Notes, told.EN), append(b.out.Sheet, told)
}

// lane is which of the table's metrics a row holds in a long form; 0 in any other, where it holds all.
func (b *scoreBuilder) lane(row intake.TableRow) int {
	if b.long == nil {
		return 0
	}
	return slices.Index(b.long.names, b.long.nameOf(row))
}

// questionColumn is the column of a table that says what was asked; -1 without one.
func questionColumn(t *intake.Table, o ForeignOptions) int {
	mapped := slices.IndexFunc(t.Columns, func(c string) bool { return o.Columns[c] == intake.FieldQuestion })
	if at := intake.QuestionAmong(t.Columns); mapped < 0 && at >= 0 && o.Columns[t.Columns[at]] == "" {
		return at
	}
	return mapped
}
