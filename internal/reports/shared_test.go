package reports

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/xuri/excelize/v2"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/reports/wording"
)

// spelled puts a word of its own into every text of questions, answers and passages, and of what is said about them.
func spelled(r Report) (Report, func() int) {
	n := 0
	word := func() string { n++; return fmt.Sprintf("canary%04d", n) }
	both := func() experiments.Rationale { return experiments.Rationale{EN: word(), JA: word()} }
	for _, e := range []*experiments.Evaluation{&r.Candidate, r.Baseline} {
		for i := range e.Questions {
			q := &e.Questions[i]
			q.Text, q.Reference, q.References, q.Metadata = word(), word(), []string{word()}, map[string]string{"note": word()}
		}
		for i := range e.Results {
			if a := e.Results[i].Answer; a != nil {
				a.Text, a.Query, a.Hits = word(), word(), []rag.Hit{{Span: rag.Span{DocID: "d"}, Text: word(), Lead: word()}}
			}
			for k := range e.Results[i].Scores {
				if e.Results[i].Scores[k].State == metrics.Scored {
					e.Results[i].Scores[k].Reason = word()
				}
			}
		}
	}
	for _, report := range []*causes.CauseReport{r.Causes, r.BaselineCauses} {
		for i := range report.Diagnoses {
			report.Diagnoses[i].Rationale = both()
		}
		report.Examples = []causes.CauseExample{{QuestionID: "q-002", Component: causes.Retriever, Count: 1, Question: word(),
			Reference: word(), Answer: word(), Needed: []causes.ExampleText{{DocID: "d", Text: word()}}, Rationale: both()}}
	}
	for i := range r.Reviews.Labels {
		for k := range r.Reviews.Labels[i].Reviews {
			r.Reviews.Labels[i].Reviews[k].Comment = word()
		}
	}
	r.Troubles = []experiments.Trouble{{Provider: "house", Model: "m", Cause: "provider_refused", Calls: 1, Reply: word()},
		{Provider: "house", Model: "m", Cause: "provider_refused", Calls: 1, Server: word()}}
	return r, func() int { return n }
}

// TestNoTextOccursInAPageWithoutTexts: none of them stands in the bytes, and nothing else is said otherwise.
func TestNoTextOccursInAPageWithoutTexts(t *testing.T) {
	t.Parallel()
	for _, lang := range []string{"en", "ja", wording.Both} {
		r, count := spelled(analysed(sample(lang)))
		whole := page(t, r)
		if n := strings.Count(whole, "canary"); n < 30 {
			t.Fatalf("the whole page holds %d texts of %d", n, count())
		}
		r.NoTexts = true
		bare := page(t, r)
		if i := strings.Index(bare, "canary"); i >= 0 {
			t.Errorf("%s: the page holds a text: %s", lang, bare[max(0, i-200):i+20])
		}
		said := func(body string) string {
			_, after, _ := strings.Cut(body, `<p class="judgement">`)
			head, _, _ := strings.Cut(after, "<section>")
			return head
		}
		if said(bare) == "" || !strings.Contains(said(whole), firstLine(said(bare))) {
			t.Errorf("%s: without texts it says\n%s\nand with them\n%s", lang, firstLine(said(bare)), firstLine(said(whole)))
		}
		for _, wrong := range []string{">no reference answer<", ">正解なし<"} {
			if strings.Contains(bare, wrong) {
				t.Errorf("%s: what is left out is said not to be there: %s", lang, wrong)
			}
		}
	}
}

func firstLine(s string) string { line, _, _ := strings.Cut(s, "\n"); return line }

func TestTheFrameOfASharedPage(t *testing.T) {
	t.Parallel()
	at := time.Date(2026, 11, 20, 9, 0, 0, 0, time.UTC)
	r := sample("en")
	if body := page(t, r); strings.Contains(body, "<a ") || strings.Contains(body, "noindex") {
		t.Error("a page that nobody shared has a frame")
	}
	r.Frame = SharedFrame("en", at, at.AddDate(0, 0, 14), false)
	body := page(t, r)
	for _, want := range []string{"known on 2026-11-20 09:00 UTC", "works until 2026-12-04 09:00 UTC", "are left out",
		`<a href="?lang=ja" hreflang="ja" lang="ja">日本語</a>`, `content="noindex,nofollow"`} {
		if !strings.Contains(body, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	ja := SharedFrame("ja", at, at.AddDate(0, 0, 14), true)
	if len(ja.Lines) != 1 || !strings.Contains(ja.Lines[0], "閲覧専用") || ja.Href != "?lang=en" || ja.Language != "English" {
		t.Errorf("%+v", ja)
	}
}

// TestQuestionsWithoutAnswerAreNoGaps: the right answer to a question that the documents do not answer is that they do not; a report must
// not say that somebody forgot it.
func TestQuestionsWithoutAnswerAreNoGaps(t *testing.T) {
	t.Parallel()
	for lang, words := range map[string][2]string{
		"en": {"the documents do not answer it", "no reference answer"}, "ja": {"文書に答えのない質問", "正解なし"},
	} {
		r := sample(lang)
		for _, e := range []*experiments.Evaluation{&r.Candidate, r.Baseline} {
			for i := range e.Questions {
				e.Questions[i].Reference, e.Questions[i].Answerable = "", false
			}
		}
		book, err := excelize.OpenReader(bytes.NewReader(write(t, r)))
		if err != nil {
			t.Fatal(err)
		}
		whole := page(t, r)
		for _, name := range book.GetSheetList() {
			rows, err := book.GetRows(name)
			if err != nil {
				t.Fatal(err)
			}
			for _, row := range rows {
				whole += "\n" + strings.Join(row, "\n>")
			}
		}
		if n := strings.Count(whole, ">"+words[0]); n < 2 || strings.Contains(whole, ">"+words[1]+"\n") ||
			strings.Contains(whole, ">"+words[1]+"<") {
			t.Errorf("%s: %d times %q; %q is there: %t", lang, n, words[0], words[1], strings.Contains(whole, ">"+words[1]))
		}
	}
}
