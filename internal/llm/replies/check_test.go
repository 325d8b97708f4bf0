package replies

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// TestCheckIsThatOfTheLibrary sets what is said of random values under random schemas beside what a library for the whole standard says.
func TestCheckIsThatOfTheLibrary(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	fit := 0
	for range 3000 {
		body, err := json.Marshal(randomSchema(r, 3))
		if err != nil {
			t.Fatal(err)
		}
		ours, err := shapeOf(&Schema{Name: "random", Body: body})
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		c := jsonschema.NewCompiler()
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		if err := c.AddResource("mem:///s", doc); err != nil {
			t.Fatal(err)
		}
		theirs, err := c.Compile("mem:///s")
		if err != nil {
			t.Fatalf("%s: %v", body, err)
		}
		for range 20 {
			value := randomValue(r, 3)
			if err := ours.check(value, ""); (err == nil) != (theirs.Validate(value) == nil) {
				t.Fatalf("%v under %s: %v, the library %v", value, body, err, theirs.Validate(value))
			} else if err == nil {
				fit++
			}
		}
	}
	if fit < 3000 || fit > 57_000 {
		t.Errorf("%d of 60000 values fit: the schemas tell nothing apart", fit)
	}
}

var (
	names = []string{"a", "b", "score"}
	words = []string{"", "yes", "no", "誕生日", "partly"}
)

func randomSchema(r *rand.Rand, depth int) map[string]any {
	s := map[string]any{}
	if r.IntN(4) > 0 {
		s["type"] = []string{"string", "integer", "number", "boolean", "null", "object", "array"}[r.IntN(7)]
	}
	with := func(key string, most int) {
		if r.IntN(5) == 0 {
			s[key] = r.IntN(most)
		}
	}
	with("minimum", 4)
	with("maximum", 9)
	with("minLength", 4)
	with("maxLength", 5)
	with("minItems", 3)
	with("maxItems", 4)
	if r.IntN(6) == 0 {
		s["enum"] = words[r.IntN(3):]
	}
	if depth > 0 && r.IntN(2) == 0 {
		s["items"] = randomSchema(r, depth-1)
		properties := map[string]any{}
		for _, name := range names[r.IntN(3):] {
			properties[name] = randomSchema(r, depth-1)
		}
		s["properties"] = properties
	}
	if r.IntN(4) == 0 {
		s["required"] = names[:1+r.IntN(2)]
	}
	if r.IntN(3) == 0 {
		s["additionalProperties"] = r.IntN(2) == 0
	}
	return s
}

func randomValue(r *rand.Rand, depth int) any {
	kinds := 9
	if depth == 0 {
		kinds = 6
	}
	switch r.IntN(kinds) {
	case 0:
		return nil
	case 1:
		return r.IntN(2) == 0
	case 2, 3:
		return words[r.IntN(len(words))]
	case 4:
		return json.Number(fmt.Sprint(r.IntN(12) - 1))
	case 5:
		numbers := []json.Number{"2.0", "2.5", "3e0", "0.99999999999999999999999", "-1e-300", "12345678901234567890", "4.01", "-0"}
		return numbers[r.IntN(len(numbers))]
	case 6:
		list := []any{}
		for range r.IntN(5) {
			list = append(list, randomValue(r, depth-1))
		}
		return list
	default:
		object := map[string]any{}
		for _, name := range append([]string{"other"}, names...)[r.IntN(4):] {
			object[name] = randomValue(r, depth-1)
		}
		return object
	}
}

// A schema that asks for what is not looked at is refused, and one that is none.
func TestSchemasThatSayMoreAreRefused(t *testing.T) {
	t.Parallel()
	for body, why := range map[string]string{
		`{"$ref":"file:///etc/hostname"}`:                   `"$ref"`,
		`{"properties":{"a":{"pattern":"^x"}}}`:             `"pattern"`,
		`{"type":12}`:                                       "type",
		`{"type":"text"}`:                                   `no type "text"`,
		`{"properties":{"a":{"items":{"type":"verdict"}}}}`: `no type "verdict"`,
		`{"type":"object"} {}`:                              "not one object",
		`null`:                                              "not one object",
		`[]`:                                                "cannot be used",
		`{"type":"object","properties":{"list":{"type":"array"`: "cannot be used",
	} {
		if _, err := FormOf(&Schema{Name: "s", Body: json.RawMessage(body)}); err == nil || !strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v, want %s", body, err, why)
		}
	}
	if _, err := FormOf(&Schema{Name: "s", Body: json.RawMessage(`{"type":"object"}`), Partial: []string{"list"}}); err == nil {
		t.Error("a list that the schema does not have may be partial")
	}
}

// What is wrong is told with its place.
func TestWhatIsWrongHasItsPlace(t *testing.T) {
	t.Parallel()
	f, err := FormOf(&Schema{Name: "cells", Body: json.RawMessage(`{"type":"object","properties":{"cells":{"type":"array","maxItems":2,"items":` +
		`{"type":"object","properties":{"claim":{"type":"integer","minimum":1},"verdict":{"type":"string","enum":["supported","contradicted"]}},` +
		`"required":["claim"],"additionalProperties":false}}},"required":["cells"]}`)})
	if err != nil {
		t.Fatal(err)
	}
	for reply, want := range map[string]string{
		`{}`:                      `the whole lacks "cells"`,
		`{"cells":1}`:             "/cells is no array",
		`{"cells":[{"claim":0}]}`: "/cells/0/claim is less than 1",
		`{"cells":[{"claim":1},{"claim":1,"verdict":"maybe"}]}`: `/cells/1/verdict is none of ["supported" "contradicted"]`,
		`{"cells":[{"claim":1,"why":"so"}]}`:                    `/cells/0 has "why", which nobody asked for`,
		`{"cells":[{"claim":2.5}]}`:                             "/cells/0/claim is no integer",
	} {
		if _, _, err := f.Read(reply); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", reply, err, want)
		}
	}
}
