package text

import "strings"

// NameAmong finds the name that a person means: as it stands, else the only one that differs from it by capitals alone.
func NameAmong(name string, names []string) (string, bool) {
	found, alike := "", 0
	for _, n := range names {
		switch {
		case n == name:
			return n, true
		case strings.EqualFold(n, name):
			found, alike = n, alike+1
		}
	}
	if alike != 1 {
		return "", false
	}
	return found, true
}
