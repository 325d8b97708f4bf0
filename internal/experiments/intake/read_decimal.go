package intake

import (
	"strings"
	"sync"

	"github.com/rag-workbench/workbench/internal/text"
)

// Numbers that leave no doubt about what stands before their decimals. Three digits behind it may be thousands.
var (
	decimalComma = text.Lazy(`^[-+]?(?:\d+,(?:\d{1,2}|\d{4,})|0,\d+|[1-9]\d{0,2}(?:\.\d{3})+,\d+|[1-9]\d{0,2}(?: \d{3})+,\d+)\s*%?$`)
	decimalPoint = text.Lazy(`^[-+]?(?:\d+\.(?:\d{1,2}|\d{4,})|0\.\d+|[1-9]\d{0,2}(?:,\d{3})+\.\d+)\s*%?$`)
	anyNumber    = text.Lazy(`^[-+]?\d[\d., '’]*\s*%?$`)
)

// Decimal is what stands before the decimals in a table: '.' or ',' where columns of numbers leave no doubt; ',' too where nothing speaks
// against it and semicolons part the columns, as spreadsheet programs write them where the comma is taken; else 0.
func (t *Table) Decimal() rune {
	if t.decimal == nil {
		t.decimal = sync.OnceValue(t.tellDecimal)
	}
	return t.decimal()
}

func (t *Table) tellDecimal() rune {
	comma, point := false, false
	for i := range t.Columns {
		ofColumn := [2]bool{}
		for _, row := range t.Rows {
			s, isText := row.Cell(i).(string)
			if _, figure := row.figures[i]; figure || !isText {
				continue
			}
			if s = strings.TrimSpace(s); s == "" {
				continue
			}
			if len(s) > 24 || !anyNumber.MatchString(s) { // days, chapters and addresses say nothing of scores
				ofColumn = [2]bool{}
				break
			}
			ofColumn[0] = ofColumn[0] || decimalComma.MatchString(s)
			ofColumn[1] = ofColumn[1] || decimalPoint.MatchString(s)
		}
		comma, point = comma || ofColumn[0], point || ofColumn[1]
	}
	switch {
	case comma && !point, !comma && !point && t.parted == ';':
		return ','
	case point && !comma:
		return '.'
	}
	return 0
}
