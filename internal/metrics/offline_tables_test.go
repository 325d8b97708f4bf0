package metrics

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics/textual"
	"github.com/rag-workbench/workbench/internal/rag/offline"
	"github.com/rag-workbench/workbench/internal/rag/prompts"
	"github.com/rag-workbench/workbench/internal/rag/readers"
	"github.com/rag-workbench/workbench/internal/text"
)

// tablePages are documents with tables of several columns, as people have them.
var tablePages = map[string]string{
	"repairs.html": `<h2>Repair prices</h2><table><tr><th>Repair</th><th>KL-30</th><th>KL-40</th></tr>
<tr><td>Battery replacement</td><td>EUR 65</td><td>EUR 79</td></tr><tr><td>Seal kit</td><td>EUR 18</td><td>EUR 22</td></tr>
<tr><td>Display</td><td>EUR 88</td><td>not repaired</td></tr></table><p>An estimate costs EUR 35; it is not refunded.</p>`,
	"security.md": "# IT security\n\nPasswords are never shared; they are changed when somebody else knows them.\n\n" +
		"| Class | Examples | Sending outside |\n|---|---|---|\n| Public | brochures, manuals | allowed |\n" +
		"| Internal | minutes | with a business reason |\n| Confidential | prices, personnel files | encrypted only |\n" +
		"| Strictly confidential | board papers | not allowed |\n\nLost devices are reported within two hours. They are not replaced.\n",
	"ryokin.md": "# 料金\n\n払い戻しはできません。ただし、欠航の場合は全額を払い戻します。\n\n| 区分 | 国内線 | 国際線 |\n|---|---|---|\n" +
		"| シルバー | 1,650円 | 3,300円 |\n| ゴールド | 無料 | 1,100円 |\n| 一般 | 2,200円 | 利用できません |\n\n- 小児は半額です。\n- 幼児は無料です。\n",
	"shuri.html": `<h2>修理料金</h2><p>見積りは無料です。</p><table><tr><th>修理</th><th>KL-30</th><th>KL-40</th></tr>
<tr><td>電池の交換</td><td>6,500円</td><td>7,900円</td></tr><tr><td>画面の交換</td><td>8,800円</td><td>対象外</td></tr></table>`,
}

// readTables are the pages as they are read.
func readTables(t *testing.T) map[string]string {
	t.Helper()
	folder := t.TempDir()
	for name, page := range tablePages {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(page), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	corpus, _, err := readers.ReadFolder(folder, "tables", readers.FolderRules{})
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]string{}
	for _, d := range corpus.Documents {
		out[d.ID] = d.Text
	}
	return out
}

// verdictOf is what the offline judge says of a claim by one passage.
func verdictOf(claim, passage string) string {
	for _, c := range offlineVerify(verifyData{Claims: number([]string{claim}), Passages: number([]string{passage})}).Verdicts {
		return c.Verdict
	}
	return neither
}

// TestRowsOfTablesAreChecked asks about answers that say rows, as the offline writer and as people do.
func TestRowsOfTablesAreChecked(t *testing.T) {
	t.Parallel()
	pages := readTables(t)
	for _, c := range []struct{ page, answer, want string }{
		{"repairs.html", "Battery replacement: KL-30 EUR 65, KL-40 EUR 79 [1]\nSeal kit: KL-30 EUR 18, KL-40 EUR 22 [1]", supported},
		{"repairs.html", "Battery replacement: KL-30 EUR 65, KL-40 EUR 79\nSeal kit: KL-30 EUR 18, KL-40 EUR 22", supported},
		{"repairs.html", "| Repair | KL-30 | KL-40 |\n|---|---|---|\n| Seal kit | EUR 18 | EUR 22 |\n| Display | EUR 88 | not repaired |", supported},
		{"repairs.html", "Seal kit\tEUR 18\tEUR 22\nDisplay\tEUR 88\tnot repaired", supported},
		{"repairs.html", "Battery replacement: KL-30 EUR 66, KL-40 EUR 80", contradicted},
		{"security.md", "Confidential: Examples prices, personnel files, Sending outside encrypted only", supported},
		{"security.md", "Confidential: prices, personnel files, encrypted only", supported},
		{"ryokin.md", "シルバー：国内線 1,650円、国際線 3,300円 [1]\nゴールド：国内線 無料、国際線 1,100円 [1]", supported},
		{"ryokin.md", "| 区分 | 国内線 | 国際線 |\n|---|---|---|\n| 一般 | 2,200円 | 利用できません |", supported},
		{"ryokin.md", "シルバー：国内線 1,750円、国際線 3,400円", contradicted},
		{"shuri.html", "電池の交換：KL-30 6,500円、KL-40 7,900円", supported},
		{"shuri.html", "画面の交換\t8,800円\t対象外", supported},
	} {
		claims := textual.SplitClaims(c.answer)
		lines := 1 + strings.Count(c.answer, "\n")
		if strings.Contains(c.answer, "---") {
			lines -= 2 // the head and the rule below it
		}
		if len(claims) != lines {
			t.Errorf("%q has the claims %q", c.answer, claims)
		}
		for _, claim := range claims {
			if got := verdictOf(claim, pages[c.page]); got != c.want {
				t.Errorf("%q is %s by %s, want %s", claim, got, c.page, c.want)
			}
		}
	}
}

// TestWhatAPassageSaysItSupports cuts documents anywhere, quotes each sentence and each row of what is left, and lets the offline writer
// answer: nothing of it is contradicted by the passage that it came from, and nothing is without support.
func TestWhatAPassageSaysItSupports(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	var documents []string
	for _, page := range readTables(t) {
		documents = append(documents, page)
	}
	slices.Sort(documents)
	for range 60 {
		documents = append(documents, randomPage(random))
	}
	for _, d := range documents {
		runes := []rune(d)
		for range 40 {
			from := random.IntN(len(runes))
			passage := strings.TrimSpace(string(runes[from:min(len(runes), from+20+random.IntN(400))]))
			for _, quote := range quotesOf(passage) {
				for _, claim := range textual.SplitClaims(quote) {
					if got := verdictOf(claim, passage); got != supported {
						t.Fatalf("%q is %s by\n%s", claim, got, passage)
					}
				}
			}
		}
	}
}

// randomPage is a document of sentences, lists and tables that deny, count and name.
func randomPage(r *rand.Rand) string {
	words := [][]string{
		strings.Fields("battery display seal KL-30 KL-40 not never free EUR 65 1,650 0.38 refund allowed without repair Monday may no charge"),
		strings.Fields("電池 画面 交換 は できません 無料 1,650円 返金 対象外 です KL-30 ない 国内線 有料 を 利用 しません"),
	}[r.IntN(2)]
	japanese := text.Language(strings.Join(words, "")) == "ja"
	phrase := func(n int) string {
		var out []string
		for range 1 + r.IntN(n) {
			out = append(out, words[r.IntN(len(words))])
		}
		if japanese {
			return strings.Join(out, "")
		}
		return strings.Join(out, " ")
	}
	var page strings.Builder
	for range 1 + r.IntN(5) {
		switch r.IntN(4) {
		case 0, 1:
			end := map[bool]string{false: ". ", true: "。"}[japanese]
			comma := map[bool]string{false: "; ", true: "、"}[japanese]
			fmt.Fprint(&page, "The ", phrase(6), comma, phrase(6), end, phrase(5), end, "\n\n")
		case 2:
			for range 3 {
				fmt.Fprint(&page, "- ", phrase(5), "\n")
			}
			page.WriteString("\n")
		default:
			columns := 2 + r.IntN(3)
			for range 2 + r.IntN(4) {
				var cells []string
				for range columns {
					cells = append(cells, phrase(3))
				}
				fmt.Fprint(&page, strings.Join(cells, "\t"), "\n")
			}
			page.WriteString("\n")
		}
	}
	return page.String()
}

// quotesOf are the sentences and the rows of a passage, and what the offline writer answers from it.
func quotesOf(passage string) []string {
	var out []string
	x := text.NewIndex(passage)
	for _, span := range text.Sentences(passage) {
		out = append(out, x.Slice(span.Start, span.End))
	}
	out = append(out, strings.Split(passage, "\n")...)
	for _, question := range []string{"What does the repair of the battery cost for the KL-30?", "Is the display free without charge?",
		"国際線の料金はいくらですか。"} {
		data, err := json.Marshal(prompts.GenerateData{Question: question, Contexts: []prompts.Passage{{Number: 1, Text: passage}}})
		if err != nil {
			panic(err)
		}
		req := llm.Request{Purpose: prompts.PurposeGenerate, Model: "extractive", Data: data}
		answer, err := offline.Handlers()[prompts.PurposeGenerate](req)
		if err != nil {
			panic(err)
		}
		out = append(out, answer)
	}
	return out
}
