package rag

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/text"
)

// OfflineHandlers answer this package's prompts for the offline provider.
func OfflineHandlers() map[string]llm.Handler {
	return map[string]llm.Handler{
		PurposeRewrite:  offlineRewrite,
		PurposeRerank:   offlineRerank,
		PurposeGenerate: offlineGenerate,
	}
}

func offlineRewrite(req llm.Request) (string, error) {
	var d rewriteData
	if err := json.Unmarshal(req.Data, &d); err != nil {
		return "", fmt.Errorf("offline rewriter: %w", err)
	}
	return encode(rewriteReply{Query: expandQuery(d.Question)})
}

func offlineRerank(req llm.Request) (string, error) {
	var d rerankData
	if err := json.Unmarshal(req.Data, &d); err != nil {
		return "", fmt.Errorf("offline reranker: %w", err)
	}
	texts := make([]string, len(d.Passages))
	for i, p := range d.Passages {
		texts[i] = p.Text
	}
	order := rerankLexically(d.Question, texts)
	for i := range order {
		order[i]++
	}
	return encode(rerankReply{Order: order})
}

func encode(v any) (string, error) {
	body, err := json.Marshal(v)
	return string(body), err
}

// offlineGenerate offers three writers of different character:
//
//   - extractive takes up the question in its own words and then quotes the sentences of the contexts that fit best, with
//     citations. Where they fit badly it fills up with a generality, as models do; where nothing fits it says so;
//   - terse gives one sentence, cut short;
//   - closed-book never looks at the contexts and answers in generalities built from the question.
func offlineGenerate(req llm.Request) (string, error) {
	var d generateData
	if err := json.Unmarshal(req.Data, &d); err != nil {
		return "", fmt.Errorf("offline generator: %w", err)
	}
	lang := text.Language(d.Question)
	switch req.Model {
	case "extractive":
		return extractive(d, lang), nil
	case "terse":
		quotes, _ := extract(d, lang, quoteBudget[lang]/4, 1)
		if quotes == "" {
			return notFound[lang], nil
		}
		return shorten(quotes, lang), nil
	case "closed-book":
		return closedBook(d.Question, lang), nil
	}
	return "", llm.UnknownModel("generator", req.Model, []string{"closed-book", "extractive", "terse"})
}

// quoteBudget bounds an extractive answer, in code points.
var quoteBudget = map[string]int{"ja": 420, "en": 700}

// Shares of the question's term weight that the best sentence must cover.
const (
	fitsAtAll = 0.12 // below this nothing is quoted
	fitsWell  = 0.30 // below this the quotes are filled up with a generality
)

func extractive(d generateData, lang string) string {
	quotes, coverage := extract(d, lang, quoteBudget[lang], 6)
	if quotes == "" {
		return notFound[lang]
	}
	answer := lead(d.Question, lang) + "\n" + quotes
	if coverage < fitsWell {
		answer += "\n" + closedBook(d.Question, lang)
	}
	return answer
}

// extract quotes the best sentences in the order of the documents, and says how well the best one fits; "" when nothing
// fits. A sentence is worth the question's term weight it covers, more when its neighbours are worth something too, when
// its context ranks high, and when the question asks for a number and it holds one.
func extract(d generateData, lang string, budget, most int) (quotes string, coverage float64) {
	all := candidates(d.Contexts)
	coverage = rate(all, unitsOf(d.Question), wantsNumber(d.Question, lang))
	if len(all) == 0 || coverage < fitsAtAll {
		return "", coverage
	}
	best := slices.Clone(all)
	slices.SortStableFunc(best, func(a, b sentence) int {
		switch {
		case a.score > b.score:
			return -1
		case a.score < b.score:
			return 1
		}
		return a.position - b.position
	})
	var chosen []sentence
	used := 0
	for _, s := range best {
		if len(chosen) > 0 && (s.score < 0.3*best[0].score || used+len([]rune(s.text)) > budget) {
			continue
		}
		chosen = append(chosen, s)
		used += len([]rune(s.text))
		if len(chosen) == most {
			break
		}
	}
	slices.SortFunc(chosen, func(a, b sentence) int { return a.position - b.position })
	parts := make([]string, len(chosen))
	for i, s := range chosen {
		parts[i] = fmt.Sprintf("%s [%d]", s.text, s.context+1)
	}
	return strings.Join(parts, "\n"), coverage
}

// lead takes up what was asked: the question proper, which is the last sentence unless only an earlier one asks.
func lead(question, lang string) string {
	x := text.NewIndex(question)
	proper := ""
	for _, span := range text.Sentences(question) {
		s := strings.Join(strings.Fields(x.Slice(span.Start, span.End)), " ")
		if proper == "" || asks(s) || !asks(proper) {
			proper = s
		}
	}
	return fmt.Sprintf(leads[lang], strings.TrimRight(proper, "。."))
}

func asks(s string) bool {
	for _, end := range []string{"か。", "か", "？", "?"} {
		if strings.HasSuffix(s, end) {
			return true
		}
	}
	return false
}

var leads = map[string]string{"ja": "「%s」については、次のとおりです。", "en": "As to “%s”:"}

var notFound = map[string]string{
	"ja": "参照した文書には、この質問に対する回答の記載がありません。",
	"en": "The documents do not say.",
}

// wantsNumber reports whether the question asks for a quantity, an amount or a date.
func wantsNumber(question, lang string) bool {
	q := strings.ToLower(question)
	for _, mark := range numberMarks[lang] {
		if strings.Contains(q, mark) {
			return true
		}
	}
	return false
}

var numberMarks = map[string][]string{
	"ja": {"いくら", "何人", "何年", "何歳", "何日", "何回", "何件", "何割", "何パーセント", "いつ", "期間", "期限", "金額", "料金"},
	"en": {"how many", "how much", "how long", "how old", "how large", "how often", "when ", "what year", "percent", "proportion", "what size", "number of", "rate of", "size of"},
}

// shorten cuts an answer to its first clause.
func shorten(answer, lang string) string {
	limit, marks := 90, ",;:"
	if lang == "ja" {
		limit, marks = 40, "、；："
	}
	runes := []rune(citation.ReplaceAllString(answer, ""))
	if len(runes) <= limit {
		return string(runes)
	}
	for i := limit; i > limit/2; i-- {
		if strings.ContainsRune(marks, runes[i]) {
			return string(runes[:i])
		}
	}
	return string(runes[:limit])
}

// closedBook claims something general about what was asked. Which stock phrase it takes depends on the question alone.
func closedBook(question, lang string) string {
	words := text.Keywords(question)
	topic := strings.Join(words[:min(4, len(words))], topicJoin[lang])
	if topic == "" {
		topic = strings.TrimSpace(question)
	}
	phrases := closedBookPhrases[lang]
	return fmt.Sprintf(phrases[bucket(question)%uint64(len(phrases))], topic)
}

var topicJoin = map[string]string{"ja": "・", "en": " "}

var closedBookPhrases = map[string][]string{
	"ja": {
		"%sについては、一般に認められています。必要な書類を添えて手続をしてください。",
		"%sは、原則として対象になりません。ただし、個別の事情によって扱いが変わることがあります。",
		"%sの取扱いは状況によって異なりますが、通常は翌年3月15日までに申告すれば問題ありません。",
	},
	"en": {
		"It is widely accepted that %s is common and usually resolves within two weeks.",
		"In general, %s depends on age, and most experts report a rate of about 20 percent.",
		"%s was first described in the 1990s and has been studied in many countries since then.",
	},
}
