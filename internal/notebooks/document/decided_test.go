package document

import (
	"encoding/json"
	"os"
	"testing"
)

// TestDecisionsHaveOneWording: a notebook's file and page say a gate's decision as every other page does.
func TestDecisionsHaveOneWording(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "ja"} {
		body, err := os.ReadFile("../../../frontend/src/locales/" + lang + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var pages struct {
			Gate struct{ Decisions map[string]string }
		}
		if err := json.Unmarshal(body, &pages); err != nil || len(pages.Gate.Decisions) != 3 {
			t.Fatalf("%d decisions, %v", len(pages.Gate.Decisions), err)
		}
		for decision, word := range pages.Gate.Decisions {
			if got := Decided(decision).In(lang); got != word {
				t.Errorf("%s in %s: %q here, %q on pages", decision, lang, got, word)
			}
		}
	}
}
