package questions

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

func TestNounPhrasesAreWordsThatAManagerUses(t *testing.T) {
	t.Parallel()
	for question, want := range map[string][]string{
		"How early can I come to the Arts Centre?":  {"Arts Centre"},
		"Does the airline allow pets in the cabin?": {"airline", "pets", "cabin"},
		"Should I cancel my international trip?":    {"international trip"},
		"What is CDC doing about medical expenses?": {"CDC", "medical expenses"},
		"出発の48分前までに医療費控除の申請は必要ですか。":                 {"出発", "医療費控除"},
		"3月31日以後に取り壊した建物の減価償却は？":                    {"建物", "減価償却"},
		"「奈良の大仏」を造った有名な天皇は誰ですか。":                    {"奈良の大仏"},
		"当社の2割特例について教えてください。":                       {"特例"},
		"": nil,
		"Who won, when, and why did they never say so?": nil,
		"Where's there's what's?":                       nil,
		"次の場合、どのように計算しますか。":                             nil,
	} {
		var got []string
		for _, p := range nounPhrases(question) {
			got = append(got, p.shown)
		}
		for _, w := range want {
			if !slices.Contains(got, w) {
				t.Errorf("%s: %q is not among %q", question, w, got)
			}
		}
		if len(want) == 0 && len(got) > 0 {
			t.Errorf("%s: %q", question, got)
		}
		for _, no := range []string{"come", "allow", "cancel", "分前", "日以後", "48分前", "取", "doing", "有名"} {
			if slices.Contains(got, no) {
				t.Errorf("%s: %q is a phrase", question, no)
			}
		}
	}
}

// TestThemesAreNamedByThePages has questions that share no word with one another, and pages that tell what they are about.
func TestThemesAreNamedByThePages(t *testing.T) {
	t.Parallel()
	text := "# Refunds and cancellation\n\nMoney comes back in a week. No-show costs all. Vouchers last a year.\n\n" +
		"# Lounge access\n\nGold members enter. Guests pay. Showers are free."
	corpus := rag.NewCorpus("c", []rag.Document{{ID: "d", Title: "Handbook", Text: text}})
	var asked []experiments.Question
	for question, quote := range map[string]string{
		"When will I see my cash again?": "Money", "What if I oversleep?": "No-show", "How long is a coupon good?": "Vouchers",
		"Do gold cards open the door?": "Gold", "Can my aunt join me?": "Guests", "Is washing included?": "Showers",
	} {
		at := strings.Index(text, quote)
		place := experiments.Evidence{Span: rag.Span{DocID: "d", Start: at, End: at + len(quote)}, Quote: quote}
		asked = append(asked, experiments.Question{ID: question, Text: question, Lang: "en", Answerable: true,
			Evidence: []experiments.Evidence{place}})
	}
	slices.SortFunc(asked, func(a, b experiments.Question) int { return strings.Compare(a.ID, b.ID) })
	asked = append(asked, asked...) // a set of six has room for one theme
	themes, err := ProposeThemes(t.Context(), asked, metrics.DefaultJudge(), everyName{newClassifier()}, &rag.MemoryStages{},
		ThemeRules{Corpus: corpus})
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, l := range themes.Labels {
		names = append(names, l.EN)
	}
	slices.Sort(names)
	if diff := cmp.Diff([]string{"Lounge access", "Refunds and cancellation"}, names); diff != "" {
		t.Error(diff)
	}
}

// TestAReplyThatNamesThemesIsReadTolerantly keeps the themes that can be kept of a reply.
func TestAReplyThatNamesThemesIsReadTolerantly(t *testing.T) {
	t.Parallel()
	reply := proposeReply{Themes: []proposedTheme{
		{EN: "Refunds", Include: "Money back."}, {EN: "refunds", Include: "Twice."}, {JA: "座席"},
		{EN: "Other", Include: "Rest."}, {Include: "No name."},
	}}
	if fault := reply.Fault(); fault != "" {
		t.Error(fault)
	}
	var got []string
	for _, u := range reply.usable() {
		got = append(got, u.EN+u.JA+": "+u.Include)
	}
	if diff := cmp.Diff([]string{"Refunds: Money back.", "座席: 座席"}, got); diff != "" {
		t.Error(diff)
	}
	if (proposeReply{}).Fault() != "" || (proposeReply{Themes: []proposedTheme{{Include: "x"}}}).Fault() == "" {
		t.Error("no theme is an answer, and a theme without a name is none")
	}
}

func TestKeywordsTellQuestionsApart(t *testing.T) {
	t.Parallel()
	texts, candidates := []string{}, [][]string{}
	for i := range 10 {
		word := []string{"refund", "lounge", "cabin", "meal", "seat"}[i/2]
		texts = append(texts, "does the airline have a "+word)
		candidates = append(candidates, nounKeywords(texts[i], nil))
	}
	for i, got := range settledKeywords(texts, candidates, nil) {
		if diff := cmp.Diff([]string{strings.Fields(texts[i])[5]}, got); diff != "" {
			t.Error(diff)
		}
	}
}

// TestOneKeyInsideAnother: in Japanese by characters, in English by words; an empty key is in none.
func TestOneKeyInsideAnother(t *testing.T) {
	t.Parallel()
	for pair, want := range map[[2]string]bool{
		{"返品", "返品期限"}: true, {"返品期限", "返品"}: true, {"返品", "送料"}: false, {"", "返品"}: false, {"返品", ""}: false,
		{"gate", "gate fee"}: true, {"gate fee", "fee"}: true, {"gate", "gates"}: false,
	} {
		if insideEither(pair[0], pair[1]) != want {
			t.Errorf("%q: want %v", pair, want)
		}
	}
}
