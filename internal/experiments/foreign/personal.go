package foreign

import "github.com/rag-workbench/workbench/internal/text"

// secretLike finds what looks like a key or a password that somebody pasted into a text.
var secretLike = text.Lazy(`\b(?:sk|pk|ghp|gho|xox[abp]|AKIA|AIza)[-_]?[A-Za-z0-9_\-]{16,}|-----BEGIN [A-Z ]*PRIVATE KEY|` +
	`(?i)\b(?:password|passwd|api[ _-]?key|secret)\b\s*[:=]\s*\S{6,}`)

// Personal reports whether a text holds what the rules of [MaskRules] find, or what looks like a secret.
func Personal(s string) bool {
	for _, rule := range maskRules {
		for _, found := range rule.find.FindAllString(s, -1) {
			if rule.holds == nil || rule.holds(found) {
				return true
			}
		}
	}
	return secretLike.MatchString(s)
}
