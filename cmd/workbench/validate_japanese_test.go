package main

import (
	"os"
	"strings"
	"testing"
)

// englishIn are the English sentences that stand in what was printed in Japanese.
func englishIn(printed string) (found []string) {
	for line := range strings.Lines(printed) {
		if english := sentence.FindString(notWords.ReplaceAllString(line, "")); english != "" {
			found = append(found, english+" in: "+strings.TrimSpace(line))
		}
	}
	return found
}

// TestValidationsSpeakJapanese reads what the validations of "worse" and of causes print in Japanese.
func TestValidationsSpeakJapanese(t *testing.T) {
	t.Parallel()
	b := newBench(t).imported()
	file := "name: still\ncorpus: faq\ndataset: faq\nsuite: [correctness, trust]\nbase: {retrieve: {mode: bm25, k: 2}}\n"
	if err := os.WriteFile(b.path("still.yaml"), []byte(file), 0o600); err != nil {
		t.Fatal(err)
	}
	for verb, words := range map[string][]string{
		"validate regressions --runs 1": {"不均一なばらつき", "回帰ガード",
			"3回の平均", "回答し直して判定"},
		"validate regressions --experiment {}/still.yaml":                                   {"費用はかかっていません"},
		"validate regressions --experiment {}/still.yaml --plan":                            {"自分自身と比較"},
		"validate causes --batches 1 --noise 5 --condition database_deleted":                {"データの分類", "作成したコーパス", "期待した原因"},
		"validate causes --items faq --corpus faq --judge offline --n 2 --misses --noise 0": {"部品の分類"},
	} {
		o := b.run(append(strings.Fields(verb), "--lang", "ja")...)
		for _, english := range englishIn(o.stdout + o.stderr) {
			t.Errorf("%s --lang ja: %s", verb, english)
		}
		for _, want := range words {
			if !strings.Contains(o.stdout, want) {
				t.Errorf("%s: no %q in\n%s%s", verb, want, o.stdout, o.stderr)
			}
		}
	}
}
