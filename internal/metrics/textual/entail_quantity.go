package textual

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/rag-workbench/workbench/internal/text"
)

// quantity is a number with what it counts, in the base unit of its kind, so that 48 hours are two days.
type quantity struct {
	value string // canonical decimal
	unit  string // kind of the unit, such as "time" or "jpy"; "" for a bare number
	of    string // English: the word after a number without a unit, which it counts
	word  bool   // written as a word, which prose also uses loosely
}

// unit is a unit's kind and how many of its base unit it holds.
type unit struct {
	kind  string
	times float64
}

// units by their word, English stems and Japanese.
var units = map[string]unit{
	"second": {"time", 1}, "sec": {"time", 1}, "minut": {"time", 60}, "min": {"time", 60}, "hour": {"time", 3600}, "hr": {"time", 3600},
	"day": {"time", 86400}, "week": {"time", 604800}, "month": {"months", 1}, "year": {"months", 12}, "decad": {"months", 120},
	"centuri": {"months", 1200},
	"秒":       {"time", 1}, "分": {"time", 60}, "時間": {"time", 3600}, "日間": {"time", 86400}, "日": {"time", 86400}, "週間": {"time", 604800},
	"か月": {"months", 1}, "カ月": {"months", 1}, "ヶ月": {"months", 1}, "ヵ月": {"months", 1}, "箇月": {"months", 1}, "年間": {"months", 12},
	"mg": {"mass", 1}, "g": {"mass", 1e3}, "gram": {"mass", 1e3}, "kg": {"mass", 1e6}, "kilogram": {"mass", 1e6}, "kilo": {"mass", 1e6},
	"tonn": {"mass", 1e9}, "ton": {"mass", 1e9}, "トン": {"mass", 1e9}, "グラム": {"mass", 1e3}, "キロ": {"mass", 1e6}, "pound": {"pounds", 1},
	"lb": {"pounds", 1},
	"mm": {"length", 1}, "cm": {"length", 10}, "m": {"length", 1e3}, "meter": {"length", 1e3}, "metr": {"length", 1e3},
	"km":      {"length", 1e6},
	"kilomet": {"length", 1e6}, "kilometr": {"length", 1e6}, "mile": {"miles", 1}, "inch": {"inches", 1}, "feet": {"feet", 1},
	"foot": {"feet", 1},
	"センチ":  {"length", 10}, "メートル": {"length", 1e3}, "キロメートル": {"length", 1e6}, "マイル": {"miles", 1},
	"kb": {"bytes", 1}, "mb": {"bytes", 1e3}, "gb": {"bytes", 1e6}, "tb": {"bytes", 1e9},
	"percent": {"percent", 1}, "パーセント": {"percent", 1}, "割": {"percent", 10},
	"yen": {"jpy", 1}, "jpy": {"jpy", 1}, "円": {"jpy", 1}, "usd": {"usd", 1}, "dollar": {"usd", 1}, "ドル": {"usd", 1}, "cent": {"usd", 0.01},
	"eur": {"eur", 1}, "euro": {"eur", 1}, "ユーロ": {"eur", 1}, "gbp": {"gbp", 1},
	"st": {"ordinal", 1}, "nd": {"ordinal", 1}, "rd": {"ordinal", 1}, "th": {"ordinal", 1}, "番目": {"ordinal", 1}, "位": {"ordinal", 1},
	"歳": {"age", 1}, "才": {"age", 1}, "時": {"clock", 1}, "月": {"month", 1}, "回": {"count", 1}, "年": {"year", 1},
	"人": {"people", 1}, "名": {"people", 1}, "匹": {"animals", 1}, "頭": {"animals", 1}, "羽": {"animals", 1},
	"台": {"count", 1}, "個": {"count", 1}, "枚": {"count", 1}, "本": {"count", 1}, "つ": {"count", 1}, "艘": {"count", 1}, "隻": {"count", 1},
	"件": {"count", 1}, "冊": {"count", 1}, "脚": {"count", 1}, "機": {"count", 1}, "両": {"count", 1}, "社": {"count", 1}, "階": {"floor", 1},
}

// factors are English words and Japanese characters that multiply the number before them.
var factors = map[string]float64{
	"hundred": 100, "thousand": 1e3, "million": 1e6, "billion": 1e9, "trillion": 1e12, "dozen": 12,
	"百": 100, "千": 1e3, "万": 1e4, "億": 1e8, "兆": 1e12,
}

var cardinals = map[string]float64{
	"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10,
	"eleven": 11, "twelve": 12,
	"thirteen": 13, "fourteen": 14, "fifteen": 15, "sixteen": 16, "seventeen": 17, "eighteen": 18, "nineteen": 19,
	"twenty": 20, "thirty": 30,
	"forty": 40, "fifty": 50, "sixty": 60, "seventy": 70, "eighty": 80, "ninety": 90, "hundred": 100, "thousand": 1000,
	"million": 1e6, "dozen": 12,
}

var ordinals = map[string]float64{
	"first": 1, "second": 2, "third": 3, "fourth": 4, "fifth": 5, "sixth": 6, "seventh": 7, "eighth": 8, "ninth": 9, "tenth": 10,
	"eleventh": 11, "twelfth": 12,
}

var months = map[string]float64{
	"january": 1, "february": 2, "march": 3, "april": 4, "may": 5, "june": 6, "july": 7, "august": 8, "september": 9, "october": 10,
	"november": 11, "december": 12,
}

// numerals are the terms of the number words and months.
var numerals = sync.OnceValue(func() map[string]bool {
	all := map[string]bool{}
	for _, words := range []map[string]float64{cardinals, ordinals, months} {
		for w := range words {
			for _, t := range text.Terms(w) {
				all[t.Text] = true
			}
		}
	}
	return all
})

const kanjiDigits = "〇一二三四五六七八九十"

// quantities are the quantities of a sentence, in order, each once.
func quantities(words []text.Word) []quantity {
	var list []quantity
	for i := 0; i < len(words); {
		q, n := readQuantity(words, i)
		if n == 0 {
			i++
			continue
		}
		i += n
		if !slices.Contains(list, q) {
			list = append(list, q)
		}
	}
	return list
}

// readQuantity reads the quantity that begins at a word and says how many words it takes, 0 when none begins there.
func readQuantity(words []text.Word, i int) (quantity, int) {
	w := words[i]
	var value float64
	switch {
	case w.Class == text.Number:
		v, err := strconv.ParseFloat(w.Text, 64)
		if err != nil { // a version or an address
			return quantity{value: w.Text}, 1
		}
		value = v
	case ordinals[w.Raw] > 0 && (i == 0 || words[i-1].Class != text.Number):
		return quantity{value: decimal(ordinals[w.Raw]), unit: "ordinal"}, 1
	case isMonth(words, i):
		return quantity{value: decimal(months[w.Raw]), unit: "month"}, 1
	default:
		cardinal, known := cardinals[w.Raw]
		if !known || w.Raw == "one" && (i+1 == len(words) || words[i+1].Class != text.Content) {
			return kanjiQuantity(words, i)
		}
		value = cardinal
	}
	value, n, rest := multiplied(words, i, value)
	q := measured(words, i, n, value, rest)
	q.word = w.Class != text.Number
	if q.unit == "" && value <= 31 && (n == 1 && isMonth(words, i-1) || isMonth(words, i+n)) {
		q.unit, q.of = "day of month", ""
	}
	return q, n
}

// multiplied reads the factors behind the number at word i: its value, how many words it takes, and what the word of the last
// factor holds besides, as in 千円.
func multiplied(words []text.Word, i int, value float64) (total float64, n int, rest string) {
	n = 1
	for i+n < len(words) && !words[i+n].Break {
		word := words[i+n].Raw
		if f, ok := factors[word]; ok {
			value, n = value*f, n+1
			if i+n < len(words) && word[0] >= 0x80 && words[i+n].Class == text.Number { // 1万2千円
				if v, err := strconv.ParseFloat(words[i+n].Text, 64); err == nil {
					more, m, rest := multiplied(words, i+n, v)
					return value + more, n + m, rest
				}
			}
			continue
		}
		first := firstRune(word)
		if f, ok := factors[first]; ok && len(word) > len(first) && first[0] >= 0x80 {
			return value * f, n, strings.TrimPrefix(word, first)
		}
		break
	}
	return value, n, ""
}

// isMonth reports whether word i is the name of a month.
func isMonth(words []text.Word, i int) bool {
	if i < 0 || i >= len(words) || months[words[i].Raw] == 0 {
		return false
	}
	number := func(j int) bool { return j >= 0 && j < len(words) && words[j].Class == text.Number }
	return words[i].Name || words[i].Raw != "may" && words[i].Raw != "march" || number(i+1) || number(i-1)
}

// measured gives a number its unit: the word after it, or a currency before it.
func measured(words []text.Word, i, n int, value float64, rest string) quantity {
	if rest == "" && i+n < len(words) && (!words[i+n].Break || words[i+n].Raw == "percent") {
		rest = words[i+n].Raw
		if u, ok := units[words[i+n].Text]; ok {
			return u.of(value)
		}
	}
	if u, ok := longestUnit(rest); ok {
		return u.of(value)
	}
	if i > 0 {
		if u, ok := units[words[i-1].Raw]; ok && len(u.kind) == 3 { // a currency
			return u.of(value)
		}
	}
	q := quantity{value: decimal(value)}
	if i+n < len(words) && !words[i+n].Break && words[i+n].Class == text.Content {
		q.of = words[i+n].Text
	}
	if words[i].Class == text.Number && value >= 1000 && value <= 2100 && value == float64(int(value)) && q.of == "" {
		q.unit = "year"
	}
	return q
}

// longestUnit is the Japanese unit that a word begins with: 時間 in 時間前.
func longestUnit(word string) (unit, bool) {
	runes := []rune(word)
	for n := min(6, len(runes)); n > 0; n-- {
		if runes[0] < 0x80 {
			break
		}
		if u, ok := units[string(runes[:n])]; ok {
			return u, true
		}
	}
	return unit{}, false
}

// kanjiQuantity reads a number of one kanji before a counter: 二匹, but not 一匹も, which is a denial.
func kanjiQuantity(words []text.Word, i int) (quantity, int) {
	runes := []rune(words[i].Raw)
	if len(runes) == 0 {
		return quantity{}, 0
	}
	at := strings.IndexRune(kanjiDigits, runes[0])
	if at < 0 {
		return quantity{}, 0
	}
	rest := string(runes[1:])
	if rest == "" && i+1 < len(words) {
		rest = words[i+1].Raw
	}
	u, ok := longestUnit(rest)
	if !ok || u.kind == "month" || i+1 < len(words) && strings.HasPrefix(words[i+1].Raw, "も") {
		return quantity{}, 0
	}
	return u.of(float64(at / len("〇"))), 1
}

func (u unit) of(value float64) quantity {
	return quantity{value: decimal(value * u.times), unit: u.kind}
}

func decimal(v float64) string { return strconv.FormatFloat(v, 'g', 12, 64) }

func firstRune(s string) string {
	for _, r := range s {
		return string(r)
	}
	return ""
}

// derived reports whether an amount of money follows from others, so that it stands in the place of none: a multiple of one that both
// statements hold, or where one of them reckons, what two others make together or leave.
func (q quantity) derived(own, other []quantity, reckons bool) bool {
	if len(q.unit) != len("usd") {
		return false
	}
	value := q.number()
	var all []float64
	for _, p := range append(slices.Clone(own), other...) {
		v := p.number()
		if p.unit != q.unit || v == value || v <= 0 {
			continue
		}
		times := value / v
		if times == math.Trunc(times) && times <= 31 && slices.ContainsFunc(own, p.equal) && slices.ContainsFunc(other, p.equal) {
			return true
		}
		if !slices.Contains(all, v) {
			all = append(all, v)
		}
	}
	return reckons && (sums(all, value) || slices.ContainsFunc(all, func(v float64) bool {
		return slices.Contains(all, v-value) && v != 2*value
	}))
}

// total reports whether an amount of money is what two or three others make together.
func (q quantity) total(all []quantity) bool {
	var parts []float64
	for _, p := range all {
		if v := p.number(); p.unit == q.unit && len(q.unit) == len("usd") && v > 0 && v < q.number() {
			parts = append(parts, v)
		}
	}
	return sums(parts, q.number())
}

// within reports whether a quantity lies between two others of its kind.
func (q quantity) within(all []quantity) bool {
	less, more := false, false
	for _, p := range all {
		if p.unit == q.unit && p.of == q.of {
			less, more = less || p.number() < q.number(), more || p.number() > q.number()
		}
	}
	return less && more
}

// ranging is how a statement gives all that lies between two quantities.
var ranging = text.Lazy(`(?i)\b(?:from|between)\b[^.;]{0,24}\d[^.;]{0,24}\b(?:to|and|until)\b[^.;]{0,12}\d|\d[^。、;.]{0,6}(?:から|[〜～–])[^。、;.]{0,8}\d`)

// sums reports whether two or three of the values make a total.
func sums(all []float64, total float64) bool {
	for i, a := range all {
		for j := i + 1; j < len(all); j++ {
			rest := total - a - all[j]
			if rest == 0 || slices.Contains(all[j+1:], rest) {
				return true
			}
		}
	}
	return false
}

func (q quantity) number() float64 {
	v, err := strconv.ParseFloat(q.value, 64)
	if err != nil {
		return 0
	}
	return v
}

// reckoning are words and signs by which a statement shows a sum or a difference.
var reckoning = text.Lazy(`(?i)\b(?:total|so|plus|altogether|together|sum|above|remaining|difference)\b|[=＝+＋]|合計|合わせ|総額|差額|内訳|つまり|したがって`)

// key stands for a quantity with a unit among the terms of a text; "" for one without.
func (q quantity) key() string {
	if q.unit == "" {
		return ""
	}
	return "#" + q.unit + " " + q.value
}

// equal reports whether a quantity of the passage is that of the claim. A bare number is equal to one with a unit, since the
// unit may stand elsewhere.
func (q quantity) equal(p quantity) bool {
	return q.value == p.value && (q.unit == p.unit || q.unit+q.of == "" || p.unit+p.of == "")
}

// rivals reports whether two quantities speak of the same kind of thing and differ.
func (q quantity) rivals(p quantity) bool {
	if q.equal(p) {
		return false
	}
	return q.unit == p.unit && q.of == p.of
}
