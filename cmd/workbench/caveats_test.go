package main

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
)

// TestCaveatsComeFirst: on a terminal it stands before any result of the built-in checker, and once, that it is not for decisions.
func TestCaveatsComeFirst(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	b.must("run", "{}/sweep.yaml", "--lang", "en")
	b.must("run", "{}/closed.yaml")
	b.must("diagnose", "closed")
	b.together = true
	for name, c := range map[string]struct {
		args   []string
		result map[string]string
	}{
		"compare":   {[]string{"compare", "faq", "closed"}, map[string]string{"en": "Worse than before", "ja": "以前より悪化"}},
		"diagnose":  {[]string{"diagnose", "closed", "--show"}, map[string]string{"en": "have a low score", "ja": "低スコア回答（"}},
		"runs show": {[]string{"runs", "show", "closed"}, map[string]string{"en": "low-score answer", "ja": "低スコア"}},
		"gate":      {[]string{"gate", "faq", "closed"}, map[string]string{"en": "6 got worse", "ja": "6問が悪化"}},
	} {
		for lang, result := range c.result {
			said := b.run(append(c.args, "--lang", lang)...).stdout
			caveat := findings.OfflineJudge(lang)
			at, of := strings.Index(said, caveat), strings.Index(said, result)
			if at < 0 || of < 0 || at > of || strings.Count(said, caveat) != 1 {
				t.Errorf("%s, %s: the caveat at %d, %q at %d:\n%s", name, lang, at, result, of, said)
			}
		}
	}
}
