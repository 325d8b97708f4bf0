package intake

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/rag"
)

// TestQuotesThatLeaveSomethingOut: however people write that, each part is evidence, in order, of one document; and a quote whose parts
// stand in another order, in two documents, or in several places, is none.
func TestQuotesThatLeaveSomethingOut(t *testing.T) {
	t.Parallel()
	corpus := rag.NewCorpus("team", []rag.Document{
		{ID: "就業規則.docx", Title: "就業規則",
			Text: "就業規則\n第4条 始業時刻は午前9時とする。ただし、交替勤務の者については別に定める。" +
				"終業時刻は午後6時とする。\n" +
				"第5条 休暇は10日とする。…別表による。"},
		{ID: "manual.pdf", Title: "Manual", Text: "Manual\nHold the power button, which is on the left, for five seconds to restart the device. Then wait.\n" +
			"Press the key twice. Then wait."},
		{ID: "copy.pdf", Title: "Copy", Text: "Press the key twice. Then stop."},
	})
	const both = "始業時刻は午前9時とする。 | 終業時刻は午後6時とする。"
	const power = "Hold the power button | for five seconds to restart the device."
	cases := map[string]string{
		"始業時刻は午前9時とする。…中略…終業時刻は午後6時とする。":    both,
		"「始業時刻は午前9時とする。（中略）終業時刻は午後6時とする。」":  both,
		"「始業時刻は午前9時とする。」…「終業時刻は午後6時とする。」":   both,
		"始業時刻は午前9時とする。\n（略）\n終業時刻は午後6時とする。": both,
		"始業時刻は午前9時とする。～中略～終業時刻は午後6時とする。":    both,
		"就業規則.docx 第4条：始業時刻は午前9時とする。……終業時刻は午後6時とする。" +
			"": both,
		"就業規則.docx「始業時刻は午前9時とする。」（中略）「終業時刻は午後6時とする。」" +
			"": both,
		"…終業時刻は午後6時とする。…": "終業時刻は午後6時とする。",
		"休暇は10日とする。…別表による。": "休暇は10日とする。" +
			"…別表による。",
		"Hold the power button ... for five seconds to restart the device.":                       power,
		"Hold the power button […] for five seconds to restart the device.":                       power,
		"Hold the power button (snip) for five seconds to restart the device.":                    power,
		"Hold the power button . . . for five seconds to restart the device.":                     power,
		`manual.pdf, p. 1: "Hold the power button [...] for five seconds to restart the device."`: power,

		"Hold the power button ... device. ... wait.": "Hold the power button | device. | wait.",
		"Press the key ... wait.":                     "Press the key | wait.",
		"終業時刻は午後6時とする。…始業時刻は午前9時とする。":                 "", // another order
		"始業時刻は午前9時とする。…Then stop.":                    "", // two documents
		"Press the key … Then":                        "", // two places
		"始業時刻は午前9時とする。…昼休みは1時間とする。":                   "", // half of it
		"……": "", "（中略）": "", "a…b": "",
	}
	for quote, want := range cases {
		cell := strings.ReplaceAll(quote, `"`, `""`)
		// the second row makes a column of evidence of it, whatever the first one holds
		sheet := "質問,正解,根拠\n始業は？,9時,\"" + cell + "\"\n休暇は？,10日,第5条 休暇は10日とする。\n"
		d, report, err := read("q.csv", sheet, corpus, nil)
		if err != nil {
			t.Errorf("%s: %v", quote, err)
			continue
		}
		var got []string
		doc := ""
		for _, e := range d.Questions[0].Evidence {
			got = append(got, e.Quote)
			if doc != "" && doc != e.DocID || corpus.Text(e.Span) != e.Quote {
				t.Errorf("%s: %+v", quote, e)
			}
			doc = e.DocID
		}
		if said := strings.Join(got, " | "); said != want {
			t.Errorf("%s: %s, want %s; %+v", quote, said, want, report.Notes)
		}
		if want == "" && quote != "（中略）" && quote != "……" && d.Questions[0].Metadata["根拠"] == "" {
			t.Errorf("%s is lost", quote)
		}
	}
	for quote, want := range map[string]string{
		"Hold the power button … to restart the device.": "",
		"Press the key … Then":                           `does not have the parts of the quote "Press the key … Then" one after the other in one place`,
	} {
		d, _, err := read("q.jsonl", fmt.Sprintf(`{"question":"a?","evidence":[%q]}`, quote), corpus, nil)
		if want == "" && (err != nil || len(d.Questions[0].Evidence) != 2) ||
			want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %+v %v", quote, d, err)
		}
	}
}

// TestPartsOfQuotesStandInOrder: of texts made of words that come once each, every choice of words in order is found at its words, and one
// that is not in order never is.
func TestPartsOfQuotesStandInOrder(t *testing.T) {
	t.Parallel()
	rng := rand.New(rand.NewPCG(7, 7))
	marks := []string{"…", " ... ", "（中略）", " [...] ", "…中略…", " (snip) "}
	for round := range 300 {
		words := make([]string, 12)
		at := map[string]int{}
		var body strings.Builder
		for i, n := range rng.Perm(len(words)) {
			words[i] = fmt.Sprintf("語%c%c%c%c", 'ア'+n, 'カ'+n, 'サ'+n, 'タ'+n)
			at[words[i]] = len([]rune(body.String()))
			body.WriteString(words[i] + "。")
		}
		f := newQuoteFinder(rag.NewCorpus("c", []rag.Document{{ID: "d", Text: body.String()}, {ID: "e", Text: words[0]}}))
		chosen := rng.Perm(len(words))[:2+rng.IntN(4)]
		var quote strings.Builder
		ordered := true
		for i, w := range chosen {
			if i > 0 {
				quote.WriteString(marks[rng.IntN(len(marks))])
				ordered = ordered && w > chosen[i-1]
			}
			quote.WriteString(words[w])
		}
		pieces, _ := f.pieces(quote.String(), "")
		if ordered != (len(pieces) == len(chosen)) || !ordered && pieces != nil {
			t.Fatalf("round %d: %q of %q: %v", round, quote.String(), body.String(), pieces)
		}
		for i, p := range pieces {
			if p.DocID != "d" || p.Start != at[words[chosen[i]]] || p.End != p.Start+5 {
				t.Fatalf("round %d: %q: %v", round, words[chosen[i]], p)
			}
		}
	}
}
