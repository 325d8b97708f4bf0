package yaml

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// goal is a type with the shape that the library panics on: a list of structs.
type goal struct {
	Metric string   `yaml:"metric"`
	Target *float64 `yaml:"target"`
}

type agreed struct {
	Low     *float64       `yaml:"low"`
	Targets *[]goal        `yaml:"targets"`
	By      []string       `yaml:"by"`
	Sweep   MapSlice       `yaml:"sweep"`
	Base    map[string]any `yaml:"base"`
}

const panics = "low: 2\ntargets:\n  ! #0000\nby: [me]\n"

// TestMistakesHaveAPlace: whatever cannot be read is a mistake with its line, also where the library panics.
func TestMistakesHaveAPlace(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text, message string
		line          int
	}{
		"the library panics": {panics, "cannot be read", 3},
		"panics at once":     {"targets:\n  ! #0000", "cannot be read", 2},
		"unknown name":       {"low: 2\nlwo: 3\n", `there is no field "lwo" (did you mean "low"?)`, 2},
		"tab":                {"low:\n\t- x", "indented with a tab", 2},
		"no UTF-8":           {"low: 2\nby: [\x8a]", "not valid UTF-8", 2},
		"deep brackets":      {"by:\n " + strings.Repeat("[", MaxDepth+1), "more than 64 deep", 2},
		"deep marks":         {strings.Repeat("- ", MaxDepth+1) + "x", "more than 64 deep", 1},
		"deep indents":       {stairs(MaxDepth + 2), "more than 64 deep", MaxDepth + 2},
		"many names":         {strings.Repeat("a: 1\n", MaxNames+1), "more than 10000 names", MaxNames + 1},
		"long":               {strings.Repeat(" ", MaxBytes+1), "longer than 1024 KiB", 1},
	} {
		var out agreed
		wrong, ok := errors.AsType[*Mistake](ReadStrict([]byte(c.text), &out))
		if !ok || wrong.Line != c.line || !strings.Contains(wrong.Message, c.message) || !strings.Contains(wrong.Error(), wrong.Message) {
			t.Errorf("%s: %+v, want line %d and %q", name, wrong, c.line, c.message)
		}
	}
}

// stairs is a mapping that is n lines deep.
func stairs(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%sa:\n", strings.Repeat(" ", i))
	}
	return b.String()
}

func TestFields(t *testing.T) {
	t.Parallel()
	fields, lines, err := Fields([]byte("# note\na: 1\nb:\n  c: [x]\n"))
	if diff := cmp.Diff(map[string]int{"a": 2, "b": 3, "b.c": 4, "b.c[0]": 4}, lines); err != nil || diff != "" || len(fields) != 2 {
		t.Errorf("Fields = %v, %v\n%s", fields, err, diff)
	}
	for _, empty := range []string{"", "# only a note\n", "null", "---\n"} {
		if fields, _, err := Fields([]byte(empty)); err != nil || len(fields) != 0 {
			t.Errorf("Fields(%q) = %v, %v", empty, fields, err)
		}
	}
	for text, want := range map[string]string{
		"a: &x 1\nb: *x": "anchors", "a: 1\n---\nb: 2": "more than one document", "- a": "a list or a text", "a: [": "",
	} {
		if fields, _, err := Fields([]byte(text)); err == nil || !strings.Contains(err.Error(), want) || len(fields) != 0 {
			t.Errorf("Fields(%q) = %v, %v; want %q", text, fields, err, want)
		}
	}
}

// TestWhatIsWrittenIsRead checks that texts of several lines come back as they were.
func TestWhatIsWrittenIsRead(t *testing.T) {
	t.Parallel()
	want := map[string]any{"a": "one\ntwo\n", "b": "- # : ' \"", "c": "", "d": []any{"x", true}}
	for name, write := range map[string]func(any) ([]byte, error){"Write": Write, "WriteTexts": WriteTexts} {
		raw, err := write(want)
		got := map[string]any{}
		if err == nil {
			err = Read(raw, &got)
		}
		if diff := cmp.Diff(want, got); err != nil || diff != "" {
			t.Errorf("%s: %v\n%s\n%s", name, err, diff, raw)
		}
	}
}

// FuzzRead checks that no text gets through the door as a panic, whatever it is read into, and that mistakes lie within the text.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		panics, "targets:\n  ! #0000", "a: &x [*x]", "<<: *a", "sweep: {a: [1, 2]}", "by: !!binary x", "? - a\n: b",
		"base: {a: {b: |\n c}}", "- !", "a:\n\t- x", "%YAML 1.2\n---\n",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var out agreed
		var loose any
		_, _, fields := Fields([]byte(text))
		for _, err := range []error{ReadStrict([]byte(text), &out), Read([]byte(text), &loose), fields} {
			wrong, ok := errors.AsType[*Mistake](err)
			if err != nil && (!ok || wrong.Line < 1 || wrong.Line > strings.Count(text, "\n")+strings.Count(text, "\r")+2 ||
				wrong.Message == "") {
				t.Errorf("%q: %+v", text, err)
			}
		}
	})
}

// TestScalarsAreThoseOfThePage: 60 scalars mean the same to this reader and to the page's (frontend/src/pages/notebook/scalars.test.ts),
// wherever they stand.
func TestScalarsAreThoseOfThePage(t *testing.T) {
	t.Parallel()
	raw, err := os.ReadFile("testdata/scalars.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Text  string
		Value any
	}
	if err := json.Unmarshal(raw, &cases); err != nil || len(cases) != 60 {
		t.Fatal(len(cases), err)
	}
	for _, c := range cases {
		fields, _, err := Fields([]byte("v: " + c.Text + "\nl:\n  - " + c.Text + "\nm:\n  n: " + c.Text + "\n"))
		var got struct {
			V any
			L []any
			M map[string]any
		}
		if body, wrong := json.Marshal(fields); err != nil || wrong != nil || json.Unmarshal(body, &got) != nil {
			t.Errorf("%q: %v, %v", c.Text, err, wrong)
		}
		if diff := cmp.Diff([]any{c.Value, c.Value, c.Value}, []any{got.V, got.L[0], got.M["n"]}); diff != "" {
			t.Errorf("%q: %s", c.Text, diff)
		}
	}
}
