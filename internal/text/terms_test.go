package text

import (
	"math/rand/v2"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

func TestFold(t *testing.T) {
	t.Parallel()
	for s, want := range map[string]string{
		"":                "",
		" \n\t\u3000":     "",
		"ＡＢＣ　１２３":         "abc 123",
		"ｶﾞｽ爆発":           "ガス爆発",
		"か\u3099くe\u0301": "がくé",
		"  Two\n\n WORDS": "two words",
		"①㈱㍻":             "1(株)平成",
		"𠮷野家":             "𠮷野家",
	} {
		if got := Fold(s); got != want {
			t.Errorf("Fold(%q) is %q, want %q", s, got, want)
		}
		if again := Fold(Fold(s)); again != Fold(s) {
			t.Errorf("folding %q twice gives %q", s, again)
		}
	}
}

func TestTerms(t *testing.T) {
	t.Parallel()
	for s, want := range map[string][]Term{
		"":                nil,
		"。、（）!? ":         nil,
		"the deductions":  {{"the", Function}, {"deduct", Content}},
		"Running RUNS":    {{"run", Content}, {"run", Content}},
		"don't patient's": {{"don't", Function}, {"patient", Content}},
		"don’t patient’s": {{"don't", Function}, {"patient", Content}},
		"3.5 1,000円":      {{"3.5", Number}, {"1000", Number}, {"円", Content}},
		"２０２４年":           {{"2024", Number}, {"年", Content}},
		"end 10.":         {{"end", Content}, {"10", Number}},
		"b2b covid19":     {{"b2b", Content}, {"covid19", Content}},
		"所得税":             {{"所得", Content}, {"得税", Content}},
		"サーバー":            {{"サー", Content}, {"ーバ", Content}, {"バー", Content}},
		"ガス代です":           {{"ガス", Content}, {"ス代", Content}, {"です", Function}},
		"人々を":             {{"人々", Content}, {"を", Function}},
		"ｶﾞｽ":             {{"ガス", Content}},
		"𠮷野家":             {{"𠮷野", Content}, {"野家", Content}},
		"税。金":             {{"税", Content}, {"金", Content}},
		"所得税のVAT":         {{"所得", Content}, {"得税", Content}, {"の", Function}, {"vat", Content}},
		"確定申告は3月15日": {{"確定", Content}, {"定申", Content}, {"申告", Content}, {"は", Function}, {"3", Number}, {"月", Content},
			{"15", Number}, {"日", Content}},
	} {
		if diff := cmp.Diff(append([]Term{}, want...), append([]Term{}, Terms(s)...)); diff != "" {
			t.Errorf("%q (-want +got):\n%s", s, diff)
		}
	}
}

func TestKeywords(t *testing.T) {
	t.Parallel()
	for s, want := range map[string][]string{
		"":               nil,
		"これはそれですか。":      nil,
		"What is it?":    nil,
		"What’s a rate?": {"rate"},
		"How are refunds paid, and are REFUNDS taxed at 3.5%?": {"refunds", "paid", "taxed", "3.5"},
		"医療費控除の対象となるガス代と医療費控除":                                 {"医療費控除", "対象", "ガス代"},
		"ＶＡＴは１０％ですか":                                           {"vat", "10"},
	} {
		if diff := cmp.Diff(want, Keywords(s), equalEmpty); diff != "" {
			t.Errorf("%q (-want +got):\n%s", s, diff)
		}
	}
}

// Every letter and digit of the folded text is part of some term or belongs to a word that was stemmed; marks are part of none.
func TestTermsLoseNoJapanese(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(7, 8))
	for range 5000 {
		s := randomText(r)
		have := map[rune]bool{}
		for _, term := range Terms(s) {
			if term.Text == "" {
				t.Fatalf("%q has an empty term", s)
			}
			for _, c := range term.Text {
				have[c] = true
			}
		}
		for _, c := range Fold(s) {
			japanese := unicode.In(c, unicode.Hiragana, unicode.Katakana, unicode.Han)
			if japanese != have[c] && (japanese || unicode.IsSpace(c) || unicode.IsPunct(c) && c != '.' && c != '\'') {
				t.Fatalf("%q: %q in a term is %v", s, c, have[c])
			}
		}
	}
}
