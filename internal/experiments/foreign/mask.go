package foreign

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// maskRule finds personal data of one kind.
type maskRule struct {
	name  string
	find  *text.Pattern
	holds func(string) bool // nil: everything found is
}

// maskRules are the rules that have a name, in the order in which they are applied.
var maskRules = []maskRule{
	{"email", text.Lazy(`[A-Za-z0-9._%+\-]+@[A-Za-z0-9\-]+(?:\.[A-Za-z0-9\-]+)+`), nil},
	{"card", text.Lazy(`\b\d(?:[ \-]?\d){12,18}\b`), luhn},
	{"phone", text.Lazy(`\+\d[\d ()./\-]{7,18}\d|` + // international
		`\b0\d{0,4}\)?[ .\-]\d{1,4}[ .\-]\d{3,4}\b|` + // with the area
		`\(0?\d{2,4}\) ?\d{2,4}-\d{4}\b|\b0[5789]0\d{8}\b`), func(s string) bool { return digits(s) >= 9 }},
}

// MaskRules are the names of the rules that hide personal data.
func MaskRules() []string { return mapped(maskRules, func(r maskRule) string { return r.name }) }

// masks are the rules that options ask for: names of rules, name=EXPRESSION for one of one's own, or none. Traces are masked by all that
// have a name unless something else is asked for.
func masks(traces bool, asked []string) (rules []maskRule, err error) {
	if len(asked) == 0 && traces {
		return maskRules, nil
	}
	for _, one := range asked {
		name, expression, own := strings.Cut(one, "=")
		at := slices.Index(MaskRules(), one)
		switch {
		case one == "none" && len(asked) == 1:
			return nil, nil
		case own && name != "":
			find, err := regexp.Compile(expression)
			if err != nil || find.MatchString("") {
				return nil, maskProblem(one, "it is no expression that finds something")
			}
			rules = append(rules, maskRule{name, text.Lazy(expression), nil})
		case at >= 0:
			rules = append(rules, maskRules[at])
		default:
			return nil, maskProblem(one, "there is no such rule")
		}
	}
	return rules, nil
}

func maskProblem(rule, why string) error {
	return problem.New(problem.Invalid, "mask", "the mask %q cannot be used: %s", rule, why).With("field", "mask").
		WithHint("--mask is one of %s, none, or a rule of your own: --mask 'customer=C-[0-9]+'", strings.Join(MaskRules(), ", "))
}

// hide replaces personal data in all texts of an item by the name of its kind, so that none of it is stored.
func (r *foreignReader) hide(item *ForeignItem) {
	item.Question, item.Reference = r.hidden(item.Question), r.hidden(item.Reference)
	item.Failure = r.hidden(item.Failure)
	if item.Answer != nil {
		answer := r.hidden(*item.Answer)
		item.Answer = &answer
	}
	for i := range item.Contexts {
		item.Contexts[i].Text = r.hidden(item.Contexts[i].Text)
	}
}

// masker replaces what rules find.
type masker struct {
	rules  []maskRule
	masked map[string]int // places by rule
}

func (m *masker) hidden(s string) string {
	for _, rule := range m.rules {
		s = rule.find.ReplaceAllStringFunc(s, func(found string) string {
			if rule.holds != nil && !rule.holds(found) {
				return found
			}
			m.masked[rule.name]++
			return "[" + rule.name + "]"
		})
	}
	return s
}

// hiddenValue hides personal data wherever it stands in a value. A text that is JSON is looked through as what it says, since its
// escapes can hide what a rule would find.
func (m *masker) hiddenValue(v any) any {
	switch v := v.(type) {
	case string:
		if inner, err := decodeForeign(v); err == nil && strings.ContainsAny(v, `{["`) {
			if masked := m.hiddenValue(inner); !reflect.DeepEqual(inner, masked) {
				if shown, err := json.Marshal(masked); err == nil {
					return string(shown)
				}
			}
		}
		return m.hidden(v)
	case json.Number:
		if s := v.String(); m.hidden(s) != s {
			return m.hidden(s)
		}
	case []any:
		return mapped(v, m.hiddenValue)
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, one := range v {
			out[m.hidden(key)] = m.hiddenValue(one)
		}
		return out
	}
	return v
}

// maskNotes says how often each rule found something.
func (m *masker) maskNotes() (notes []string) {
	for _, rule := range m.rules {
		if n := m.masked[rule.name]; n > 0 {
			notes = append(notes, fmt.Sprintf("masked as [%s]: %s", rule.name, intake.Plural(n, "place")))
		}
	}
	return notes
}

// luhn reports whether digits are a card's number: the check digit fits.
func luhn(s string) bool {
	sum, n := 0, 0
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] < '0' || s[i] > '9' {
			continue
		}
		d := int(s[i] - '0')
		if n%2 == 1 {
			if d *= 2; d > 9 {
				d -= 9
			}
		}
		sum, n = sum+d, n+1
	}
	return sum%10 == 0
}

func digits(s string) (n int) {
	for _, c := range s {
		if c >= '0' && c <= '9' {
			n++
		}
	}
	return n
}
