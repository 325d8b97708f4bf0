package yaml

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// Kind is what the value of a field must be.
type Kind int

// The kinds of values.
const (
	Anything Kind = iota
	Text
	Number
	Whole
	Truth
	List
	Mapping
	Duration
)

// In is the kind in words of a language: "a whole number".
func (k Kind) In(lang string) string {
	words := [...][2]string{
		{"a value", "値"}, {"a text", "文字列"}, {"a number", "数値"}, {"a whole number", "整数"},
		{"true or false", "true または false"}, {"a list like [a, b]", "[a, b] のようなリスト"},
		{"names with values like {name: value}", "{名前: 値} の形"}, {"a duration like 30s, 10m or 24h", "30s、10m、24h のような時間"},
	}[k]
	if lang == "ja" {
		return words[1]
	}
	return words[0]
}

// Words is the kind as an argument of a message.
func (k Kind) Words() fmt.Stringer { return problem.Both(k.In("en"), k.In("ja")) }

// Shown is a value as people write it: quotation marks stand around a text that would be a number without them.
func Shown(v any) string { return text.Cut(flow(v), 60) }

func flow(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		if _, number := text.ReadNumber(v); number || v == "" || slices.Contains([]string{"true", "false", "null", "~"}, v) {
			return strconv.Quote(v)
		}
		return v
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	case []any:
		parts := make([]string, len(v))
		for i, x := range v {
			parts[i] = flow(x)
		}
		return "[" + strings.Join(parts, ", ") + "]"
	case map[string]any:
		var parts []string
		for _, name := range slices.Sorted(maps.Keys(v)) {
			parts = append(parts, name+": "+flow(v[name]))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case MapSlice:
		var parts []string
		for _, item := range v {
			parts = append(parts, fmt.Sprint(item.Key)+": "+flow(item.Value))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return fmt.Sprint(v)
}

// Advise adds to a problem with the value of a field what to write instead, and reports whether the value tells that.
func Advise(p *problem.Problem, field string, v any, must Kind) bool {
	name := field[strings.LastIndexByte(field, '.')+1:]
	name, _, _ = strings.Cut(name, "[")
	said, isText := v.(string)
	number, isNumber := text.ReadShare(said)
	list, isList := v.([]any)
	switch {
	case (must == Number || must == Whole) && isText && isNumber && (must == Number || number == float64(int64(number))):
		p.WithHint("write the number without quotation marks or a percent sign: %s: %s", name, flow(number))
	case must == Number || must == Whole:
		p.WithHint("write digits: %s: 3", name)
	case must == Truth:
		p.WithHint("write true or false, without quotation marks: %s: true", name)
	case must == List && !isList && isScalar(v):
		p.WithHint("put it in brackets: %s: [%s]", name, flow(v))
	case must == List:
		p.WithHint("write values in brackets: %s: [a, b]", name)
	case must == Text && isList && len(list) == 1 && isScalar(list[0]):
		p.WithHint("leave the brackets out: %s: %s", name, flow(list[0]))
	case must == Text && isScalar(v):
		p.WithHint("put it in quotation marks: %s: \"%s\"", name, flow(v))
	case must == Text:
		p.WithHint("write one text; where it holds a colon, brackets or braces, put it in quotation marks: %s: \"…\"", name)
	case must == Mapping:
		p.WithHint("write names with their values below it, indented, or in braces: %s: {name: value}", name)
	default:
		return false
	}
	return true
}

func isScalar(v any) bool {
	switch v.(type) {
	case nil, []any, map[string]any, MapSlice:
		return false
	}
	return true
}
