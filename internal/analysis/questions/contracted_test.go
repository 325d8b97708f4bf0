package questions

import "testing"

// TestGrammarIsNoKeyword: contractions are grammar, with either apostrophe; a possessive is a word.
func TestGrammarIsNoKeyword(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]bool{
		"i'm": false, "i’m": false, "you've": false, "they'll": false, "he's": false, "couldn’t": false, "we'd": false, "let's": false,
		"patient's": true, "baggage": true, "fare": true,
	} {
		if isKeyword(word) != want {
			t.Errorf("%s: keyword %t", word, !want)
		}
	}
}
