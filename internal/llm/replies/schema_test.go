package replies

import (
	"encoding/json"
	"strings"
	"testing"
)

func scoreForm(t testing.TB) *Form {
	t.Helper()
	f, err := FormOf(&Schema{Name: "score", Body: json.RawMessage(`{"type":"object","properties":{"score":{"type":"integer","minimum":1,"maximum":5},` +
		`"reason":{"type":"string"}},"required":["score"],"additionalProperties":false}`)})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestFoldIsGosOwn(t *testing.T) {
	t.Parallel()
	for _, key := range []string{"score", "Score", "SCORE", "ſcore", "ſCORE"} {
		var into struct{ Score int }
		quoted, _ := json.Marshal(key)
		if err := json.Unmarshal([]byte(`{`+string(quoted)+`:1}`), &into); err != nil {
			t.Fatal(err)
		}
		if taken := into.Score == 1; taken != (fold(key) == fold("score")) {
			t.Errorf("Go takes %q for score: %v; fold says otherwise", key, taken)
		}
	}
	if fold("score") == fold("scores") || fold("a_b") == fold("ab") {
		t.Error("different keys fold to one")
	}
}

func TestNestedDuplicates(t *testing.T) {
	t.Parallel()
	for text, ok := range map[string]bool{
		`{"a":{"x":1},"b":{"x":1}}`:     true,
		`[{"x":1},{"x":1}]`:             true,
		`{"a":"b","b":"a"}`:             true,
		`{"a":["b","b"]}`:               true,
		`{"a":[{"x":1,"y":[{"X":1}]}]}`: true,
		`{"a":{"x":1,"y":2,"X":3}}`:     false,
		`[[{"x":1,"x":1}]]`:             false,
		`{"a":{},"b":[],"A":1}`:         false,
		`{"K":1,"K":2}`:                 false, // the Kelvin sign
	} {
		if _, _, err := checkJSON(text); (err == nil) != ok {
			t.Errorf("%s: error = %v", text, err)
		}
	}
}

func TestNumbersThatNobodyCanUse(t *testing.T) {
	t.Parallel()
	for number, ok := range map[string]bool{
		"0": true, "-1.5e-3": true, "1E+2": true, "1e308": true, "1e-400": true,
		"1e400": false, "-1e309": false, "1e999999999": false, "1e-999999999": false, "1e99999999999999999999": false,
		strings.Repeat("9", 65): false,
	} {
		if _, _, err := checkJSON(`{"n":` + number + `}`); (err == nil) != ok {
			t.Errorf("%s: error = %v", number, err)
		}
	}
}

// strangely are ways in which models wrap the one object they were asked for.
var strangely = map[string]func(object, noise string) string{
	"plain":  func(o, _ string) string { return o },
	"fence":  func(o, _ string) string { return "```json\n" + o + "\n```" },
	"prose":  func(o, noise string) string { return noise + "\n" + o + "\n" + noise },
	"both":   func(o, noise string) string { return noise + "\n```\n" + o + "\n```\n" + noise },
	"thinks": func(o, noise string) string { return "<think>" + noise + `{"score":1}` + "</think>" + o },
	"list":   func(o, _ string) string { return "[" + o + "]" },
}

// Whatever stands around one valid object, either that object is read or nothing; beside another one nothing is.
func FuzzStrangeReplies(f *testing.F) {
	for how := range strangely {
		f.Add(how, "Sure, here it is:", "because \"it\" says {so}", 3)
	}
	f.Add("prose", `{"score":`, "x", 2)
	f.Add("prose", "```", "x", 2)
	f.Add("both", `"{`, "x", 5)
	f.Add("prose", "</think>", "x", 4)
	form := scoreForm(f)
	f.Fuzz(func(t *testing.T, how, noise, reason string, score int) {
		wrap := strangely[how]
		if wrap == nil || score < 1 || score > 5 {
			return
		}
		object, err := json.Marshal(map[string]any{"score": score, "reason": reason})
		if err != nil {
			return
		}
		var got struct{ Score int }
		if text, _, err := form.Read(wrap(string(object), noise)); err == nil {
			if json.Unmarshal([]byte(text), &got) != nil || got.Score != score {
				t.Fatalf("%q gave %q", wrap(string(object), noise), text)
			}
		} else if !strings.ContainsAny(noise, "{}[]<>|`\"'") {
			t.Fatalf("%q was not read: %v", wrap(string(object), noise), err)
		}
		if score > 1 {
			both := noise + string(object) + noise + `{"score":1}`
			if text, _, err := form.Read(both); err == nil && !strings.ContainsAny(noise, "{}[]<>|`\"'/#") {
				t.Fatalf("%q holds two objects and gave %q", both, text)
			}
		}
	})
}

func FuzzTidy(f *testing.F) {
	for _, seed := range []string{
		"{}", "{'a':1,}", "{a:1 /* x */}", "{“a”:“b”}", "{\"a\":\"b\nc\"}", "{a:True}", "{'a':'\\'\"'}", "{{{{", "{'", "{\"a\":1}",
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		written, n, tidied := tidy(text)
		switch {
		case n > len(text) || n == 0 && written != "":
			t.Fatalf("tidy(%q) = %q, %d", text, written, n)
		case n > 0 && json.Valid([]byte(text[:n])) && (tidied || written != text[:n]):
			t.Fatalf("tidy(%q) changed JSON to %q", text, written)
		}
		clean, _, err := checkJSON(written)
		if err != nil {
			return
		}
		if again, _, err := checkJSON(clean); err != nil || again != clean {
			t.Fatalf("checking twice: %q then %q, %v", clean, again, err)
		}
	})
}

const listBody = `{"type":"object","properties":{"words":{"type":"array","items":{"type":"string","minLength":1},"maxItems":2},` +
	`"cells":{"type":"array","items":{"type":"object","properties":{"n":{"type":"integer"},"is":{"type":"string","enum":["yes","no"]}},` +
	`"required":["n","is"],"additionalProperties":false}},"ok":{"type":"boolean"}},"additionalProperties":false}`

// What a list holds too much of is cut, what nobody can read of a partial one is lost alone, and never all of it.
func TestListsOfReplies(t *testing.T) {
	t.Parallel()
	whole := &Schema{Name: "lists", Body: json.RawMessage(listBody)}
	partial := &Schema{Name: "lists", Body: json.RawMessage(listBody), Partial: []string{"cells"}}
	for _, c := range []struct {
		schema             *Schema
		content, want, how string
	}{
		{whole, `{"words":["a","b","c"]}`, `{"words":["a","b"]}`, "list"},
		{whole, `{"words":["a","",null]}`, `{"words":["a"]}`, "list"},
		{whole, `{"words":["a"," "]}`, `{"words":["a"]}`, "list"},
		{whole, `{"ok":"True"}`, `{"ok":true}`, "type"},
		{whole, `{"cells":[{"n":"1","is":"Yes"},{"n":2,"is":"no"},{}]}`, `{"cells":[{"is":"yes","n":1},{"is":"no","n":2}]}`, "type list"},
		{whole, `{"cells":[{"n":1,"is":"yes"},{"n":2,"is":"unclear"}]}`, "", ""},
		{partial, `{"cells":[{"n":1,"is":"yes"},{"n":2,"is":"unclear"},"x"]}`, `{"cells":[{"is":"yes","n":1}]}`, "cell"},
		{partial, `{"cells":[{"n":2,"is":"unclear"}]}`, "", ""},
	} {
		f, err := FormOf(c.schema)
		if err != nil {
			t.Fatal(err)
		}
		got, how, err := f.Read(c.content)
		if got != c.want || how != c.how || (err == nil) != (c.want != "") {
			t.Errorf("%s gave %s (%s), %v; want %s (%s)", c.content, got, how, err, c.want, c.how)
		}
	}
}
