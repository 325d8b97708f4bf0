package offline

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/rag/prompts"
	"github.com/rag-workbench/workbench/internal/text"
)

func TestThesaurusFiles(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{"English": englishGroups, "Japanese": japaneseGroups} {
		groups, names := 0, map[string]bool{}
		for line := range lines(file) {
			groups++
			seen := map[string]bool{}
			for e := range strings.SplitSeq(line, ",") {
				if key := entryKey(e); key == "" || strings.ContainsAny(e, "、，;") {
					t.Errorf("%s: %q has a malformed entry %q", name, line, e)
				} else {
					seen[key] = true
				}
			}
			if len(seen) < 2 {
				t.Errorf("%s: %q connects nothing", name, line)
			}
			first := text.Fold(strings.Split(line, ",")[0])
			if names[first] {
				t.Errorf("%s: two groups are named %q", name, first)
			}
			names[first] = true
		}
		if groups < 500 {
			t.Errorf("%s: only %d groups", name, groups)
		}
	}
	for line := range lines(frequentWords) {
		number, ok := strings.CutPrefix(line, "= ")
		if !ok {
			continue
		}
		if weight, err := strconv.ParseFloat(number, 64); err != nil || weight <= 0 || weight >= 1 {
			t.Errorf("the weight of frequent words %q is not between 0 and 1", number)
		}
	}
}

// mentioned names the concepts of s without repeats.
func mentioned(t *thesaurus, s string) []string {
	var names []string
	for _, m := range t.mentions(s, text.Terms(s)) {
		if name := strings.TrimPrefix(t.feature(m), "="); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

func TestThesaurusMatching(t *testing.T) {
	t.Parallel()
	thesaurus := newThesaurus("= 0.5\nold\n",
		"refund, money back, repay\nbag, suitcase\nhand luggage, carry on bag\nbefore, prior, previously\nbank, shore\ncredit, bank\n",
		"refund, 返金, 払い戻\n子ども, 小児, 子\n駐車, パーク\n質問, なぜ\nかばん, 鞄\n安い, 9円\n")
	for s, want := range map[string][]string{
		"":                      nil,
		"I want my money back.": {"refund"},
		"The money is back":     nil,
		"Suitcases, repaying":   {"bag", "refund"},
		"a carry-on bag":        {"hand luggage"}, // the longest entry, not "bag" as well
		"before noon":           nil,              // grammar alone is no concept
		"prior to noon":         {"before"},
		"on the banks":          {"bank", "credit"},
		"払い戻しと返金":               {"refund"},
		"払い戻さない":                {"refund"},
		"小児の料金":                 {"子ども"},
		"子は無料":                  {"子ども"},
		"電子と子会社":                nil, // pieces of other words
		"スパークプラグ":               nil,
		"パークに":                  {"駐車"},
		"なぜですか":                 {"質問"},
		"それはつなぜる":               nil,
		"あのかばんを":                {"かばん"},
		"99円":                   nil,
		"ﾊﾟｰｸ":                  {"駐車"},
		"𠮷と\xff鞄":               {"かばん"},
		"Suitcase の返金":          {"bag", "refund"},
	} {
		if diff := cmp.Diff(want, mentioned(thesaurus, s)); diff != "" {
			t.Errorf("%q mentions (-want +got):\n%s", s, diff)
		}
	}
	for s, want := range map[string]float64{"old": 0.5, "ancient": 1, "the": 0.1, "12": numberWeight} {
		if got := thesaurus.weightOf(text.Terms(s)[0]); got != want {
			t.Errorf("%q weighs %v, want %v", s, got, want)
		}
	}
}

func TestThesaurusConnects(t *testing.T) {
	t.Parallel()
	for a, b := range map[string]string{
		"children":   "kid",
		"suitcases":  "baggage",
		"refunds":    "money back",
		"purchased":  "bought",
		"physicians": "doctor",
		"いくら":        "料金",
		"取り消したい":     "キャンセル",
		"お子様":        "小児",
		"鞄":          "手荷物",
		"払戻し":        "返金",
		"refund":     "返金",
	} {
		left, right := mentioned(loadThesaurus(), a), mentioned(loadThesaurus(), b)
		if !slices.ContainsFunc(left, func(c string) bool { return slices.Contains(right, c) }) {
			t.Errorf("%q mentions %q and %q %q: nothing in common", a, left, b, right)
		}
	}
}

// Each question shares nothing but grammar with either passage; only one of them answers it.
func TestNgramKnowsSynonyms(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ question, answers, distracts string }{
		{"Can my kid swim there?", "Children may use the pool until six.", "There may be rain where my garden is."},
		{"How do I get my money back?", "Refunds are made within two weeks.", "There is a train to town in the evening."},
		{"Is the doctor expensive?", "The physician charges a high fee.", "The garden is open in summer."},
		{"買ったものを返したい", "購入した商品の返品は七日以内です。", "庭に木を植えたいときは業者に任せます。"},
		{"子どもの切符はいくらですか", "小児の乗車券の料金は半額です。", "図書館は平日に利用できますか。"},
	} {
		q, right, wrong := embedNgram(c.question), embedNgram(c.answers), embedNgram(c.distracts)
		if a, b := dot(q, right), dot(q, wrong); a < b+0.1 {
			t.Errorf("%q: %.3f to what answers it, %.3f to what does not", c.question, a, b)
		}
	}
}

func dot(a, b []float32) float64 {
	sum := 0.0
	for i := range a {
		sum += float64(a[i]) * float64(b[i])
	}
	return sum
}

// rated scores the candidates of one context and returns the text of the best, with the share it covers.
func rated(question, context string) (best string, coverage float64) {
	all := candidates([]prompts.Passage{{Text: context}})
	r := newRating(all, question, wantsNumber(question, text.Language(question)))
	return all[r.best()].text, r.coverage
}

func TestRatingByThesaurus(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ question, context, want string }{
		{
			"Where can my kid stay?",
			"The garden is open to everyone on all days. Children stay in the hall on the second floor. Bicycles are put in the shed.",
			"Children stay in the hall on the second floor.",
		},
		{"鞄はどこに置けますか。", "自転車は入口の左に止めます。手荷物は二階の棚に置いてください。庭は毎日開いています。", "手荷物は二階の棚に置いてください。"},
		{
			"How much does a kid pay?",
			"Opening times\n\n- Monday: 10\n- Tuesday: 11\n\nPrices\n\n- Adults: 12 euros\n- Children: 8 euros\n",
			"Children: 8 euros",
		},
		{"プールの子どもの料金はいくらですか。", "図書館\n\n- 大人 20円\n- 小児 10円\n\nプール\n\n- 大人 500円\n- 小児 300円\n", "小児 300円"},
		{
			"What does the express delivery cost?",
			"Delivery fees\n\nKind\tPrice\nStandard\t4 euros\nExpress\t9 euros\n\nReturns are free for thirty days.",
			"Express: Price 9 euros",
		},
	} {
		if got, coverage := rated(c.question, c.context); got != c.want || coverage < fitsAtAll {
			t.Errorf("%q: best is %q, which covers %.2f", c.question, got, coverage)
		}
	}
}

// BenchmarkEmbedNgram embeds chunks of 800 characters of the thesaurus itself, in which hardly a word repeats: the slowest
// text there is.
func BenchmarkEmbedNgram(b *testing.B) {
	for name, file := range map[string]string{"english": englishGroups, "japanese": japaneseGroups} {
		runes := []rune(file)
		var chunks []string
		for i := 0; i+800 <= len(runes); i += 800 {
			chunks = append(chunks, string(runes[i:i+800]))
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(strings.Join(chunks, ""))))
			b.ReportAllocs()
			for b.Loop() {
				for _, c := range chunks {
					_ = embedNgram(c)
				}
			}
		})
	}
}

func BenchmarkLoadThesaurus(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		_ = newThesaurus(frequentWords, englishGroups, japaneseGroups)
	}
}
