package text

import (
	"strings"
	"unicode"
)

// Edit says what became of one piece of a text.
type Edit string

// The edits. A replaced piece is a Deleted one followed by an Inserted one.
const (
	Equal    Edit = "equal"
	Deleted  Edit = "deleted"
	Inserted Edit = "inserted"
)

// Change is one piece of a [Diff]: some words that stayed, went or came, with the spaces and marks between them.
type Change struct {
	Edit Edit   `json:"edit"`
	Text string `json:"text"`
}

// maxDiffCells bounds the work of a Diff: words of one text times words of the other, after equal beginnings and ends are
// taken off. Two texts of two thousand words each reach it.
const maxDiffCells = 4_000_000

// Diff says how a becomes b, word by word: the equal and deleted pieces joined are a, the equal and inserted ones are b.
// Words are compared as written; their longest common subsequence stays, but a lone space or mark between two changes goes
// with them. Texts too long for that (two thousand words each) give one deleted and one inserted piece between their common
// beginning and end.
func Diff(a, b string) []Change {
	return diffed(words(a), words(b)).joined()
}

// diffed says how before becomes after, unit by unit.
func diffed(before, after []string) changes {
	head := 0
	for head < min(len(before), len(after)) && before[head] == after[head] {
		head++
	}
	tail := 0
	for tail < min(len(before), len(after))-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	var out changes
	out.add(Equal, before[:head]...)
	out.between(before[head:len(before)-tail], after[head:len(after)-tail])
	out.add(Equal, before[len(before)-tail:]...)
	return out
}

// words cuts s into the units of a [Diff]; joined they are s. A word in Latin letters, a number with its separators, a run
// of kanji, and a run of katakana each are a unit. So is a particle right after one of them; the rest of a run of hiragana is
// another. Every other character stands alone. No dictionary is needed, and a reader sees whole words change.
func words(s string) []string {
	runes := []rune(s)
	list := make([]string, 0, len(runes)/2+1)
	wordBefore := false // a word that is not hiragana ends here
	for i := 0; i < len(runes); {
		kind := wordScript(runes[i])
		j := i + 1
		particle := kind == kana && wordBefore && strings.ContainsRune("はがをにでとのもへや", runes[i])
		for !particle && kind != other && j < len(runes) && continues(kind, runes, j) {
			j++
		}
		list = append(list, string(runes[i:j]))
		wordBefore = kind != other && kind != kana
		i = j
	}
	return list
}

// wordScript is [scriptOf] with unfolded text in mind: wide digits are digits.
func wordScript(r rune) script {
	if r >= '０' && r <= '９' {
		return digit
	}
	return scriptOf(r)
}

// continues reports whether runes[j] belongs to the word before it.
func continues(s script, runes []rune, j int) bool {
	switch s {
	case ideo:
		return wordScript(runes[j]) == ideo && katakana(runes[j]) == katakana(runes[j-1])
	case digit:
		return wordScript(runes[j]) == digit || sameRun(s, runes, j)
	default:
		return sameRun(s, runes, j)
	}
}

func katakana(r rune) bool { return unicode.Is(unicode.Katakana, r) || r == 'ー' }

// changes collects pieces word by word.
type changes []Change

func (c *changes) add(edit Edit, words ...string) {
	for _, w := range words {
		*c = append(*c, Change{Edit: edit, Text: w})
	}
}

// between adds the edits that turn before into after, whose first and last words differ.
func (c *changes) between(before, after []string) {
	n, m := len(before), len(after)
	if n == 0 || m == 0 || n*m > maxDiffCells {
		c.add(Deleted, before...)
		c.add(Inserted, after...)
		return
	}
	// common[i*(m+1)+j] is the length of the longest common subsequence of before[i:] and after[j:]. It fits 32 bits, not 16:
	// a short text may meet a very long one.
	common := make([]int32, (n+1)*(m+1))
	for i := n - 1; i >= 0; i-- {
		row, next := common[i*(m+1):], common[(i+1)*(m+1):]
		for j := m - 1; j >= 0; j-- {
			if before[i] == after[j] {
				row[j] = next[j+1] + 1
			} else {
				row[j] = max(next[j], row[j+1])
			}
		}
	}
	i, j := 0, 0
	for i < n || j < m {
		switch {
		case i < n && j < m && before[i] == after[j]:
			c.add(Equal, before[i])
			i, j = i+1, j+1
		case j == m || i < n && common[(i+1)*(m+1)+j] >= common[i*(m+1)+j+1]:
			c.add(Deleted, before[i])
			i++
		default:
			c.add(Inserted, after[j])
			j++
		}
	}
}

// joined merges neighbours. Of what changed in one place the deleted words come first.
func (c changes) joined() []Change {
	out := []Change{}
	for i := 0; i < len(c); {
		j := i + 1
		if c[i].Edit == Equal {
			for j < len(c) && c[j].Edit == Equal {
				j++
			}
			out = append(out, Change{Edit: Equal, Text: c[i:j].side(Equal)})
			i = j
			continue
		}
		for j < len(c) && (c[j].Edit != Equal || c.bridge(j)) {
			j++
		}
		for _, edit := range []Edit{Deleted, Inserted} {
			if s := c[i:j].side(edit); s != "" {
				out = append(out, Change{Edit: edit, Text: s})
			}
		}
		i = j
	}
	return out
}

// bridge reports whether the equal piece at i stands alone between two changes and holds no letter and no digit: without it
// a sentence that was rewritten would fall into crumbs.
func (c changes) bridge(i int) bool {
	return i+1 < len(c) && c[i-1].Edit != Equal && c[i+1].Edit != Equal &&
		!strings.ContainsFunc(c[i].Text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsNumber(r) })
}

// side joins the pieces of one side of a change: those of this edit, and the equal ones between them.
func (c changes) side(edit Edit) string {
	var b strings.Builder
	for _, p := range c {
		if p.Edit == edit || p.Edit == Equal {
			b.WriteString(p.Text)
		}
	}
	return b.String()
}
