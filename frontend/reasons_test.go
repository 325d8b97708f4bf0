package frontend

import (
	"strings"
	"testing"
)

// TestReasonsInTheWordsOfThePages says each part of a reason in Japanese, with its moments by somebody's clock; what others wrote stays.
func TestReasonsInTheWordsOfThePages(t *testing.T) {
	t.Parallel()
	clock := func(moment string) string { return "<" + moment + ">" }
	for written, want := range map[string]string{
		"":                                     "",
		"provider x: connection refused":       "provider x: connection refused",
		"somebody paused it":                   "手動で停止しました",
		"it was cancelled: the next slot came": "中止されました：次の予定時刻になりました",
		"noticed too late, at 2026-11-01 01:15 UTC; a newer slot is caught up": "<2026-11-01 01:15 UTC>に検出した時点で、すでに遅すぎました；" +
			"代わりに新しい予定を実行します",
		"a newer slot is caught up; queue full":                  "代わりに新しい予定を実行します；queue full",
		"down from 2026-11-01 20:10 UTC to 2026-11-02 07:30 UTC": "<2026-11-01 20:10 UTC>から<2026-11-02 07:30 UTC>まで停止していました",
	} {
		if got := Reason("ja", written, clock); got != want {
			t.Errorf("%q is %q, want %q", written, got, want)
		}
	}
	for _, r := range reasons() {
		for _, lang := range []string{"en", "ja"} {
			said := Words(lang, "schedules.why."+r.key)
			if said == "schedules.why."+r.key {
				t.Errorf("no words (%s) for %s", lang, r.pattern)
			}
			for _, name := range r.names {
				if !strings.Contains(said, "{{"+strings.TrimLeft(name, "@=")+"}}") {
					t.Errorf("%s does not say its %s: %s", r.pattern, name, said)
				}
			}
		}
	}
	if got := Words("ja", "gate.decisions.nothing"); got != "gate.decisions.nothing" {
		t.Errorf("a word that there is not is %q", got)
	}
}
