package textual

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestLatinWordsAreWhatThePatternFinds: the loop finds what this pattern says.
func TestLatinWordsAreWhatThePatternFinds(t *testing.T) {
	t.Parallel()
	pattern := regexp.MustCompile(`[~/]*[a-z0-9][a-z0-9._/=@~+-]*`)
	random := rand.New(rand.NewPCG(27, 1)) //nolint:gosec // a seed
	signs := []string{"a", "z9", "0", "~", "/", ".", "_", "=", "@", "+", "-", " ", "値", "é", "A", "a"}
	for range 20_000 {
		var text strings.Builder
		for range random.IntN(14) {
			text.WriteString(signs[random.IntN(len(signs))])
		}
		var want []string
		for _, w := range pattern.FindAllString(text.String(), -1) {
			if w = strings.TrimRight(w, codeSigns); w != "" && !slices.Contains(want, w) {
				want = append(want, w)
			}
		}
		if got := latinWords(text.String()); !slices.Equal(want, got) {
			t.Fatalf("%q: %q, want %q", text.String(), got, want)
		}
	}
}

func TestCodeWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		reference, question, answer string
		all, lacking                int
	}{
		{"In ~/.keys/door_a.pub.", "Where is the key?", "The key lies in ~/.keys/door_a.", 1, 1},
		{"In ~/.keys/door_a.pub.", "Where is the key?", "It is kept as $HOME/.keys/door_a.pub, beside the other.", 1, 0},
		{"In ~/.keys/door_a.pub.", "Where is the key?", "Look for `door_a.pub` [1].", 1, 0},
		{"In ~/.keys/door_a.pub.", "Is it ~/.keys/door_a.pub?", "Yes.", 0, 0},
		{"Set guests=yes in /etc/gate.conf.", "How are guests let in?", "Edit /etc/gate.conf.", 2, 1},
		{"visitor", "Which name is it?", "Set visitor_enable=yes.", 1, 1},
		{"visitor", "Which name is it?", "Log in as visitor; visitor_enable is on.", 0, 0},
		{"visitor", "Which name is it?", "A guest.", 0, 0},
		{"Dogs and/or cats, e.g. pugs, for 1.5 hours on 24/11/2020.", "Who?", "Pugs.", 0, 0},
		{"visitor です。", "ユーザ名は何ですか。", "来客を認めるには visitor_enable=YES とします。", 1, 1},
		{"visitor です。", "ユーザ名は何ですか。", "visitorという名前で入ります。", 0, 0},
		{"鍵は /srv/keys/ に置きます。", "鍵はどこですか。", "鍵は/srv/keys に置かれます。", 1, 0},
		{"鍵は /srv/keys/ に置きます。", "鍵はどこですか。", "鍵は棚に置きます。", 1, 1},
	} {
		if all, lacking := CodeWords(c.reference, c.question, c.answer); all != c.all || lacking != c.lacking {
			t.Errorf("%q of %q: %d, lacking %d; want %d, %d", c.answer, c.reference, all, lacking, c.all, c.lacking)
		}
	}
}
