package textual

import (
	"slices"
	"testing"
)

// TestLackingQuantities: a number is the number of a reference only with its unit.
func TestLackingQuantities(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		stated, asked, passage string
		want                   []string
	}{
		{"8人です。", "定員は何人ですか。", "7400\t総務部 施設係\t平日8:30-17:15\t会議室・社員証・備品", []string{"8人"}},
		{"8人です。", "定員は何人ですか。", "第2会議室の定員は8名です。", nil},
		{"8人です。", "8人で使えますか。", "会議室の予約", nil},
		{"8人です。", "定員は何人ですか。", "8階の会議室", []string{"8人"}},
		{"8人です。", "定員は何人ですか。", "会議室\t定員（人）\n第2会議室\t8", nil},
		{"8時30分から", "何時からですか。", "平日8:30-17:15", nil},
		{"8 people", "How many?", "Open 8:30 to 17:15", []string{"8 people"}},
		{"8 people", "How many?", "It seats 8 people.", nil},
		{"30% of it", "How much?", "30 days", []string{"30%"}},
		{"8kgまで、１万円です。", "重さは", "8人", []string{"8kg", "1万円"}},
		{"within 48 hours", "When?", "within 2 days", nil},
		{"24か月", "保証は", "保証期間は2年間です。", nil},
		{"24か月", "保証は", "24日間", []string{"24か月"}},
		{"1,200円です。", "いくらですか。", "日当は1,200ドル", []string{"1,200円"}},
		{"1,500円です。", "いくらですか。", "日当（円）\t1500", nil},
		{"12", "Which line?", "Call line 12.", nil},
		{"1. The form. 2. The stamp.", "What?", "a form and a stamp", nil},
		{"One of them, the first.", "Which?", "another", nil},
		{"", "", "", nil},
	} {
		if got := LackingQuantities(c.stated, c.asked, []string{c.passage}); !slices.Equal(got, c.want) {
			t.Errorf("%q in %q: %q, want %q", c.stated, c.passage, got, c.want)
		}
	}
}
