package intake

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/text"
)

// voteRow is one way in which columns are called that hold one vote of several; metric and number are groups of its pattern.
type voteRow struct {
	certain        bool // only a vote is called so
	measure        bool // and only where the metric is one of [measures]
	metric, number int
	pattern        *text.Pattern
}

// VoteColumn takes the name of a column apart into a metric and the number of a vote; certain is whether only a vote is called so. ok is
// false for other names.
func VoteColumn(name string) (metric string, number int, certain, ok bool) {
	s := strings.TrimSpace(norm.NFKC.String(name))
	for _, row := range voteNames {
		m := row.pattern.FindStringSubmatch(s)
		if m == nil {
			continue
		}
		metric = strings.TrimSpace(m[row.metric])
		if row.measure && !IsMeasure(metric) {
			continue
		}
		if number, _ = strconv.Atoi(m[row.number]); number == 0 && m[row.number][0] > '9' { // rater A, rater B
			number = int(m[row.number][0]|0x20-'a') + 1
		}
		return metric, number, row.certain && metric != "", true
	}
	return "", 0, false, false
}

// IsMeasure reports whether a name is that of one measure, whatever number stands behind it.
func IsMeasure(name string) bool {
	found, between := false, func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) }
	for _, part := range strings.FieldsFunc(strings.ToLower(CamelApart(name)), between) {
		switch {
		case slices.Contains(measures, part):
			found = true
		case !slices.Contains(besideMeasures, part):
			return false
		}
	}
	return found
}
