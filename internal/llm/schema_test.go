package llm

import (
	"encoding/json"
	"strings"
	"testing"
)

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

func FuzzExtractJSON(f *testing.F) {
	for _, seed := range []string{
		"", "{}", "```json\n{}\n```", "<think>a</think>{}", "a</think>{}", "```", "``````", "```\n```", `{"a":1,"A":2}`, `[1e999]`,
		`{"a":"\u0000"}`,
		"\ufeff[]", strings.Repeat("[", 50),
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		inner := extractJSON(text)
		if !strings.Contains(strings.ToValidUTF8(text, ""), strings.ToValidUTF8(inner, "")) {
			t.Fatalf("extractJSON(%q) = %q invents text", text, inner)
		}
		clean, _, err := checkJSON(inner)
		if err != nil {
			return
		}
		if !json.Valid([]byte(clean)) || strings.Contains(clean, `\u0000`) && !strings.Contains(clean, `\\u0000`) {
			t.Fatalf("checkJSON(%q) = %q", inner, clean)
		}
		if again, _, err := checkJSON(clean); err != nil || again != clean {
			t.Fatalf("checking twice: %q then %q, %v", clean, again, err)
		}
	})
}
