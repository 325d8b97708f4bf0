package formula

import (
	"encoding/json"
	"errors"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/metrics/textual"
)

// cannedJudge hands out the replies of a case and reads them as Ragas does: schemas are lax about numbers, strict about
// everything else; the legacy metrics mend a reply by asking again, up to three times.
type cannedJudge struct {
	profile textual.Profile
	replies []json.RawMessage
	next    int
	ranOut  bool
}

var (
	errNoReply   = errors.New("the judge has no reply left")
	errOffSchema = errors.New("the reply is not of the schema")
)

// take returns the next reply as text. A reply that the case gives as a JSON value is the text of that value.
func (j *cannedJudge) take() (string, error) {
	if j.next >= len(j.replies) {
		j.ranOut = true
		return "", errNoReply
	}
	raw := j.replies[j.next]
	j.next++
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s, nil
	}
	return string(raw), nil
}

// ask takes a reply and reads it; read says whether the reply is of the schema.
func (j *cannedJudge) ask(read func(any) bool) error {
	raw, err := j.take()
	if err != nil {
		return err
	}
	if j.profile == textual.ProfileLegacy {
		return j.readOrMend(raw, 3, read)
	}
	if v, ok := decodeReply(firstJSON(raw)); ok && read(v) {
		return nil
	}
	return errOffSchema
}

// readOrMend reads a reply or has it mended: the mended text must be right at once, only a reply of the mending that cannot
// itself be read is mended again.
func (j *cannedJudge) readOrMend(raw string, mendings int, read func(any) bool) error {
	if v, ok := decodeReply(bracketed(raw)); ok && read(v) {
		return nil
	}
	if mendings == 0 {
		return errOffSchema
	}
	again, err := j.take()
	if err != nil {
		return err
	}
	var mended string
	err = j.readOrMend(again, mendings-1, func(v any) bool {
		var ok bool
		mended, ok = laxText(fieldOf(v, "text"))
		return ok
	})
	if err != nil {
		return err
	}
	if v, ok := decodeReply(mended); ok && read(v) {
		return nil
	}
	return errOffSchema
}

// bracketed cuts JSON out as the legacy metrics do: from a json fence if there is one, from the first bracket to where as many
// are closed as opened, strings or not.
func bracketed(s string) string {
	if i := strings.Index(s, "```json"); i >= 0 {
		s = s[i:]
	}
	start := strings.IndexAny(s, "[{")
	if start < 0 {
		return s
	}
	opening, closing := s[start], byte('}')
	if opening == '[' {
		closing = ']'
	}
	depth := 0
	for i := start; i < len(s); i++ {
		switch s[i] {
		case opening:
			depth++
		case closing:
			depth--
		}
		if depth == 0 {
			return s[start : i+1]
		}
	}
	return s
}

// firstJSON is the JSON value of a text, or else what stands between its first brace and its last.
func firstJSON(s string) string {
	if json.Valid([]byte(s)) {
		return s
	}
	from, to := strings.Index(s, "{"), strings.LastIndex(s, "}")
	if from < 0 || to < from {
		return s
	}
	return s[from : to+1]
}

func decodeReply(s string) (any, bool) {
	d := json.NewDecoder(strings.NewReader(s))
	d.UseNumber()
	var v any
	if d.Decode(&v) != nil || d.More() {
		return nil, false
	}
	return v, true
}

func fieldOf(v any, name string) any {
	object, _ := v.(map[string]any)
	return object[name]
}

// laxText: only a text is a text.
func laxText(v any) (string, bool) {
	s, ok := v.(string)
	return s, ok
}

var wholeText = regexp.MustCompile(`^[+-]?\d+(?:_\d+)*(?:\.0*)?$`)

// laxInt: 1, 1.0, true, "1" and "01" are 1; 0.5, "yes", "true" and null are no integer.
func laxInt(v any) (int, bool) {
	switch x := v.(type) {
	case bool:
		return int(textual.Truth(x)), true
	case json.Number:
		f, err := x.Float64()
		return int(f), err == nil && f == math.Trunc(f)
	case string:
		s := strings.TrimSpace(x)
		if !wholeText.MatchString(s) {
			return 0, false
		}
		whole, _, _ := strings.Cut(strings.ReplaceAll(s, "_", ""), ".")
		n, err := strconv.Atoi(whole)
		return n, err == nil
	default:
		return 0, false
	}
}

// laxList reads every element; one that cannot be read spoils the list.
func laxList[T any](v any, read func(any) (T, bool)) ([]T, bool) {
	list, ok := v.([]any)
	if !ok {
		return nil, false
	}
	out := make([]T, 0, len(list))
	for _, e := range list {
		x, ok := read(e)
		if !ok {
			return nil, false
		}
		out = append(out, x)
	}
	return out, true
}

func (j *cannedJudge) askTexts(field string) (list []string, err error) {
	err = j.ask(func(v any) (ok bool) {
		list, ok = laxList(fieldOf(v, field), laxText)
		return ok
	})
	return list, err
}

// reasoned reads an integer of an object that must also hold these texts.
func reasoned(number string, texts ...string) func(any) (int, bool) {
	return func(v any) (int, bool) {
		for _, name := range texts {
			if _, ok := laxText(fieldOf(v, name)); !ok {
				return 0, false
			}
		}
		return laxInt(fieldOf(v, number))
	}
}

// askVerdicts asks for verdicts on a list of statements.
func (j *cannedJudge) askVerdicts(list, verdict string, sent int) (VerdictList, error) {
	l := VerdictList{Sent: sent}
	err := j.ask(func(v any) (ok bool) {
		l.Verdicts, ok = laxList(fieldOf(v, list), reasoned(verdict, "statement", "reason"))
		return ok
	})
	return l, err
}

func (j *cannedJudge) askInt(number string, texts ...string) (n int, err error) {
	err = j.ask(func(v any) (ok bool) {
		n, ok = reasoned(number, texts...)(v)
		return ok
	})
	return n, err
}

func TestLaxIntegers(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]int{"1": 1, `"1"`: 1, `"01"`: 1, "true": 1, "1.0": 1, "-1": -1, "2": 2, `" 3 "`: 3, "false": 0} {
		v, _ := decodeReply(raw)
		if got, ok := laxInt(v); !ok || got != want {
			t.Errorf("%s = %d, %v; want %d", raw, got, ok, want)
		}
	}
	for _, raw := range []string{"0.5", `"yes"`, `"true"`, "null", `""`, "[1]", `"0.5"`} {
		v, _ := decodeReply(raw)
		if got, ok := laxInt(v); ok {
			t.Errorf("%s was read as %d", raw, got)
		}
	}
}

func TestLegacyRepliesAreCutOutByCountingBrackets(t *testing.T) {
	t.Parallel()
	for raw, want := range map[string]string{
		`Here: {"a": {"b": 1}} and {"c": 2}`: `{"a": {"b": 1}}`,
		"[1] says\n```json\n{\"a\": 1}\n```": `{"a": 1}`,
		`see [1] for {"a": 1}`:               `[1]`,      // the earlier bracket wins
		`{"a": "}"}`:                         `{"a": "}`, // strings are not looked at
		`nothing`:                            `nothing`,
		`{"never": "closed"`:                 `{"never": "closed"`,
	} {
		if got := bracketed(raw); got != want {
			t.Errorf("bracketed(%q) = %q, want %q", raw, got, want)
		}
	}
}
