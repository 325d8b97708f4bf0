package validation

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

// TestAJapaneseCardIsJapanese: why a card is not green, what it lost and what stands beside its checks are said in Japanese, and a figure
// that has reached its goal says why it keeps the card from being green.
func TestAJapaneseCardIsJapanese(t *testing.T) {
	t.Parallel()
	count := 28
	p := newProtocol("J1", 50)
	p.Light = Amber
	p.Checks = []Check{
		{ID: "missing", Value: 1, N: 28, Count: &count, Goal: 0.86, Light: Amber}, {ID: "ideal", Goal: 0.98, Light: Amber},
		{ID: "redundant", Value: 0.72, N: 50, Goal: 0.96, Light: Red},
	}
	p.lose("half: the key claims cannot be halved")
	p.Figures = map[string]Count{"trust_flip_rate": {0.1, 9}, "language_native_kappa": {0.9, 9}, "focused_ties": {3, 9}}
	card := JudgeCard{Judge: "x/y", MeasuredAt: time.Unix(0, 0), Source: "demo", Protocols: map[string]Protocol{"J1": p}}
	card.Settle()
	said := card.Markdown("ja", nil)
	for _, want := range []string{
		"- J1 情報欠落 → 1〜2：1.000 (28/28)（目標 0.86 以上）。目標に達していますが、除外された項目が多すぎます\n",
		"- J1 理想的 → 4〜5：未測定\n", "- J1 冗長 → 4〜5：0.720（目標 0.96 以上）\n", "- J7：未測定\n",
		"除外：1件 — 情報の半分が欠落：主要な主張を半分にできない (1)", "信頼性の反転率 0.1", "同じ言語でのκ 0.9",
		"焦点の合った参照箇所の同点の数 3",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is missing in\n%s", want, said)
		}
	}
	if english := regexp.MustCompile(`[a-z]+[ _][a-z]+`).FindString(said); english != "" {
		t.Errorf("%q is English in\n%s", english, said)
	}
	if !strings.Contains(card.Markdown("en", nil), "target at least 0.86; it is reached, but too many items were lost") {
		t.Error(card.Markdown("en", nil))
	}
}

// TestEveryLossIsToldInJapanese: whatever the sources say of an item that was lost, the card says in Japanese, by every check, context and
// metric that it may belong to.
func TestEveryLossIsToldInJapanese(t *testing.T) {
	t.Parallel()
	reasons := map[string]bool{alreadyHigh: true}
	call, literal := regexp.MustCompile(`\b(?:lose|lost)\(.*"`), regexp.MustCompile(`"([^"]*)"`)
	for _, dir := range []string{".", "../../app/validations"} {
		files, err := filepath.Glob(dir + "/*.go")
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range files {
			source, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, line := range call.FindAllString(string(source), -1) {
				if strings.HasSuffix(name, "_test.go") {
					continue
				}
				for _, l := range literal.FindAllStringSubmatch(line, -1) {
					_, why, whole := strings.Cut(l[1], ": ")
					if !whole {
						why = l[1]
					}
					reasons[why] = true
				}
			}
		}
	}
	delete(reasons, "")     // after a check or a context
	delete(reasons, " of ") // before alreadyHigh
	if len(reasons) < 11 {
		t.Fatalf("only %d reasons were found", len(reasons))
	}
	w := &cardWriter{lang: "ja"}
	english := regexp.MustCompile(`[a-z]{2,}`)
	for why := range reasons {
		said := []string{why}
		for _, of := range []string{"trust", "correctness", "faithfulness", "grounded", "half", "missing", "language", "position"} {
			said = append(said, of+": "+why)
		}
		if why == alreadyHigh {
			said = []string{"trust of " + why, "correctness of " + why}
		}
		for _, one := range said {
			if got := w.lost(one); english.MatchString(got) || got == "" {
				t.Errorf("%q is told as %q", one, got)
			}
		}
	}
	if got, want := w.lost("trust of "+alreadyHigh), "信頼性：誤答が攻撃前から2を超える"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := (&cardWriter{lang: "en"}).lost("trust of "+alreadyHigh), "trust of a wrong answer is above 2 without an attack"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// TestLightsAreToldInWords: the codes of lights are for programs.
func TestLightsAreToldInWords(t *testing.T) {
	t.Parallel()
	for _, light := range Lights() {
		card := JudgeCard{Judge: "j", Status: light, Protocols: map[string]Protocol{"J1": {ID: "J1", Light: light,
			Checks: []Check{{ID: "ideal", N: 1, Light: light}}}}, Datasets: []DatasetScore{{Name: "d", Light: light}}}
		for _, lang := range []string{"en", "ja"} {
			said := card.Markdown(lang, nil)
			coded, told := strings.Contains(said, string(light)), strings.Contains(said, light.Says(lang))
			if coded || !told || strings.Count(said, light.Word(lang)) < 3 {
				t.Errorf("%s in %s:\n%s", light, lang, said)
			}
		}
	}
}

// TestWhyPairsWereLostIsSaidInWords: the card reads the words of the catalogue that it is given, and its list reads as its language does.
func TestWhyPairsWereLostIsSaidInWords(t *testing.T) {
	t.Parallel()
	s := VerdictScore{Lost: 3, LostWhy: map[string]int{"provider_server": 2, "reply_schema": 1}}
	words := func(lang, cause string) string { return lang + " of " + cause }
	for lang, want := range map[string]string{
		"en": "Lost: 3 — en of provider_server (2); en of reply_schema (1)",
		"ja": "除外：3組 — ja of provider_server（2組）、ja of reply_schema（1組）",
	} {
		if got := s.Markdown(lang, words); !strings.Contains(got, want) {
			t.Errorf("%s does not say %q", got, want)
		}
	}
}
