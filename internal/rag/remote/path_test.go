package remote

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/problem"
)

func decoded(t *testing.T, body string) any {
	t.Helper()
	v, err := decodeReply([]byte(body))
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func TestPathFinds(t *testing.T) {
	t.Parallel()
	reply := decoded(t, `{"answer":"A","data":{"choices":[{"text":"x"},{"text":"y"},{}],"a.b":{"質問":1}},"none":[],"null":null}`)
	for _, test := range []struct {
		path string
		want []any
		lost string // the step that found nothing
	}{
		{"answer", []any{"A"}, ""},
		{"$.answer", []any{"A"}, ""},
		{"$", []any{reply}, ""},
		{"data.choices[1].text", []any{"y"}, ""},
		{"$.data.choices[*].text", []any{"x", "y"}, ""},
		{`data["a.b"].質問`, []any{json.Number("1")}, ""},
		{`$["answer"]`, []any{"A"}, ""},
		{"null", []any{nil}, ""},
		{"none[*].text", nil, ""},
		{"Answer", nil, "Answer"},
		{"data.choices[9].text", nil, "data.choices[9]"},
		{"answer.text", nil, "answer.text"},
		{"data[0]", nil, "data[0]"},
		{"none[0]", nil, "none[0]"},
		{"data.choices[*].body", nil, "data.choices[*].body"},
	} {
		p, err := ParsePath(test.path)
		if err != nil {
			t.Errorf("%s: %v", test.path, err)
			continue
		}
		found, lost := p.find(reply)
		if diff := cmp.Diff(test.want, found); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.path, diff)
		}
		step := ""
		if lost != nil && len(found) == 0 {
			step = lost.step
		}
		if step != test.lost {
			t.Errorf("%s: lost at %q, want %q", test.path, step, test.lost)
		}
	}
}

func TestPathRefused(t *testing.T) {
	t.Parallel()
	for _, path := range []string{
		"", ".a", "a.", "a..b", "a b", "a[", "a[]", "a[-1]", "a[1", "a[x]", "a[99999999999]", "$a", "$$", "a[*", `a["x]`, `a["x"`, "a[1]b",
		"a.b(c)", "a[?(@.x)]", "..a", "a[1:2]", strings.Repeat("a.", 33) + "a", strings.Repeat("a", 2000), "a\xff", "$.",
	} {
		p, err := ParsePath(path)
		if err == nil {
			t.Errorf("%q was read as %v", path, p.steps)
			continue
		}
		if problem.CodeOf(err) != "json_path" || problem.From(err).Hint == "" {
			t.Errorf("%q: %v", path, err)
		}
	}
}

// FuzzPath checks that no path or reply can make the parser or the search fail, and that a path says itself again.
func FuzzPath(f *testing.F) {
	for _, seed := range []string{"answer", "$.a[0][*].b", `x["a\"b"]`, "a[", "..", "$", "\x00", "質問[2]"} {
		f.Add(seed, `{"a":[[{"b":1}],2],"x":{"a\"b":null},"answer":"y"}`)
	}
	f.Fuzz(func(t *testing.T, path, body string) {
		p, err := ParsePath(path)
		if err != nil {
			if problem.CodeOf(err) != "json_path" {
				t.Fatalf("%q: %v is no Problem for people", path, err)
			}
			return
		}
		if again, err := ParsePath("$" + dotted(p)); err != nil || !cmp.Equal(p.steps, again.steps, cmp.AllowUnexported(pathStep{})) {
			t.Fatalf("%q says itself as %q: %v", path, describeSteps(p.steps), err)
		}
		var v any
		if json.Unmarshal([]byte(body), &v) != nil {
			return
		}
		if found, lost := p.find(v); len(found) > 0 && lost != nil || len(found) > maxMatches {
			t.Fatalf("%q found %d and lost %v", path, len(found), lost)
		}
	})
}

// dotted writes a path after $.
func dotted(p Path) string {
	s := describeSteps(p.steps)
	if s == "" || s[0] == '[' {
		return s
	}
	return "." + s
}
