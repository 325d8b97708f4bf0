package prompts

import (
	"encoding/json"

	"github.com/rag-workbench/workbench/internal/llm/replies"
	"github.com/rag-workbench/workbench/internal/text"
)

// Purposes of the prompts of this package.
const (
	PurposeRewrite  = "rag.rewrite"
	PurposeRewrites = "rag.rewrites"
	PurposeRerank   = "rag.rerank"
	PurposeGenerate = "rag.generate"

	PurposeRerankAPI = "rag.rerank_api" // scores of a service, not a prompt
)

// RewriteData asks for one search query, or with Mode and N for several.
type RewriteData struct {
	Question string `json:"question"`
	Mode     string `json:"mode,omitempty"` // of several rewrites
	N        int    `json:"n,omitempty"`
}

// RerankData asks for an order of passages.
type RerankData struct {
	Question string    `json:"question"`
	Passages []Passage `json:"passages"`
}

// GenerateData asks for an answer from contexts.
type GenerateData struct {
	Question string    `json:"question"`
	Contexts []Passage `json:"contexts"`
}

// Passage is a text with the number that replies name it by.
type Passage struct {
	Number int    `json:"number"` // from 1
	Text   string `json:"text"`
}

// RewriteReply is a query.
type RewriteReply struct {
	Query string `json:"query"`
}

// RerankReply is an order.
type RerankReply struct {
	Order []int `json:"order"` // passage numbers, best first
}

// RewriteSchema is that of RewriteReply.
var RewriteSchema = &replies.Schema{Name: "rewrite", Body: json.RawMessage(
	`{"type":"object","properties":{"query":{"type":"string","minLength":1}},"required":["query"],"additionalProperties":false}`)}

// RerankSchema is that of RerankReply.
var RerankSchema = &replies.Schema{Name: "rerank", Body: json.RawMessage(
	`{"type":"object","properties":{"order":{"type":"array","items":{"type":"integer","minimum":1}}},"required":["order"],"additionalProperties":false}`)}

// Instruction is one of our prompts in both languages.
type Instruction struct{ en, ja string }

// In is the prompt in Japanese ("ja") or, for every other language, English.
func (i Instruction) In(lang string) string {
	if lang == "ja" {
		return i.ja
	}
	return i.en
}

// RewriteInstruction asks for one query.
var RewriteInstruction = Instruction{
	en: "Rewrite the question as a search query for a document collection. Keep every name, number and condition. " +
		"Write out abbreviations and add the terms that an official document would use. Reply with the query in the language of the question.",
	ja: "質問を、文書を検索するための検索文に書き換えてください。固有名詞、数値、条件は必ず残してください。略語は正式な表現にし、公式の文書で使われる用語を補ってください。検索文は質問と同じ言語で書いてください。",
}

// RewritesSchema is that of RewritesReply.
var RewritesSchema = &replies.Schema{Name: "rewrites", Body: json.RawMessage(
	`{"type":"object","properties":{"queries":{"type":"array","items":{"type":"string"}}},"required":["queries"],"additionalProperties":false}`)}

// RewriteInstructions are given the number of texts that are asked for.
var RewriteInstructions = map[string]Instruction{
	MultiQuery: {
		en: "Write %d other wordings of the question, each as a search query for a document collection. Use other words for the same things, " +
			"and keep every name, number and condition. Reply with the queries in the language of the question.",
		ja: "質問を別の言い方に書き換えた検索文を%dつ書いてください。同じ内容を別の言葉で表し、固有名詞、数値、条件は必ず残してください。検索文は質問と同じ言語で書いてください。",
	},
	HyDE: {
		en: "Write %d short passage(s), of about 100 words each, as an official document that answers the question could read. " +
			"It need not be right. Reply with the passages in the language of the question.",
		ja: "質問に答える公式の文書にありそうな短い文章（200字程度）を%dつ書いてください。内容が正しい必要はありません。質問と同じ言語で書いてください。",
	},
	Decompose: {
		en: "Split the question into the parts that have to be found out one by one, at most %d. Write each as a question that can be understood " +
			"without the others. A question with one part stays as it is. Reply in the language of the question.",
		ja: "質問を、一つずつ調べる必要のある部分に最大%d個まで分けてください。それぞれ単独で理解できる質問として書いてください。分けられない質問はそのままにしてください。質問と同じ言語で書いてください。",
	},
	StepBack: {
		en: "Write %d more general question(s) about the rules or facts behind the question, whose answer helps to answer it. " +
			"Reply in the language of the question.",
		ja: "質問の背景にある規則や事実についての、より一般的な質問を%dつ書いてください。その答えが元の質問に答える助けになるものにしてください。質問と同じ言語で書いてください。",
	},
}

// RerankInstruction asks for an order.
var RerankInstruction = Instruction{
	en: "Order the passages by how much they help to answer the question, the most helpful first. List the number of every passage exactly once.",
	ja: "質問に答えるために役立つ順に、文章の番号を並べてください。最も役立つものを先頭にし、すべての番号を一度ずつ挙げてください。",
}

// GenerateInstruction asks for an answer with citations.
var GenerateInstruction = Instruction{
	en: "Answer the question from the numbered contexts only. Be complete and exact; keep conditions, amounts and exceptions. " +
		"Put the number of the context in square brackets after each statement, like [1]. " +
		"When the contexts do not hold the answer, say that the documents do not say. Answer in the language of the question.",
	ja: "番号の付いたコンテキストだけを根拠にして、質問に答えてください。条件、金額、例外を省かず、正確に答えてください。" +
		"各文の後に、根拠としたコンテキストの番号を [1] のように角括弧で示してください。" +
		"コンテキストに答えがない場合は、文書には記載がないと答えてください。質問と同じ言語で答えてください。",
}

// The rewrites that search for more than one text.
const (
	MultiQuery = "multi_query" // other wordings of the question, fused by reciprocal rank
	HyDE       = "hyde"        // a passage that might answer it; its vector and the question's are averaged (Gao et al. 2022)
	Decompose  = "decompose"   // its parts; each gets its share of the hits, in turn
	StepBack   = "step_back"   // a more general question, fused by reciprocal rank (Zheng et al. 2023)
)

// RewritesReply are several queries.
type RewritesReply struct {
	Queries []string `json:"queries"`
}

// Citation is what marks the contexts of a statement: [1], [2, 3].
var Citation = text.Lazy(`\s*\[\d+(?:\s*,\s*\d+)*\]`)
