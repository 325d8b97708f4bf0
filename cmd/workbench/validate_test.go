package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis"
)

// TestValidateJudge measures the offline judge on a few items, shows the stored card in both languages, and finds its status where
// the offline badge is.
func TestValidateJudge(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	if o := b.run("validate", "judge", "--show"); o.code != exitUsage || !strings.Contains(o.stderr, "has not been validated") {
		t.Errorf("before: %d %s", o.code, o.stderr)
	}
	var card analysis.JudgeCard
	if err := json.Unmarshal([]byte(b.must("validate", "judge", "--n", "4", "--probes", "J2,J7", "--json").stdout), &card); err != nil {
		t.Fatal(err)
	}
	if card.Judge != "offline/lexical" || len(card.Protocols) != 2 || card.Protocols["J7"].Checks[0].N == 0 || card.Status == analysis.Green {
		t.Errorf("the card is %+v", card)
	}
	for lang, words := range map[string]string{"en": "attacks that succeeded", "ja": "攻撃の成功率"} {
		if o := b.must("validate", "judge", "--show", "--lang", lang); !strings.Contains(o.stdout, words) {
			t.Errorf("--show --lang %s prints\n%s", lang, o.stdout)
		}
	}
	if o := b.must("ask", "-e", "{}/sweep.yaml", "Can a Saver ticket be refunded?"); !strings.Contains(o.stderr, "Judge card of offline/lexical: "+string(card.Status)) {
		t.Errorf("the badge says\n%s", o.stderr)
	}
	if o := b.must("validate", "judge", "--plan", "--n", "2", "--probes", "J7"); !strings.Contains(o.stdout, "at most 0 calls") {
		t.Errorf("the plan of the offline judge is\n%s", o.stdout)
	}
	for _, args := range [][]string{{"--probes", "J9"}, {"--n", "1"}, {"--judge", "x"}, {"--lang", "fr"}, {"--items", "{}/nowhere"}} {
		if o := b.run(append([]string{"validate", "judge"}, args...)...); o.code != exitUsage || !strings.Contains(o.stderr, "hint:") {
			t.Errorf("%v: %d %s", args, o.code, o.stderr)
		}
	}
}
