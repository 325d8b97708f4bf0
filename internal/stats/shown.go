package stats

import (
	"math"
	"math/big"
	"strconv"
	"strings"
)

// Fixed writes a number with so many decimals, half away from zero on the number as it is written: 4.975 is 4.98, although the nearest
// binary number is a little less. Pages round so too (Intl.NumberFormat), so a mean is the same one on a page and in a terminal. What
// rounds to zero has no sign.
func Fixed(v float64, decimals int) string { return fixed(v, 1, decimals) }

// Signed is [Fixed] with a sign before positive numbers too; none before zero.
func Signed(v float64, decimals int) string {
	s := Fixed(v, decimals)
	if v > 0 && strings.Trim(s, "0.") != "" {
		return "+" + s
	}
	return s
}

// Significant writes a number with so many digits that count at most, as [Fixed], and whole numbers whole: 1.275 is 1.28 with three, 0.0375
// is 0.0375 and 1234.6 is 1235.
func Significant(v float64, digits int) string {
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return Fixed(v, 0)
	}
	decimals := max(0, digits-1-int(math.Floor(math.Log10(math.Abs(v)))))
	s := Fixed(v, decimals)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// Percent writes a share of 1 in per cent, as [Fixed] and without a unit: 0.145 is 15.
func Percent(share float64, decimals int) string { return fixed(share, 100, decimals) }

// PerCent writes a share of 1 in per cent with its sign, with so many decimals at most: "12.5%". It is the only place that does, for both
// languages, and pages write the same (parts/format.ts). A part looks neither like nothing nor like the whole.
func PerCent(share float64, decimals int) string {
	step := math.Pow10(-decimals)
	number := Percent(share, decimals)
	if strings.Contains(number, ".") {
		number = strings.TrimRight(strings.TrimRight(number, "0"), ".")
	}
	switch {
	case share < 1 && number == "100":
		number = Fixed(100-step, decimals)
	case share > 0 && number == "0":
		return "< " + Fixed(step, decimals) + "%"
	}
	return number + "%"
}

// moreShown is how many decimals more than usual numbers are shown with at most so that their difference reads right.
const moreShown = 2

// Difference is the difference of two numbers without what binary fractions leave behind.
func Difference(before, after float64) float64 {
	v, err := strconv.ParseFloat(strconv.FormatFloat(after-before, 'g', 12, 64), 64)
	if err != nil { // it was written as a number
		return after - before
	}
	return v
}

// DecimalsBeside is with how many decimals two numbers and their difference are written beside each other, at least so many: the difference
// is that of the numbers as they are, rounded once, and whoever subtracts what stands there finds it. Where two decimals more do not bring
// that about, as with thirds, nobody is served by six: they are written with the usual ones, and the last digit may be off by one.
func DecimalsBeside(before, after float64, least int) int {
	for decimals := least; decimals <= least+moreShown; decimals++ {
		read := shown(shown(after, decimals)-shown(before, decimals), decimals)
		if read == shown(Difference(before, after), decimals) {
			return decimals
		}
	}
	return least
}

// Beside writes two numbers and their difference with [DecimalsBeside].
func Beside(before, after float64, least int) (was, is, difference string) {
	decimals := DecimalsBeside(before, after, least)
	return Fixed(before, decimals), Fixed(after, decimals), Signed(Difference(before, after), decimals)
}

// mostApart is how many decimals more than usual numbers are shown with at most so that they look different.
const mostApart = 12

// DecimalsApart is with how many decimals, at least so many, two numbers that differ look different: a value that misses a limit is never
// written as the limit. What binary fractions leave behind is no difference.
func DecimalsApart(a, b float64, least int) int {
	if Difference(a, b) == 0 || math.IsNaN(a-b) {
		return least
	}
	for decimals := least; decimals < least+mostApart; decimals++ {
		if Fixed(a, decimals) != Fixed(b, decimals) {
			return decimals
		}
	}
	return least + mostApart
}

// Pair writes two numbers for one sentence, with the same decimals: as few as both need, at most so many, and more only where they would
// look alike without being so.
func Pair(before, after float64, most int) (was, is string) {
	decimals := most
	for d := range most {
		if shown(before, d) == shown(before, most) && shown(after, d) == shown(after, most) {
			decimals = d
			break
		}
	}
	decimals = DecimalsApart(before, after, decimals)
	return Fixed(before, decimals), Fixed(after, decimals)
}

// shown is a number as it reads when it is written with so many decimals.
func shown(v float64, decimals int) float64 {
	out, err := strconv.ParseFloat(Fixed(v, decimals), 64)
	if err != nil { // it was written as a number
		return v
	}
	return out
}

func fixed(v float64, times int64, decimals int) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return strconv.FormatFloat(v, 'f', decimals, 64)
	}
	exact, _ := new(big.Rat).SetString(strconv.FormatFloat(v, 'f', -1, 64))
	s := exact.Mul(exact, new(big.Rat).SetInt64(times)).FloatString(decimals) // halves away from zero
	if strings.Trim(s, "-0.") == "" {
		return strings.TrimPrefix(s, "-")
	}
	return s
}
