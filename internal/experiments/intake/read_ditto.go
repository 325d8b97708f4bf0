package intake

import (
	"maps"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/text"
)

var (
	// dittos are what people write for "the same as in the cell above".
	dittos = text.Lazy(`(?i)^[(【\[]?(?:同上|〃|′′|"|''|↑|(?:上(?:記)?|前(?:の)?行)(?:と|に)(?:同じ|同様)(?:です)?|` +
		`same as (?:the )?(?:above|row above|previous)|ditto|as above)[)】\]]?[。.]?$`)
	// sameAs names the number of the question whose cell is meant.
	sameAs = text.Lazy(`(?i)^(?:no\.?|#|q|問|質問)?\s*([0-9]{1,6})\s*(?:番)?(?:と|に)(?:同じ|同様)(?:です)?[。.]?$|` +
		`^same as (?:no\.?|#|q|question)?\s*([0-9]{1,6})\.?$`)
)

// dittoFields are the columns in which such a cell stands for what it points at.
var dittoFields = []string{FieldReference, fieldReferences, fieldEvidence, fieldEvidenceDoc, fieldURLs,
	fieldTag, FieldTags, FieldCategory, FieldTheme}

// sayAgain writes into cells that only say "as above" what stands there. In doubt, as in the first row or below a blank cell, they stay.
func (b *questionBuilder) sayAgain() {
	rows := b.table.Rows
	again := map[int]bool{} // rows with such cells
	for i, field := range b.columns.fields {
		if !slices.Contains(dittoFields, field) && !slices.Contains(b.columns.hints, i) {
			continue
		}
		above := ""                     // in the last row that asks something
		numbered := map[string]string{} // number → cell
		for n, row := range rows {
			if n > 0 && row.Number/tabStride != rows[n-1].Number/tabStride { // another sheet, with numbers of its own
				above, numbered = "", map[string]string{}
			}
			s := b.cell(row, i)
			plain := norm.NFKC.String(s)
			same := ""
			if m := sameAs.FindStringSubmatch(plain); m != nil {
				same = numbered[significant(m[1]+m[2])]
			} else if dittos.MatchString(plain) {
				same = above
			}
			if same != "" {
				row.cells[i], s = same, same
				b.dittoed++
				again[row.Number] = true
			} else if dittos.MatchString(plain) || sameAs.MatchString(plain) {
				s = "" // nobody can say what it stands for
			}
			if b.cell(row, b.columns.at(FieldQuestion)) != "" {
				above = s
				if number := significant(b.cell(row, b.columns.counted())); number != "" {
					numbered[number] = s
				}
			}
		}
	}
	for _, number := range slices.Sorted(maps.Keys(again)) {
		b.again = append(b.again, b.table.place(number))
	}
}

// significant is a number without what stands before its first digit that counts: 7 of Q-007.
func significant(number string) string {
	return strings.TrimLeftFunc(norm.NFKC.String(number), func(r rune) bool { return r < '1' || r > '9' })
}
