package causes

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// TestWholeClaims makes a claim of a reference that is no sentence.
func TestWholeClaims(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reference, lang string
		claims, want    []string
	}{
		{"aviator", "en", []string{"aviator"}, []string{"What was he? aviator"}},
		{"aviator", "en", nil, []string{"What was he? aviator"}},
		{"二千円", "ja", nil, []string{"What was he? 二千円"}},
		{"He was an aviator.", "en", []string{"He was an aviator."}, []string{"He was an aviator."}},
		{"", "en", nil, nil},
	} {
		q := experiments.Question{Text: "What was he?", Reference: c.reference, Lang: c.lang}
		if diff := cmp.Diff(c.want, WholeClaims(q, c.claims)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", c.reference, diff)
		}
	}
}
