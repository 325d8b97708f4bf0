package textual

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// overlaps are the text metrics by name, on the fixed profile.
var overlaps = map[string]func(answer, reference string) float64{
	"exact_match":  ExactMatch,
	"presence":     StringPresence,
	"levenshtein":  LevenshteinSimilarity,
	"hamming":      HammingSimilarity,
	"jaro":         JaroSimilarity,
	"jaro_winkler": JaroWinklerSimilarity,
	"token_f1":     TokenF1,
	"rouge1":       func(a, r string) float64 { return Rouge1(ProfileFixed, RougeFMeasure, a, r) },
	"rougeL":       func(a, r string) float64 { return RougeL(ProfileFixed, RougeFMeasure, a, r) },
	"bleu":         func(a, r string) float64 { return Bleu(ProfileFixed, a, r) },
	"chrf":         ChrF,
}

// directed are the metrics that tell answer and reference apart.
var directed = map[string]bool{"presence": true, "bleu": true, "chrf": true, "jaro": true, "jaro_winkler": true}

// TestIdenticalTextsScoreOne holds for Japanese and for texts of fewer than four words, where Ragas gives 0.
func TestIdenticalTextsScoreOne(t *testing.T) {
	t.Parallel()
	for _, s := range []string{
		"東京は日本の首都です。", "東京", "はい", "カタカナー", "The capital of France is Paris.", "Paris", "3,000円（税込）", "東京 Tower 2026年",
		"Übergrößenträger café",
	} {
		for name, score := range overlaps {
			if got := score(s, s); math.Abs(got-1) > 1e-12 {
				t.Errorf("%s of %q with itself = %v", name, s, got)
			}
		}
	}
	for name, got := range map[string]float64{
		"rouge": RougeL(ProfileLegacy, RougeFMeasure, "東京", "東京"), "bleu": Bleu(ProfileCollections, "東京", "東京"),
	} {
		if got != 0 {
			t.Errorf("%s of Ragas gives %v for Japanese; the profile should repeat its 0", name, got)
		}
	}
}

// TestTextMetricsStayInBounds tries random texts in both languages: every value lies in [0, 1], undirected ones are symmetric,
// and texts that share no character score 0.
func TestTextMetricsStayInBounds(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(5, 6))
	alphabet := []rune("ab cd. 東京都はカナ、。12,-'\"é")
	text := func(from []rune) string {
		var b strings.Builder
		for range random.IntN(25) {
			b.WriteRune(from[random.IntN(len(from))])
		}
		return b.String()
	}
	for range 2000 {
		a, r := text(alphabet), text(alphabet)
		for name, score := range overlaps {
			got := score(a, r)
			if !(got >= 0 && got <= 1+1e-12) {
				t.Fatalf("%s(%q, %q) = %v", name, a, r, got)
			}
			if back := score(r, a); !directed[name] && math.Abs(back-got) > 1e-12 {
				t.Fatalf("%s(%q, %q) = %v, the other way round %v", name, a, r, got, back)
			}
		}
	}
	for range 200 {
		a, r := "x"+text([]rune("xyz ")), "東"+text([]rune("東京都"))
		for name, score := range overlaps {
			if got := score(a, r); got > 1e-12 {
				t.Fatalf("%s(%q, %q) = %v, but they share nothing", name, a, r, got)
			}
		}
	}
}

// TestFixedEqualsThePublicScorersOnPlainEnglish: our own cuts change other scripts only.
func TestFixedEqualsThePublicScorersOnPlainEnglish(t *testing.T) {
	t.Parallel()
	for _, pair := range [][2]string{
		{"Paris is the capital and largest city of France.", "The capital of France is Paris, which is also the most populous city."},
		{"It cost $3,000.50 in 2026 - don't ask!", "In 2026 it cost 3000 dollars; don't ask."},
		{"running runners ran easily", "The runner runs with ease"},
	} {
		for _, mode := range []rougeMode{RougeFMeasure, rougePrecision, rougeRecall} {
			for name, score := range map[string]func(Profile, rougeMode, string, string) float64{"rouge1": Rouge1, "rougeL": RougeL} {
				if fixed, ragas := score(ProfileFixed, mode, pair[0], pair[1]),
					score(ProfileLegacy, mode, pair[0], pair[1]); fixed != ragas {
					t.Errorf("%s %s of %q: fixed %v, Ragas %v", name, mode, pair, fixed, ragas)
				}
			}
		}
	}
}

// TestOrderCountsWhereItShould: the swapped Japanese sentence keeps its characters, not its meaning.
func TestOrderCountsWhereItShould(t *testing.T) {
	t.Parallel()
	const right, swapped = "大阪は東京より西にあります", "東京は大阪より西にあります"
	if got := overlaps["rouge1"](swapped, right); math.Abs(got-1) > 1e-12 {
		t.Errorf("rouge1 = %v; single characters have no order", got)
	}
	for _, name := range []string{"rougeL", "bleu", "chrf", "levenshtein", "hamming"} {
		if got := overlaps[name](swapped, right); got >= 0.95 || got <= 0.2 {
			t.Errorf("%s of the swapped sentence = %v", name, got)
		}
	}
}

func TestBLEUReadsTheWholeAnswer(t *testing.T) {
	t.Parallel()
	const reference, half = "A cat sat on the mat. Dogs bark at night.", "A cat sat on the mat. Completely unrelated words here."
	if got := Bleu(ProfileFixed, half, reference); got > 0.6 || got < 0.4 {
		t.Errorf("fixed = %v for an answer that is half wrong", got)
	}
	if got := Bleu(ProfileLegacy, half, reference); math.Abs(got-1) > 1e-9 {
		t.Errorf("Ragas = %v; it scores the first sentence only", got)
	}
	if got := Bleu(ProfileFixed, "A cat", "A cat sat on the mat."); got > 0.2 {
		t.Errorf("a much too short answer scores %v", got)
	}
}

func TestTokens(t *testing.T) {
	t.Parallel()
	for s, want := range map[string][]string{
		"The 3,000円!":     {"3000", "円"},
		"An apple, a day": {"apple", "day"},
		"東京タワー is tall":   {"東", "京", "タ", "ワ", "ー", "is", "tall"},
		"。、":              {},
	} {
		if diff := cmp.Diff(want, append([]string{}, answerTokens(s)...)); diff != "" {
			t.Errorf("answerTokens(%q) (-want +got)\n%s", s, diff)
		}
	}
	for s, want := range map[string][]string{
		"It's 3,000.50-ish (net).": {"It's", "3,000.50", "-", "ish", "(", "net", ")", "."},
		"&lt;b&gt; 12-15%":         {"<", "b", ">", "12", "-", "15", "%"},
		"東京は、首都。":                  {"東", "京", "は", "、", "首", "都", "。"},
	} {
		if diff := cmp.Diff(want, bleuTokens(s, true)); diff != "" {
			t.Errorf("bleuTokens(%q) (-want +got)\n%s", s, diff)
		}
	}
	if got := TokenF1("東京です", "東京"); math.Abs(got-2.0/3) > 1e-12 {
		t.Errorf("tokenF1 = %v", got)
	}
	if TokenF1("", "") != 1 || TokenF1("the", "東京") != 0 {
		t.Error("tokenF1 of texts without tokens")
	}
}

// TestPorterStems are words of Porter's paper and NLTK's additions to it.
func TestPorterStems(t *testing.T) {
	t.Parallel()
	for word, want := range map[string]string{
		"caresses": "caress", "ponies": "poni", "ties": "tie", "cats": "cat", "feed": "feed", "agreed": "agr" + "e", "plastered": "plaster",
		"bled": "bled", "motoring": "motor", "sing": "sing", "conflated": "conflat", "troubled": "troubl", "sized": "size",
		"hopping": "hop",
		"falling": "fall", "hissing": "hiss", "failing": "fail", "filing": "file", "happy": "happi", "enjoy": "enjoy", "spied": "spi",
		"relational": "relat", "rational": "ration", "generalization": "gener", "oscillators": "oscil", "hopefulness": "hope",
		"electrical": "electr", "adoption": "adopt", "probate": "probat", "rate": "rate", "cease": "ceas", "controlling": "control",
		"rolling": "roll",
		"dying":   "die", "news": "news", "skies": "sky", "biology": "biolog", "died": "die",
	} {
		if got := porterStem(word); got != want {
			t.Errorf("porterStem(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestStringDistancesByHand(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]float64{
		"levenshtein": 1 - 3.0/7, "hamming": 1 - 3.0/7, "jaro": (4.0/6 + 4.0/7 + 1) / 3, "jaro_winkler": (4.0/6 + 4.0/7 + 1) / 3,
	} {
		if got := Likenesses[name]("kitten", "sitting"); math.Abs(got-want) > 1e-12 {
			t.Errorf("%s(kitten, sitting) = %v, want %v", name, got, want)
		}
	}
	if got, want := JaroWinklerSimilarity("martha", "marhta"), 17.0/18+0.3*(1-17.0/18); math.Abs(got-want) > 1e-12 {
		t.Errorf("jaro_winkler(martha, marhta) = %v, want %v", got, want)
	}
	if LevenshteinSimilarity("", "東") != 0 || JaroSimilarity("", "東") != 0 || HammingSimilarity("", "東") != 0 {
		t.Error("an empty string is like a text")
	}
}
