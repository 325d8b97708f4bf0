package laboratory

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/rag"
)

// A row of a table is evidence only where a name or a figure of the question or the answer tells it from its neighbours. Where another row
// is meant, that one is taken; where nothing tells, none.
func TestWhichRowOfATableIsMeant(t *testing.T) {
	t.Parallel()
	const (
		fees    = "出し方\n\n品目\t手数料\n自転車\t800円\nソファー（2人掛け以上）\t2,000円\nたんす\t1,600円\nマットレス（スプリング入り）\t2,400円\n\n1回に5点までです。\n"
		days    = "地区\t燃やすごみ\t燃やさないごみ\t古紙\n東地区\t月・木\t第1水曜\t第2・第4金曜\n西地区\t火・金\t第2水曜\t第1・第3月曜\n北地区\t火・金\t第4水曜\t第2木曜\n"
		bags    = "種類\t大きさ\t価格\n黄色\t40リットル\t500円\n黄色\t20リットル\t260円\n青色\t20リットル\t300円\n"
		english = "| Item | Fee | Days |\n|---|---|---|\n| Bicycles | 800 yen | 3 |\n| Sofa (two seats) | 2,000 yen | 7 |\n| Wardrobe | 1,600 yen | 7 |\n"
		faq     = "Question\tAnswer\nReturns\tBags that were bought cannot be brought back to the shop, whatever the reason for it may be.\n" +
			"Payment\tCash is not taken at the counter; a voucher from any shop in the town has to be stuck on the item.\n"
	)
	for name, c := range map[string]struct {
		doc, at         string // the row that a judge took
		question, claim string
		want            string // "" for none
		part            bool
	}{
		"the neighbour by name": {days, "東地区\t月・木\t第1水曜\t第2・第4金曜",
			"北地区の燃やさないごみの日はいつですか？", "第4水曜です。", "北地区\t火・金\t第4水曜\t第2木曜", false},
		"the right one stays":       {days, "西地区\t火・金\t第2水曜\t第1・第3月曜", "西地区の古紙の回収日は？", "第1・第3月曜です。", "西地区\t火・金\t第2水曜\t第1・第3月曜", false},
		"another fee":               {fees, "ソファー（2人掛け以上）\t2,000円", "たんすを出すと手数料は？", "半額なので、1,600円の半額の800円です。", "たんす\t1,600円", true},
		"a figure alone is no name": {fees, "自転車\t800円", "たんすを出すと手数料は？", "半額なので、1,600円の半額の800円です。", "たんす\t1,600円", true},
		"a name in another order":   {fees, "たんす\t1,600円", "スプリング入りマットレスはいくらですか？", "2,400円です。", "マットレス（スプリング入り）\t2,400円", false},
		"400 is no part of 2,400": {strings.Replace(fees, "800円",
			"400円", 1), "自転車\t400円", "スプリング入りのものはいくらですか？", "2,400円です。", "", false},
		"nothing is named":        {fees, "たんす\t1,600円", "料金はどこで払いますか？", "窓口で払います。", "", false},
		"two figures":             {bags, "黄色\t20リットル\t260円", "青色の20リットルの袋は？", "300円です。", "青色\t20リットル\t300円", false},
		"a part of a row":         {bags, "40リットル\t500円", "黄色い40リットルの袋は？", "500円です。", "40リットル\t500円", false},
		"no table":                {fees, "1回に5点までです。", "一度に何点まで？", "5点までです。", "1回に5点までです。", false},
		"the head is no evidence": {fees, "品目\t手数料", "自転車の手数料は？", "800円です。", "自転車\t800円", false},
		"English, the neighbour": {english, "| Sofa (two seats) | 2,000 yen | 7 |",
			"What does a wardrobe cost?", "It costs 1,600 yen.", "| Wardrobe | 1,600 yen | 7 |", false},
		"English, another form": {english, "| Bicycles | 800 yen | 3 |",
			"What is the fee for a bicycle?", "800 yen.", "| Bicycles | 800 yen | 3 |", false},
		"English, without the brackets": {english, "| Bicycles | 800 yen | 3 |",
			"What is the fee for a sofa?", "2,000 yen.", "| Sofa (two seats) | 2,000 yen | 7 |", false},
		"English, nothing is named": {english, "| Wardrobe | 1,600 yen | 7 |", "Who empties the bins?", "The city does.", "", false},
		"rows of texts stay": {faq, "Returns\tBags that were bought cannot be brought back to the shop, whatever the reason for it may be.",
			"May I give bags back?", "No.", "Returns\tBags that were bought cannot be brought back to the shop, whatever the reason for it may be.", false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			corpus := rag.NewCorpus("c", []rag.Document{{ID: "d", Text: c.doc}})
			l := &RealLab{options: LabOptions{Corpus: corpus}}
			i := strings.Index(c.doc, c.at)
			if i < 0 {
				t.Fatal("no such row")
			}
			start := utf8.RuneCountInString(c.doc[:i])
			span, whole, ok := l.Row(rag.Span{DocID: "d", Start: start, End: start + utf8.RuneCountInString(c.at)}, c.question, c.claim)
			got := ""
			if ok {
				got = corpus.Text(span)
			}
			if got != c.want || ok && whole == c.part {
				t.Errorf("took %q (whole: %v), want %q", got, whole, c.want)
			}
		})
	}
}
