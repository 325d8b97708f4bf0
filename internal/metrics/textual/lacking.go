package textual

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/text"
)

var (
	clockTime  = text.Lazy(`(\d{1,2})[:：](\d{2})`)
	numbering  = text.Lazy(`(?m)(^\s*|[.。;；]\s+)[(（]?\d{1,2}[.)）．]\s`)
	inBrackets = text.Lazy(`[(（]([^()（）]{1,12})[)）]`)
	monthWords = strings.NewReplacer("か月", " months ", "カ月", " months ", "ヶ月", " months ", "ケ月", " months ", "ヵ月", " months ",
		"箇月", " months ")
)

// LackingQuantities are the quantities that a text states and its question does not, as the text writes them, which none of the passages
// states: the number with its unit. The 8 of 8:30 is no 8 people. A number without a unit is one with it where the passage names the unit
// in brackets, as the head of a column does.
func LackingQuantities(stated, asked string, passages []string) []string {
	var there []statedQuantity
	for _, p := range append([]string{asked}, passages...) {
		there = append(there, statedQuantities(p)...)
	}
	var out []string
	for _, q := range statedQuantities(stated) {
		if slices.ContainsFunc(there, func(p statedQuantity) bool { return p.states(q) }) {
			continue
		}
		if as := standing(q.as, stated); !slices.Contains(out, as) {
			out = append(out, as)
		}
	}
	return out
}

// standing is how a text writes what was read of it, with separators and white space; what was read where it is not found.
func standing(read, in string) string {
	letters := strings.Split(strings.ReplaceAll(read, " ", ""), "")
	for i, l := range letters {
		letters[i] = regexp.QuoteMeta(l)
	}
	if found := regexp.MustCompile("(?i)" + strings.Join(letters, `[,，\s]*`)).FindString(norm.NFKC.String(in)); found != "" {
		return found
	}
	return read
}

// statedQuantity is a quantity with how it is written, and the units that its text names in brackets.
type statedQuantity struct {
	quantity
	as     string
	headed []unit
}

// states reports whether a quantity of a passage is the one that is looked for.
func (p statedQuantity) states(q statedQuantity) bool {
	same := p.value == q.value && p.unit == q.unit && (p.of == q.of || p.of == "" || q.of == "")
	if same || q.loose() && p.value == q.value {
		return true
	}
	return p.loose() && slices.ContainsFunc(p.headed, func(u unit) bool {
		return u.kind == q.unit && scaled(p.value, u.times) == q.value
	})
}

// loose reports whether nothing says what is counted. What reads as a year may be any number.
func (p statedQuantity) loose() bool {
	return p.unit == "" && p.of == "" || p.unit == "year" && !strings.HasSuffix(p.as, "年")
}

// scaled is a value in the base unit of its kind; "" for what is no number.
func scaled(value string, times float64) string {
	v, err := strconv.ParseFloat(value, 64)
	if err != nil {
		return ""
	}
	return decimal(v * times)
}

// statedQuantities reads the quantities of a text. Numbers that are words, as in "one of them", and those that number a list are none.
func statedQuantities(s string) []statedQuantity {
	lang := text.Language(s)
	s = monthWords.Replace(clockTime.ReplaceAllString(numbering.ReplaceAllString(s, "$1 "), "${1}時${2}分"))
	s = plain(bareSentence(s), lang)
	var headed []unit
	for _, m := range inBrackets.FindAllStringSubmatch(s, -1) {
		if u, ok := units[strings.TrimSpace(m[1])]; ok {
			headed = append(headed, u)
		}
	}
	words := text.Words(s)
	var out []statedQuantity
	for i := 0; i < len(words); {
		q, n := readQuantity(words, i)
		if n == 0 {
			i++
			continue
		}
		if digit := strings.IndexFunc(words[i].Raw, unicode.IsDigit) == 0; digit || q.unit != "" && q.unit != "ordinal" && !q.word {
			out = append(out, statedQuantity{quantity: q, as: written(words, i, n, q, lang), headed: headed})
		}
		i += n
	}
	return out
}

// written is how a text writes a quantity: the number with the word that measures or counts it.
func written(words []text.Word, i, n int, q quantity, lang string) string {
	number, next := "", ""
	for _, w := range words[i : i+n] {
		number += w.Raw
	}
	if i+n < len(words) && (q.unit != "" || q.of != "") && !words[i+n].Break {
		next = words[i+n].Raw
	}
	switch runes := []rune(next); {
	case next == "":
		return number
	case runes[0] < 0x80:
		return asWritten(lang).Replace(number + " " + next)
	default:
		for size := min(6, len(runes)); size > 0; size-- {
			if _, ok := units[string(runes[:size])]; ok {
				return number + string(runes[:size])
			}
		}
	}
	return number + next
}

// asWritten undoes what was put in the place of marks, and of words in two scripts, to read them.
func asWritten(lang string) *strings.Replacer {
	if lang == "ja" {
		return strings.NewReplacer(" percent", "%", " months", "か月")
	}
	return strings.NewReplacer(" percent", "%")
}
