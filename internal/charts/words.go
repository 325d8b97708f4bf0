package charts

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// summary says in one sentence what is to be seen.
func (m *maker) summary() {
	p := m.p
	out := Words{m.sentence("en"), m.sentence("ja")}
	if len(p.Lines) == 1 && p.Lines[0].Title != (Words{}) {
		t := p.Lines[0].Title
		out.EN += fmt.Sprintf(" A line marks %s.", t.In("en"))
		out.JA += fmt.Sprintf("線は「%s」を示します。", t.In("ja"))
	}
	p.Summary = out
}

func (m *maker) sentence(lang string) string {
	p := m.p
	say := func(en, ja string, args ...any) string {
		if lang == "ja" {
			return fmt.Sprintf(ja, args...)
		}
		return fmt.Sprintf(en, args...)
	}
	count := Head{Number: true}.Shown(float64(len(p.Marks)))
	switch p.Mark {
	case Hist:
		at, most := 0, -1.0
		for i, row := range p.Rows {
			if n := row[len(row)-1].(float64); n > most {
				at, most = i, n
			}
		}
		row, k := p.Rows[at], len(p.Head)-3
		return say("Distribution of %s: %s rows; the fullest class is %s to %s with %s.", "%sの分布。全%s件。最も多い階級は%s以上%s未満で%s件です。",
			m.title("x").In(lang), Head{Number: true}.Shown(float64(len(m.rows))), p.Head[k].Shown(row[k]), p.Head[k+1].Shown(row[k+1]),
			p.Head[k+2].Shown(row[k+2]))
	case Point, Label, Hex:
		if p.Mark == Hex {
			count = Head{Number: true}.Shown(float64(len(m.rows)))
		}
		return say("%[1]s against %[2]s: %[3]s points.", "%[2]sと%[1]sの散布図。全%[3]s点です。", opening(p.Y.Title.In(lang), lang),
			m.title("x").In(lang), count)
	case Flow:
		return m.flowing(lang)
	case Rule:
		return say("%s rules of %s.", "%s本の線（%s）です。", count, p.Y.Title.In(lang))
	}
	low, high := m.extremes()
	if len(low) == 0 {
		return say("%s has no value.", "%sの値がありません。", p.Y.Title.In(lang))
	}
	column := m.valueColumn()
	value := p.Head[column].Title.In(lang)
	if p.Mark == Box {
		value = say("Median %s", "%sの中央値", p.Y.Title.In(lang))
	}
	value = opening(value, lang)
	by := m.by(lang)
	if low[0] == high[0] || len(p.Marks) == 1 {
		return say("%s%s: %s.", "%[2]s%[1]s：%[3]s。", value, by, p.Head[column].Shown(p.Rows[high[0]][column]))
	}
	return say("%[1]s%[2]s: highest %[3]s (%[4]s), lowest %[5]s (%[6]s).", "%[2]s%[1]s：最大は%[3]s（%[4]s）、最小は%[5]s（%[6]s）です。", value, by,
		m.told(high), m.places(high, lang), m.told(low), m.places(low, lang))
}

// opening is a text as a sentence begins with it.
func opening(s, lang string) string {
	if first, size := utf8.DecodeRuneInString(s); lang == "en" {
		return string(unicode.ToUpper(first)) + s[size:]
	}
	return s
}

// valueColumn is the column of the rows that says how large a mark is.
func (m *maker) valueColumn() int {
	at := 0
	for i, h := range m.p.Head {
		if h.Number {
			at = i
			break
		}
	}
	if m.p.Mark == Box {
		at += 2
	}
	return at
}

// equal is by how much two values may differ that were computed in another order.
const equal = 1e-9

// value is how large the mark of a row is, before it was rounded for being shown.
func (m *maker) value(row int) (float64, bool) {
	v, isNumber := number(m.p.Rows[row][m.valueColumn()])
	if isNumber && row < len(m.exact) {
		v = m.exact[row]
	}
	return v, isNumber
}

// extremes are the rows with the least and the most, all of them where several are equal; none without a value.
func (m *maker) extremes() (low, high []int) {
	least, most := math.Inf(1), math.Inf(-1)
	for i := range m.p.Rows {
		if v, isNumber := m.value(i); isNumber {
			least, most = min(least, v), max(most, v)
		}
	}
	for i := range m.p.Rows {
		v, isNumber := m.value(i)
		if isNumber && v <= least+equal {
			low = append(low, i)
		}
		if isNumber && v >= most-equal {
			high = append(high, i)
		}
	}
	return low, high
}

// mostPlaces is how many places more a value is told with, so that it differs from one that is shown alike.
const mostPlaces = 4

// told is the value of rows that are equal, with as many places as tell it from every other.
func (m *maker) told(rows []int) string {
	head := m.p.Head[m.valueColumn()]
	exact, _ := m.value(rows[0])
	alike := func(h Head) bool {
		for i := range m.p.Rows {
			v, isNumber := m.value(i)
			if isNumber && math.Abs(v-exact) > equal && h.Shown(rounded(v, h.Digits)) == h.Shown(rounded(exact, h.Digits)) {
				return true
			}
		}
		return false
	}
	for most := head.Digits + mostPlaces; alike(head) && head.Digits < most; {
		head.Digits++
	}
	return head.Shown(rounded(exact, head.Digits))
}

// places says where rows that are equal are: at the first, and how many more there are.
func (m *maker) places(rows []int, lang string) string {
	out := m.where(rows[0], lang)
	switch n := len(rows) - 1; {
	case n > 0 && lang == "ja":
		return fmt.Sprintf("%s、ほか%d件", out, n)
	case n > 0:
		return fmt.Sprintf("%s; and %d more", out, n)
	}
	return out
}

// by names what the marks are divided by.
func (m *maker) by(lang string) string {
	var names []string
	for _, name := range []string{"x", "y", "colour", "facet"} {
		if _, used := m.at[name]; used && (m.p.Mark == Heat && name != "colour" || m.p.Mark != Heat && name != "y") {
			if title := m.title(name).In(lang); !slices.Contains(names, title) {
				names = append(names, title)
			}
		}
	}
	switch {
	case len(names) == 0:
		return ""
	case lang == "ja":
		return strings.Join(names, "・") + "別の"
	case len(names) == 1:
		return " by " + names[0]
	}
	return " by " + strings.Join(names[:len(names)-1], ", ") + " and " + names[len(names)-1]
}

// where are the texts of a row: of what a mark is the value. A number alone says nothing, so its column is named.
func (m *maker) where(row int, lang string) string {
	var parts []string
	for i, h := range m.p.Head {
		if !h.Number {
			text := m.p.shown(h, m.p.Rows[row][i], lang)
			if _, err := strconv.ParseFloat(text, 64); err == nil {
				text = h.Title.In(lang) + " = " + text
			}
			parts = append(parts, text)
		}
	}
	if lang == "ja" {
		return Shorten(strings.Join(parts, "、"), 40)
	}
	return Shorten(strings.Join(parts, ", "), 40)
}
