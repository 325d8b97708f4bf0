package intake

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// FieldUnanswerable is what a column can be mapped to whose yes means that the documents hold no answer: it is answerable, turned round.
const FieldUnanswerable = "unanswerable"

// Words that say by themselves whether there is an answer, in whatever column they stand.
var (
	answerableWords = []string{"可", "可能", "回答可", "回答可能", "回答できる", "答えあり", "対象", "対象内", "範囲内",
		"answerable", "in scope"}
	deniedWords = []string{"不可", "不可能", "不能", "回答不可", "回答不能", "回答不可能", "回答できない", "答えなし",
		"対象外", "範囲外", "回答対象外", "スコープ外", "該当なし", "記載なし",
		"unanswerable", "not answerable", "no answer", "out of scope", "out-of-scope", "oos", "n/a", "not in the documents"}
)

// answers reads whether the documents answer a question. inverted is a column whose yes means that they do not; a blank cell of either
// kind is an answer.
func answers(v any, inverted bool) (bool, error) {
	if s, err := CellText(v); err == nil && s != "" {
		switch word := strings.ToLower(norm.NFKC.String(s)); {
		case slices.Contains(answerableWords, word):
			return true, nil
		case slices.Contains(deniedWords, word):
			return false, nil
		}
	}
	yes, err := CellBool(v, !inverted)
	return yes != inverted, err
}

func (r *rowReader) answerable() bool {
	yes, err := answers(r.value(fieldAnswerable), r.b.columns.inverted)
	if err != nil {
		r.fault(r.named(fieldAnswerable), "%v", err)
	}
	if !yes {
		r.b.denied++
	}
	return yes
}

// unanswerable takes the column that says of which questions the documents hold no answer, where none says of which they do.
func (g *guesser) unanswerable() {
	for i, kind := range g.names {
		if kind == kindUnanswerable && g.m.at(fieldAnswerable) < 0 && g.free(i) && g.t.answersAll(i) {
			g.m.set(i, fieldAnswerable)
			g.m.inverted = true
		}
	}
}

// answersAll reports whether every cell of a column says whether there is an answer, and some cell that there is none: where all that are
// filled hold ×, nobody knows whether that marks the question or denies what the column is called.
func (t *Table) answersAll(column int) bool {
	said := false
	for _, row := range t.Rows {
		if s, err := CellText(row.Cell(column)); err == nil && s == "" {
			continue
		}
		yes, err := answers(row.Cell(column), true)
		if err != nil {
			return false
		}
		said = said || !yes
	}
	return said
}

// unanswerableNames takes such a column of a file whose columns programs name.
func (m *ColumnMap) unanswerableNames(t *Table, keys []string) {
	for i := range keys {
		if !t.isSheet() && m.at(fieldAnswerable) < 0 && m.fields[i] == "" && unansweredName(t.Columns[i]) &&
			t.answersAll(i) {
			m.set(i, fieldAnswerable)
			m.inverted = true
		}
	}
}
