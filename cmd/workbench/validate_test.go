package main

import (
	"encoding/json"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/validation"
)

// TestValidateJudge measures the offline judge on a few items, shows the stored card in both languages, and finds its status where
// the offline badge is.
func TestValidateJudge(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	if o := b.run("validate", "judge", "--show"); o.code != program.ExitUsage || !strings.Contains(o.stderr, "has not been validated") {
		t.Errorf("before: %d %s", o.code, o.stderr)
	}
	var card validation.JudgeCard
	if err := json.Unmarshal([]byte(b.must("validate", "judge", "--n", "4", "--probes", "J2,J7", "--json").stdout), &card); err != nil {
		t.Fatal(err)
	}
	if card.Judge != "offline/lexical" || len(card.Protocols) != 2 || card.Protocols["J7"].Checks[0].N == 0 ||
		card.Status == validation.Green {
		t.Errorf("the card is %+v", card)
	}
	for lang, words := range map[string]string{"en": "attacks that succeeded", "ja": "攻撃の成功率"} {
		if o := b.must("validate", "judge", "--show", "--lang", lang); !strings.Contains(o.stdout, words) {
			t.Errorf("--show --lang %s prints\n%s", lang, o.stdout)
		}
	}
	if o := b.must("ask", "-e", "{}/sweep.yaml", "Can a Saver ticket be refunded?"); !strings.Contains(o.stderr,
		"Judge card of offline/lexical: "+string(card.Status)) {
		t.Errorf("the badge says\n%s", o.stderr)
	}
	if o := b.must("validate", "judge", "--plan", "--n", "2", "--probes", "J7"); !strings.Contains(o.stdout, "at most 0 calls") {
		t.Errorf("the plan of the offline judge is\n%s", o.stdout)
	}
	for _, args := range [][]string{{"--probes", "J9"}, {"--n", "1"}, {"--judge", "x"}, {"--lang", "fr"}, {"--items", "{}/nowhere"}} {
		if o := b.run(append([]string{"validate", "judge"}, args...)...); o.code != program.ExitUsage ||
			!strings.Contains(o.stderr, "hint:") {
			t.Errorf("%v: %d %s", args, o.code, o.stderr)
		}
	}
}

// TestValidateVerdicts measures the offline judge against readers on the command line, and finds what it said on its card and in every
// comparison that calls answers worse.
func TestValidateVerdicts(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	pairs := filepath.Join("..", "..", "internal", "analysis", "validation", "testdata", "verdict_pairs.jsonl")
	var report struct {
		Worse, Better validation.WordScore
		Confusion     map[string]map[string]int
		Agreement     *validation.ReaderAgreement
		Judge         string
	}
	told := []byte(b.must("validate", "verdicts", pairs, "--json").stdout)
	var score validation.VerdictScore
	if err := errors.Join(json.Unmarshal(told, &report), json.Unmarshal(told, &score)); err != nil {
		t.Fatal(err)
	}
	_, _, doubted := score.DoubtsWorse()
	if report.Judge != "offline/lexical" || report.Worse.N < 40 || report.Better.Precision == nil || len(report.Confusion) != 4 ||
		report.Agreement != nil {
		t.Errorf("%+v", report)
	}
	for lang, words := range map[string]string{"en": "readers called", "ja": "読み手も「悪化」"} {
		if o := b.must("validate", "judge", "--show", "--lang", lang); strings.Contains(o.stdout, words) != doubted {
			t.Errorf("--show --lang %s prints\n%s", lang, o.stdout)
		}
	}
	b.must("run", "{}/sweep.yaml")
	b.must("run", "{}/closed.yaml")
	for _, args := range [][]string{{"compare", "faq", "closed"}, {"gate", "faq", "closed"}} {
		if o := b.run(args...); strings.Contains(o.stdout+o.stderr, "answers that this judge called worse") != doubted {
			t.Errorf("%v, warned %t:\n%s%s", args, doubted, o.stdout, o.stderr)
		}
	}
	if o := b.must("validate", "verdicts", pairs, "--plan"); !strings.Contains(o.stdout, "at most 0 calls") {
		t.Errorf("the plan of the offline judge is\n%s", o.stdout)
	}
	for _, args := range [][]string{{"{}/nowhere"}, {"{}/sweep.yaml"}, {pairs, "--judge", "x"}, {pairs, "--lang", "fr"}} {
		if o := b.run(append([]string{"validate", "verdicts"}, args...)...); o.code != program.ExitUsage ||
			!strings.Contains(o.stderr, "hint:") {
			t.Errorf("%v: %d %s", args, o.code, o.stderr)
		}
	}
}
