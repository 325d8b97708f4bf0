package intake

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/text"
)

// Figure is a number of a sheet that its cell shows in another way than it is stored: 0.6 in the format "0" shows 1. Where a number is
// wanted the stored one counts, and where words are wanted what people see.
type Figure struct {
	Shown  string
	Number json.Number
}

// String is what the cell shows.
func (f Figure) String() string { return f.Shown }

// Rounded reports whether what the cell shows is another number than the stored one.
func (f Figure) Rounded() bool {
	n, err := f.Number.Float64()
	if err != nil {
		return false
	}
	shown, _, ok := pictured(f.Shown, n)
	return !ok || math.Abs(shown-math.Abs(n)) > 1e-9*max(1, math.Abs(n))
}

// Symbol reports whether the cell shows a sign in place of a number, as a dash or a mark.
func (f Figure) Symbol() bool {
	s := strings.TrimSpace(norm.NFKC.String(f.Shown))
	return s != "" && !strings.ContainsFunc(s, unicode.IsDigit)
}

// exact is the figure as a text that people recognise and that loses nothing.
func (f Figure) exact() string {
	if !f.Rounded() {
		return f.Shown
	}
	n, err := f.Number.Float64()
	if percent := strings.Contains(norm.NFKC.String(f.Shown), "%"); err == nil && percent {
		return strconv.FormatFloat(100*n, 'g', 15, 64) + "%"
	}
	return f.Number.String()
}

var (
	// numeral is a number as formats write it; the second group holds the decimals, the third the exponent.
	numeral = text.Lazy(`([0-9][0-9,]*)?(?:\.([0-9]*))?(?:E([+-]?[0-9]+))?`)
	// clockwork is in dates and times, whose stored number nobody means.
	clockwork = text.Lazy(`[:年月日時]|[0-9][-/.][0-9]+[-/.][0-9]`)
)

// figureOf is the figure of a cell that shows one text and stores another; false where it stores no number, or one that nobody means, as
// those of dates.
func figureOf(shown, stored string) (Figure, bool) {
	n, err := strconv.ParseFloat(strings.TrimSpace(stored), 64)
	if shown == stored || err != nil || math.IsNaN(n) || math.IsInf(n, 0) {
		return Figure{}, false
	}
	f := Figure{Shown: shown, Number: json.Number(strconv.FormatFloat(n, 'g', -1, 64))}
	s := norm.NFKC.String(shown)
	if !strings.ContainsFunc(s, unicode.IsDigit) { // - for 0, or nothing; letters name a day of the week
		return f, !strings.ContainsFunc(s, unicode.IsLetter)
	}
	_, near, ok := pictured(s, n)
	return f, ok && near
}

// pictured is the number that a cell shows, without its sign, in the scale of the stored one, and whether it may be that one rounded. ok is
// false where it shows no number.
func pictured(shown string, stored float64) (number float64, near, ok bool) {
	s := strings.ToUpper(norm.NFKC.String(shown))
	if clockwork.MatchString(s) {
		return 0, false, false
	}
	var m []string
	for _, found := range numeral.FindAllStringSubmatch(s, -1) {
		if strings.ContainsFunc(found[0], unicode.IsDigit) {
			m = found
			break
		}
	}
	if m == nil {
		return 0, false, false
	}
	digits := strings.TrimSuffix(strings.ReplaceAll(m[0], ",", ""), ".")
	shownNumber, err := strconv.ParseFloat(digits, 64)
	if err != nil {
		return 0, false, false
	}
	exponent, _ := strconv.Atoi(m[3])
	step := math.Pow10(exponent - len(m[2]))
	scales := []float64{1, 1e3, 1e6}
	if strings.Contains(s, "%") {
		scales = []float64{0.01}
	}
	for _, scale := range scales {
		if math.Abs(math.Abs(stored)-shownNumber*scale) <= scale*step/2*(1+1e-6)+1e-12 {
			return shownNumber * scale, true, true
		}
	}
	return shownNumber * scales[0], false, true
}

// figures are the numbers of a row that its cells show in another way, by column.
func figuresOf(shown, stored []string) map[int]Figure {
	var list map[int]Figure
	for i, s := range stored {
		if f, is := figureOf(textAt(shown, i), s); is {
			if list == nil {
				list = map[int]Figure{}
			}
			list[i] = f
		}
	}
	return list
}

func textAt(cells []string, i int) string {
	if i >= len(cells) {
		return ""
	}
	return cells[i]
}

// Figure is the value in a column as [TableRow.Cell] has it, and as a [Figure] where the sheet shows a number in another way than it is
// stored.
func (r TableRow) Figure(column int) any {
	if f, is := r.figures[column]; is {
		return f
	}
	return r.Cell(column)
}

// moved are figures under other columns: order is the new one of each, -1 for none.
func moved(figures map[int]Figure, order func(column int) int) map[int]Figure {
	if figures == nil {
		return nil
	}
	list := map[int]Figure{}
	for i, f := range figures {
		if to := order(i); to >= 0 {
			list[to] = f
		}
	}
	return list
}
