package charts

import (
	"fmt"
	"math"
	"slices"
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
	if low < 0 {
		return say("%s has no value.", "%sの値がありません。", p.Y.Title.In(lang))
	}
	column := m.valueColumn()
	value := p.Head[column].Title.In(lang)
	if p.Mark == Box {
		value = say("Median %s", "%sの中央値", p.Y.Title.In(lang))
	}
	value = opening(value, lang)
	by := m.by(lang)
	if low == high || len(p.Marks) == 1 {
		return say("%s%s: %s.", "%[2]s%[1]s：%[3]s。", value, by, p.Head[column].Shown(p.Rows[high][column]))
	}
	return say("%[1]s%[2]s: highest %[3]s (%[4]s), lowest %[5]s (%[6]s).", "%[2]s%[1]s：最大は%[3]s（%[4]s）、最小は%[5]s（%[6]s）です。", value, by,
		p.Head[column].Shown(p.Rows[high][column]), m.where(high, lang), p.Head[column].Shown(p.Rows[low][column]), m.where(low, lang))
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

// extremes are the rows with the least and the most; -1 without a value.
func (m *maker) extremes() (low, high int) {
	column, low, high := m.valueColumn(), -1, -1
	least, most := math.Inf(1), math.Inf(-1)
	for i, row := range m.p.Rows {
		v, isNumber := number(row[column])
		if !isNumber {
			continue
		}
		if v < least {
			least, low = v, i
		}
		if v > most {
			most, high = v, i
		}
	}
	return low, high
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

// where are the texts of a row: of what a mark is the value.
func (m *maker) where(row int, lang string) string {
	var parts []string
	for i, h := range m.p.Head {
		if !h.Number {
			parts = append(parts, m.p.shown(h, m.p.Rows[row][i], lang))
		}
	}
	if lang == "ja" {
		return Shorten(strings.Join(parts, "、"), 40)
	}
	return Shorten(strings.Join(parts, ", "), 40)
}
