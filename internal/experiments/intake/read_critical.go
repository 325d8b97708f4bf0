package intake

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/text"
)

// rankName matches the columns in which teams rank questions by how much they matter.
var rankName = text.Lazy(`^(?:重要度|優先度|priority|importance)$`)

// What the highest and the other ranks are called. Letters and numbers are not among them: A or 1 is the highest for some teams, the
// lowest for others.
var (
	highestRanks = []string{"高", "最重要", "high", "critical"}
	otherRanks   = []string{"中", "低", "普通", "通常", "medium", "middle", "normal", "low"}
)

// rank says whether a cell ranks its question highest, and whether it holds a rank that is known.
func rank(v any) (highest, known bool) {
	s, err := CellText(v)
	word := strings.ToLower(norm.NFKC.String(s))
	highest = err == nil && slices.Contains(highestRanks, word)
	return highest, highest || err == nil && slices.Contains(otherRanks, word)
}

// ranks takes the column that ranks the questions: it stays a tag, and its highest rank makes a question critical. Where it holds other
// words, people are told how to say which questions those are.
func (g *guesser) ranks() {
	i := slices.IndexFunc(g.t.Columns, func(c string) bool { return rankName.MatchString(plainName(c)) })
	if i < 0 || !g.free(i) || g.m.at(FieldCritical) >= 0 {
		return
	}
	known := false
	for _, row := range g.t.Rows {
		_, is := rank(row.Cell(i))
		known = known || is
	}
	if known {
		g.m.rank = i
		return
	}
	g.notes = append(g.notes, text.Say(
		"column %s makes no question critical; to say which must never get worse, write yes or no into a column: --map \"%s=critical\"",
		"列「%s」からは重要な質問を決めていません。悪化を許さない質問を指定するには、列に「はい」か「いいえ」と書いてください：--map \"%s=critical\"",
		g.t.Columns[i], g.t.Columns[i]))
}

// critical reports whether the question must never get worse: what a column says with yes and no, or by its rank.
func (r *rowReader) critical() bool {
	if highest, known := rank(r.value(FieldCritical)); known {
		return highest
	}
	if highest, _ := rank(r.row.Cell(r.b.columns.rank)); highest {
		r.b.ranked++
		return true
	}
	return r.bool(FieldCritical, false)
}
