package text

import "testing"

// TestNamesAreFoundWhateverTheirCapitals, where only one can be meant.
func TestNamesAreFoundWhateverTheirCapitals(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, want string
		among      []string
	}{
		{"faithfulness", "Faithfulness", []string{"tone", "Faithfulness"}},
		{"TONE", "tone", []string{"tone", "Faithfulness"}},
		{"Qualität", "QUALITÄT", []string{"QUALITÄT"}},
		{"tone", "tone", []string{"Tone", "tone"}},
		{"TONE", "", []string{"Tone", "tone"}},
		{"tones", "", []string{"Tone"}},
		{"", "", nil},
	} {
		if got, ok := NameAmong(c.name, c.among); got != c.want || ok != (c.want != "") {
			t.Errorf("%q among %q: %q %v", c.name, c.among, got, ok)
		}
	}
}
