package text

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// Named reports whether a text may be the name of something: a letter or digit begins it, letters, digits and these marks follow, and it
// has at most so many characters. A pattern with such a bound takes milliseconds to compile.
func Named(s, marks string, most int) bool {
	for i, r := range s {
		if letter := unicode.IsLetter(r) || unicode.IsNumber(r); !letter && (i == 0 || !strings.ContainsRune(marks, r)) {
			return false
		}
	}
	return s != "" && utf8.ValidString(s) && utf8.RuneCountInString(s) <= most
}

// Pattern is a regular expression that is compiled when it is first used: a command that needs none pays for none. Its methods are those
// of [regexp.Regexp]; they panic where the expression is none. It is safe for concurrent use.
type Pattern struct{ compiled func() *regexp.Regexp }

// Lazy is the pattern of an expression.
func Lazy(expression string) *Pattern {
	return &Pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expression) })}
}

// MatchString is [regexp.Regexp.MatchString].
func (p *Pattern) MatchString(s string) bool { return p.compiled().MatchString(s) }

// Match is [regexp.Regexp.Match].
func (p *Pattern) Match(b []byte) bool { return p.compiled().Match(b) }

// FindString is [regexp.Regexp.FindString].
func (p *Pattern) FindString(s string) string { return p.compiled().FindString(s) }

// FindStringIndex is [regexp.Regexp.FindStringIndex].
func (p *Pattern) FindStringIndex(s string) []int { return p.compiled().FindStringIndex(s) }

// FindStringSubmatch is [regexp.Regexp.FindStringSubmatch].
func (p *Pattern) FindStringSubmatch(s string) []string { return p.compiled().FindStringSubmatch(s) }

// FindAllString is [regexp.Regexp.FindAllString].
func (p *Pattern) FindAllString(s string, n int) []string { return p.compiled().FindAllString(s, n) }

// FindAllStringIndex is [regexp.Regexp.FindAllStringIndex].
func (p *Pattern) FindAllStringIndex(s string, n int) [][]int {
	return p.compiled().FindAllStringIndex(s, n)
}

// FindAllStringSubmatch is [regexp.Regexp.FindAllStringSubmatch].
func (p *Pattern) FindAllStringSubmatch(s string, n int) [][]string {
	return p.compiled().FindAllStringSubmatch(s, n)
}

// FindAllStringSubmatchIndex is [regexp.Regexp.FindAllStringSubmatchIndex].
func (p *Pattern) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return p.compiled().FindAllStringSubmatchIndex(s, n)
}

// ReplaceAll is [regexp.Regexp.ReplaceAll].
func (p *Pattern) ReplaceAll(b, to []byte) []byte { return p.compiled().ReplaceAll(b, to) }

// ReplaceAllString is [regexp.Regexp.ReplaceAllString].
func (p *Pattern) ReplaceAllString(s, to string) string { return p.compiled().ReplaceAllString(s, to) }

// ReplaceAllStringFunc is [regexp.Regexp.ReplaceAllStringFunc].
func (p *Pattern) ReplaceAllStringFunc(s string, f func(string) string) string {
	return p.compiled().ReplaceAllStringFunc(s, f)
}

// Split is [regexp.Regexp.Split].
func (p *Pattern) Split(s string, n int) []string { return p.compiled().Split(s, n) }
