package offline

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag/prompts"
	"github.com/rag-workbench/workbench/internal/text"
)

// Handlers answer this package's prompts for the offline provider.
func Handlers() map[string]llm.Handler {
	return map[string]llm.Handler{
		prompts.PurposeRewrite:  offlineRewrite,
		prompts.PurposeRewrites: offlineRewrites,
		prompts.PurposeRerank:   offlineRerank,
		prompts.PurposeGenerate: offlineGenerate,
	}
}

func offlineRewrite(req llm.Request) (string, error) {
	d, err := llm.DataOf[prompts.RewriteData](req)
	if err != nil {
		return "", fmt.Errorf("offline rewriter: %w", err)
	}
	return encode(prompts.RewriteReply{Query: Expand(d.Question)})
}

// offlineRewrites stands in for a model: every text is made of the question's own words.
func offlineRewrites(req llm.Request) (string, error) {
	d, err := llm.DataOf[prompts.RewriteData](req)
	if err != nil {
		return "", fmt.Errorf("offline rewriter: %w", err)
	}
	words := strings.Join(text.Keywords(d.Question), " ")
	texts := []string{words, Damage(d.Question), Expand(d.Question)}
	if d.Mode == prompts.Decompose {
		texts = nil
		for _, s := range text.Sentences(d.Question) {
			texts = append(texts, string([]rune(d.Question)[s.Start:s.End]))
		}
	}
	return encode(prompts.RewritesReply{Queries: texts[:min(d.N, len(texts))]})
}

func offlineRerank(req llm.Request) (string, error) {
	d, err := llm.DataOf[prompts.RerankData](req)
	if err != nil {
		return "", fmt.Errorf("offline reranker: %w", err)
	}
	texts := make([]string, len(d.Passages))
	for i, p := range d.Passages {
		texts[i] = p.Text
	}
	order := Rank(d.Question, texts)
	for i := range order {
		order[i]++
	}
	return encode(prompts.RerankReply{Order: order})
}

func encode(v any) (string, error) {
	body, err := json.Marshal(v)
	return string(body), err
}

// offlineGenerate offers three writers of different character:
//
//   - extractive quotes one to three whole statements of the contexts that fit best, with citations, and adds nothing of its own;
//     where nothing fits it says that the documents do not say;
//   - terse quotes the best one only, without a citation;
//   - closed-book never looks at the contexts and answers in generalities built from the question. It invents on purpose, for
//     studies of what a model does that ignores its contexts.
func offlineGenerate(req llm.Request) (string, error) {
	d, err := llm.DataOf[prompts.GenerateData](req)
	if err != nil {
		return "", fmt.Errorf("offline generator: %w", err)
	}
	lang := text.Language(d.Question)
	write, ok := writers[req.Model]
	if !ok {
		return "", llm.UnknownModel("generator", req.Model, GeneratorNames())
	}
	return write(d, lang), nil
}

// writers are the generators, by the name of the model.
var writers = map[string]func(d prompts.GenerateData, lang string) string{
	"extractive": func(d prompts.GenerateData, lang string) string { return extractive(d, lang, maxQuotes) },
	"terse": func(d prompts.GenerateData, lang string) string {
		return prompts.Citation.ReplaceAllString(extractive(d, lang, 1), "")
	},
	"closed-book": func(d prompts.GenerateData, lang string) string { return closedBook(d.Question, lang) },
}

// GeneratorNames are the names of the models that write answers, sorted.
func GeneratorNames() []string { return slices.Sorted(maps.Keys(writers)) }

// What an extractive answer is made of.
const (
	maxQuotes   = 3
	fitsAtAll   = 0.18 // the share of the question's term weight that the best statement must cover; below it nothing is quoted
	fitsBeside  = 0.40 // of the best score: what a further statement must be worth
	alreadySaid = 0.80 // what a unit of the question is still worth when a quoted statement covers it
)

// quoteBudget bounds what follows the first quote of an answer, in code points of the whole.
var quoteBudget = map[string]int{"ja": 280, "en": 500}

// extractive quotes up to most of the best statements.
func extractive(d prompts.GenerateData, lang string, most int) string {
	all := candidates(d.Contexts)
	r := newRating(all, d.Question, wantsNumber(d.Question, lang))
	first := r.best()
	if first < 0 || r.coverage < fitsAtAll {
		return notFound[lang]
	}
	chosen, used := []int{first}, len([]rune(all[first].text))
	least := fitsBeside * all[first].score
	for len(chosen) < most {
		r.say(chosen[len(chosen)-1])
		next := r.best()
		if next < 0 || all[next].score < least || used+len([]rune(all[next].text)) > quoteBudget[lang] {
			break
		}
		chosen = append(chosen, next)
		used += len([]rune(all[next].text))
	}
	main := all[first].context
	slices.SortFunc(chosen, func(a, b int) int { // what answers best comes first, with what stands around it
		return cmp.Or(cmp.Compare(rank(all[a].context, main), rank(all[b].context, main)), a-b)
	})
	parts := make([]string, len(chosen))
	for i, n := range chosen {
		parts[i] = fmt.Sprintf("%s [%d]", all[n].text, all[n].context+1)
	}
	return strings.Join(parts, "\n")
}

// rank orders contexts, the one of the best statement first.
func rank(context, main int) int {
	if context == main {
		return -1
	}
	return context
}

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
	"en": {"how many", "how much", "how long", "how old", "how large", "how often", "when ", "what year", "percent", "proportion",
		"what size", "number of", "rate of", "size of"},
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
