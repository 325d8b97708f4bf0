package stats

import "strconv"

// ShownDifference is the difference of two numbers as it is shown beside them: of the numbers as they are written with so many decimals, so
// that a reader who subtracts finds what stands there.
func ShownDifference(before, after float64, decimals int) float64 {
	return shown(shown(after, decimals)-shown(before, decimals), decimals)
}

// shown is a number as it reads when it is written with so many decimals.
func shown(v float64, decimals int) float64 {
	out, err := strconv.ParseFloat(strconv.FormatFloat(v, 'f', decimals, 64), 64)
	if err != nil { // it was written as a number
		return v
	}
	return out
}
