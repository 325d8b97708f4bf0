package document

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/rag"
)

// refusedAs is what a configuration says to a value at a place; "" when it takes it.
func refusedAs(t *testing.T, place, value string) string {
	t.Helper()
	parts := strings.Split(place, ".")
	var body any = value
	for _, name := range slices.Backward(parts) {
		body = map[string]any{name: body}
	}
	c := rag.DefaultConfig()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &c); err != nil {
		t.Fatal(place, err)
	}
	if err := c.Validate(); err != nil {
		_, want, _ := strings.Cut(err.Error(), "must be ")
		return want
	}
	return ""
}

// TestChoicesAreThoseOfAConfiguration: what forms offer is what a configuration takes, and it takes nothing else.
func TestChoicesAreThoseOfAConfiguration(t *testing.T) {
	t.Parallel()
	seen := 0
	var walk func(place string, fields []Field)
	walk = func(place string, fields []Field) {
		for _, f := range fields {
			here := strings.TrimPrefix(place+"."+f.Name, ".")
			walk(here, f.Fields)
			if len(f.Choices) == 0 || !strings.Contains(here, ".") {
				continue
			}
			seen++
			want := refusedAs(t, here, "nonsense")
			for _, choice := range f.Choices {
				if !strings.Contains(want, choice) {
					t.Errorf("%s: %q is offered, and a configuration takes %q", here, choice, want)
				}
				if got := refusedAs(t, here, choice); got == want {
					t.Errorf("%s: %q is refused: %s", here, choice, got)
				}
			}
			if listed := strings.Count(want, ",") + strings.Count(want, " or ") + 1; listed != len(f.Choices) {
				t.Errorf("%s: %d choices are offered of %q", here, len(f.Choices), want)
			}
		}
	}
	config, _ := SchemaOf("config")
	walk("", config.Fields)
	if seen != len(choices())-1 { // all but the judge's language
		t.Errorf("%d of %d places were found", seen, len(choices())-1)
	}
}
