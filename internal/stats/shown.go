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

// Percent writes a share of 1 in per cent, as [Fixed] and without a unit: 0.145 is 15.
func Percent(share float64, decimals int) string { return fixed(share, 100, decimals) }

// ShownDifference is the difference of two numbers as it is shown beside them: of the numbers as they are written with so many decimals, so
// that a reader who subtracts finds what stands there.
func ShownDifference(before, after float64, decimals int) float64 {
	return shown(shown(after, decimals)-shown(before, decimals), decimals)
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
