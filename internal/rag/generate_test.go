package rag

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag/offline"
	"github.com/rag-workbench/workbench/internal/rag/prompts"
	"github.com/rag-workbench/workbench/internal/text"
)

// What the writers say where the contexts hold no answer.
const (
	notFoundJA = "参照した文書には、この質問に対する回答の記載がありません。"
	notFoundEN = "The documents do not say."
)

// write asks one of the offline writers through its prompt.
func write(t *testing.T, model, question string, contexts ...string) string {
	t.Helper()
	hits := make([]Hit, len(contexts))
	for i, c := range contexts {
		hits[i].Text = c
	}
	data := prompts.GenerateData{Question: question, Contexts: passages(hits)}
	req := request(prompts.PurposeGenerate, Model{"offline", model}, "", data, nil)
	reply, err := offlineProvider().Complete(t.Context(), req)
	if err != nil {
		t.Fatal(err)
	}
	return reply.Text
}

func manualTexts() []string {
	var texts []string
	for _, d := range manual() {
		texts = append(texts, d.Text)
	}
	return texts
}

var cited = regexp.MustCompile(`(?m)^(.*) \[(\d+)\]$`)

func TestExtractiveQuotesTheContextItCites(t *testing.T) {
	t.Parallel()
	contexts := manualTexts()
	for question, words := range map[string]string{askJA: "10万円を超える場合", askEN: "within 14 days"} {
		answer := write(t, "extractive", question, contexts...)
		if !strings.Contains(answer, words) {
			t.Errorf("%q is answered %q", question, answer)
		}
		quotes := cited.FindAllStringSubmatch(answer, -1)
		if len(quotes) == 0 {
			t.Errorf("%q cites nothing", answer)
		}
		for _, quote := range quotes {
			n, err := strconv.Atoi(quote[2])
			if err != nil || n < 1 || n > len(contexts) || !strings.Contains(contexts[n-1], quote[1]) {
				t.Errorf("%q is not in context %s", quote[1], quote[2])
			}
		}
		if text.Language(answer) != text.Language(question) {
			t.Errorf("%q is answered in another language: %q", question, answer)
		}
	}
}

func TestWritersRefuseWhenNothingFits(t *testing.T) {
	t.Parallel()
	for question, want := range map[string]string{
		"火星の衛星の名前は何ですか。":                 notFoundJA,
		"Which moons orbit planet Mars?": notFoundEN,
	} {
		for _, model := range []string{"extractive", "terse"} {
			for _, contexts := range [][]string{nil, {""}, {"。", "ab"}, {"税務署の窓口は平日に開いています。", "Vouchers cannot be combined."}} {
				if got := write(t, model, question, contexts...); got != want {
					t.Errorf("%s answers %q from %q with %q", model, question, contexts, got)
				}
			}
		}
	}
	if got := write(t, "extractive", "", manualTexts()...); got != notFoundEN {
		t.Errorf("nothing asked is answered %q", got)
	}
}

func TestTerseIsTheBestStatementAlone(t *testing.T) {
	t.Parallel()
	for _, question := range []string{askJA, askEN} {
		short, long := write(t, "terse", question, manualTexts()...), write(t, "extractive", question, manualTexts()...)
		if short == "" || prompts.Citation.MatchString(short) || strings.Contains(short, "\n") || !strings.Contains(long, short+" [") {
			t.Errorf("terse answers %q, extractive %q", short, long)
		}
	}
}

func TestClosedBookIgnoresTheContexts(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, question := range []string{askJA, askEN, "領収書は何年保存しますか。", "Is water damage covered?", "", "これは？"} {
		bare := write(t, "closed-book", question)
		for _, contexts := range [][]string{manualTexts(), {"まったく別の文書です。"}} {
			if got := write(t, "closed-book", question, contexts...); got != bare {
				t.Errorf("%q is answered %q without and %q with contexts", question, bare, got)
			}
		}
		if prompts.Citation.MatchString(bare) || bare == "" {
			t.Errorf("%q is answered %q", question, bare)
		}
		seen[bare] = true
	}
	if len(seen) < 5 {
		t.Errorf("six questions have only %d answers", len(seen))
	}
}

func TestExtractiveUsesTheContexts(t *testing.T) {
	t.Parallel()
	for question, contexts := range map[string][2]string{
		askJA: {"医療費控除は10万円を超えると受けられます。", "医療費控除は20万円を超えると受けられます。"},
		askEN: {"A refund is paid 14 days after the returned goods arrive.", "A refund is paid 30 days after the returned goods arrive."},
	} {
		if a, b := write(t, "extractive", question, contexts[0]), write(t, "extractive", question, contexts[1]); a == b {
			t.Errorf("%q is answered %q from both contexts", question, a)
		}
		if a := write(t, "extractive", question, contexts[0], contexts[0]); strings.Contains(a, "[2]") {
			t.Errorf("the same sentence is quoted twice: %q", a)
		}
	}
}

func TestOfflineHandlersRefuseWhatIsNoData(t *testing.T) {
	t.Parallel()
	for purpose := range offline.Handlers() {
		req := llm.Request{Purpose: purpose, Model: "extractive", Data: []byte(`"no object"`)}
		if reply, err := offlineProvider().Complete(t.Context(), req); err == nil {
			t.Errorf("%s replied %q", purpose, reply.Text)
		}
	}
	if len(offline.Handlers()) != 4 {
		t.Errorf("%d handlers, want one for each purpose of this package", len(offline.Handlers()))
	}
}

// TestOfflineWriterNeverInvents asks the writers that read the contexts everything they could be asked about our manual, and holds
// every line of every answer against the contexts.
func TestOfflineWriterNeverInvents(t *testing.T) {
	t.Parallel()
	contexts := manualTexts()
	space := regexp.MustCompile(`\s+`)
	flat := space.ReplaceAllString(strings.Join(contexts, "\x00"), "")
	for _, question := range []string{
		askJA, askEN, "医療費", "控除", "返金はいつですか。", "手数料はいくらですか。", "refund", "Who wrote the manual?", "How much is a voucher?",
		"What is the rate of success?",
		"診断書は何日以内に出しますか。", "Which returned goods are refunded, when, how, and by whom?",
	} {
		for _, model := range []string{"extractive", "terse"} {
			answer := write(t, model, question, contexts...)
			if answer == notFoundJA || answer == notFoundEN {
				continue
			}
			lines := strings.Split(answer, "\n")
			if most := map[string]int{"extractive": 3, "terse": 1}[model]; len(lines) > most {
				t.Errorf("%s answers %q in %d statements", model, question, len(lines))
			}
			for _, line := range lines {
				quote := prompts.Citation.ReplaceAllString(line, "")
				if !strings.Contains(flat, space.ReplaceAllString(quote, "")) {
					t.Errorf("%s answers %q with %q, which no context says", model, question, quote)
				}
			}
		}
	}
}
