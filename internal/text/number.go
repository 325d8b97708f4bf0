package text

import (
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"
)

var (
	plainNumber = Lazy(`^[-+]?(?:[0-9]+(?:[.,][0-9]+)?|[.,][0-9]+)$`)
	exponential = Lazy(`^[-+]?[0-9]*\.?[0-9]+[eE][-+]?[0-9]{1,2}$`)
	eitherComma = Lazy(`^[-+]?[1-9][0-9]{0,2},[0-9]{3}$`)
)

// ReadNumber reads one number as people write it: 0.3 and 0,3 are the same. What may be two numbers is none: 1,250.
func ReadNumber(s string) (float64, bool) {
	s = strings.ReplaceAll(strings.TrimSpace(norm.NFKC.String(s)), "−", "-")
	switch {
	case exponential.MatchString(s):
	case plainNumber.MatchString(s) && !eitherComma.MatchString(s):
		s = strings.ReplaceAll(s, ",", ".")
	default:
		return 0, false
	}
	n, err := strconv.ParseFloat(s, 64)
	return n, err == nil
}

// ReadShare reads a share of 1, which people also write as a percentage: 0.3, 0,3 and 30% are the same.
func ReadShare(s string) (float64, bool) {
	number, percent := strings.CutSuffix(strings.TrimSpace(norm.NFKC.String(s)), "%")
	n, ok := ReadNumber(number)
	if percent {
		n /= 100
	}
	return n, ok
}
