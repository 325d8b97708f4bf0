package intake

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/text"
)

var (
	// choiceName is the name of a column with one of several choices: 選択肢A, Option 2.
	choiceName = text.Lazy(`(?i)^(選択肢|候補|肢|options?|choices?|antwort|answer|)[\s_(\[]*([a-hア-オ]|[1-9])[)\].]?$`)
	// choiceLabel is a right answer that only names choices: B, (2), A and C.
	choiceLabel = text.Lazy(`(?i)^(?:選択肢|options?|choices?)?\s*[(\[]?([a-hア-オ]|[1-9])[)\].]?$`)
	choiceGaps  = text.Lazy(`[,、，;・/+&\s]+|\band\b|と`)
)

// choices are the columns with the choices of a question, by their label; nil where the sheet has none, or where some right answer names
// none of them.
func (b *questionBuilder) choices() map[string]int {
	kinds := map[string]map[string]int{}
	reference := b.columns.at(FieldReference)
	for i, name := range b.table.Columns {
		m := choiceName.FindStringSubmatch(norm.NFKC.String(strings.TrimSpace(name)))
		if m == nil || i == reference || b.columns.fields[i] == fieldReferences || m[1] == "" && isNumber(m[2]) {
			continue
		}
		kind := strings.ToLower(m[1])
		if kinds[kind] == nil {
			kinds[kind] = map[string]int{}
		}
		kinds[kind][strings.ToLower(m[2])] = i
	}
	for _, labels := range kinds {
		if len(labels) > 1 && reference >= 0 && b.namesOnly(labels, reference) {
			return labels
		}
	}
	return nil
}

// namesOnly reports whether every right answer names one of the choices and says nothing else.
func (b *questionBuilder) namesOnly(labels map[string]int, reference int) bool {
	named := false
	for _, row := range b.table.Rows {
		s := b.cell(row, reference)
		if s == "" || saysUnanswerable(s) || isAwaited(s) {
			continue
		}
		if chosen(labels, s) == nil {
			return false
		}
		named = true
	}
	return named
}

// chosen are the columns that a right answer names; nil where it says something else.
func chosen(labels map[string]int, answer string) (columns []int) {
	for _, part := range choiceGaps.Split(norm.NFKC.String(strings.TrimSpace(answer)), -1) {
		m := choiceLabel.FindStringSubmatch(part)
		if m == nil {
			return nil
		}
		column, ok := labels[strings.ToLower(m[1])]
		if !ok || slices.Contains(columns, column) {
			return nil
		}
		columns = append(columns, column)
	}
	return columns
}

// choose puts what a choice says in the place of its label. Several that are right together are lines of one right answer.
func (b *questionBuilder) choose() {
	labels := b.choices()
	if labels == nil {
		return
	}
	reference := b.columns.at(FieldReference)
	for i, row := range b.table.Rows {
		var said []string
		for _, column := range chosen(labels, b.cell(row, reference)) {
			said = append(said, b.cell(row, column))
		}
		if len(said) == 0 || slices.Contains(said, "") {
			continue
		}
		cells := slices.Clone(row.cells)
		cells[reference] = strings.Join(said, "\n")
		b.table.Rows[i].cells = cells
		b.chose = append(b.chose, b.table.place(row.Number))
	}
}
