package text

import "strings"

// Natural compares texts as people count: q-2 stands before q-10. Runs of digits compare as numbers, everything else by bytes; texts
// that are equal in that way compare by bytes. In the SQL of notebooks it is the collation natsort: natural is a word of SQL.
func Natural(a, b string) int {
	x, y := a, b
	for x != "" && y != "" {
		n, m := digits(x), digits(y)
		if n == 0 || m == 0 {
			if x[0] != y[0] {
				return int(x[0]) - int(y[0])
			}
			n, m = 1, 1
		} else {
			one, two := strings.TrimLeft(x[:n], "0"), strings.TrimLeft(y[:m], "0")
			if len(one) != len(two) {
				return len(one) - len(two)
			}
			if d := strings.Compare(one, two); d != 0 {
				return d
			}
		}
		x, y = x[n:], y[m:]
	}
	if len(x) != len(y) && (x == "" || y == "") {
		return len(x) - len(y)
	}
	return strings.Compare(a, b)
}

// digits is how many digits a text begins with.
func digits(s string) int {
	n := 0
	for n < len(s) && s[n] >= '0' && s[n] <= '9' {
		n++
	}
	return n
}
