package metrics

import (
	"encoding/json"
	"fmt"

	"github.com/rag-workbench/workbench/internal/llm"
)

// Purposes of the judge prompts.
const (
	PurposeClaims      = "judge.claims"
	PurposeVerify      = "judge.verify"
	PurposeCorrectness = "judge.correctness"
	PurposeTrust       = "judge.trust"
)

// replyVersion is the shape of the stored replies. Wording, schema and data need no version: a reply's key covers them.
const replyVersion = "1"

// judgement is what a judge replies; fault says why a decoded reply is of no use, "" when it is not. Providers hold replies to
// their schema; this is for those that do not.
type judgement interface{ fault() string }

func (r claimsReply) fault() string {
	if r.Claims == nil {
		return "gave no list of claims"
	}
	return ""
}

func (r verifyReply) fault() string {
	if r.Verdicts == nil {
		return "gave no list of verdicts"
	}
	return ""
}

func (r rubricReply) fault() string {
	if r.Score < 1 || r.Score > 5 {
		return fmt.Sprintf("gave %d; the scale is 1 to 5", r.Score)
	}
	return ""
}

type claimsData struct {
	Question string `json:"question,omitempty"`
	Text     string `json:"text"`
}

type claimsReply struct {
	Claims []string `json:"claims"`
}

type verifyData struct {
	Claims   []numbered `json:"claims"`
	Passages []numbered `json:"passages"`
}

type numbered struct {
	Number int    `json:"number"` // from 1
	Text   string `json:"text"`
}

type verifyReply struct {
	Verdicts []cell `json:"verdicts"`
}

// cell is one verdict of the claim matrix. Pairs that are not listed are "neither".
type cell struct {
	Claim   int    `json:"claim"`
	Passage int    `json:"passage"`
	Verdict string `json:"verdict"` // "supported" or "contradicted"
	Quote   string `json:"quote"`   // words of the passage that decide it
}

type correctnessData struct {
	Question   string `json:"question"`
	Answer     string `json:"answer"`
	Reference  string `json:"reference"`
	Answerable bool   `json:"answerable"`
}

type trustData struct {
	Question string     `json:"question"`
	Answer   string     `json:"answer"`
	Contexts []numbered `json:"contexts"`
}

type rubricReply struct {
	Reason string `json:"reason"`
	Score  int    `json:"score"`
}

var claimsSchema = &llm.Schema{Name: "claims", Body: json.RawMessage(
	`{"type":"object","properties":{"claims":{"type":"array","items":{"type":"string","minLength":1}}},"required":["claims"],"additionalProperties":false}`)}

var verifySchema = &llm.Schema{Name: "verdicts", Body: json.RawMessage(
	`{"type":"object","properties":{"verdicts":{"type":"array","items":{"type":"object","properties":{` +
		`"claim":{"type":"integer","minimum":1},"passage":{"type":"integer","minimum":1},` +
		`"verdict":{"type":"string","enum":["supported","contradicted"]},"quote":{"type":"string"}},` +
		`"required":["claim","passage","verdict","quote"],"additionalProperties":false}}},"required":["verdicts"],"additionalProperties":false}`)}

var rubricSchema = &llm.Schema{Name: "rubric", Body: json.RawMessage(
	`{"type":"object","properties":{"reason":{"type":"string"},"score":{"type":"integer","minimum":1,"maximum":5}},` +
		`"required":["reason","score"],"additionalProperties":false}`)}

// instructions are the judge prompts, written natively in each language.
var instructions = map[string]map[string]string{
	PurposeClaims: {
		"en": "Break the text into claims: short sentences that each state one fact, can be understood alone and can be true or false. " +
			"Replace pronouns by what they stand for. Leave out greetings, citations and statements that the documents do not say something. " +
			"An empty list is right when the text claims nothing.",
		"ja": "テキストを主張に分解してください。主張とは、一つの事実だけを述べ、単独で理解でき、真偽を判定できる短い文です。" +
			"指示語は指す内容に置き換えてください。挨拶、引用番号、「文書に記載がない」という記述は除いてください。何も主張していなければ空のリストを返してください。",
	},
	PurposeVerify: {
		"en": "Check every claim against every passage by itself. List a pair as supported when the passage states or directly implies the whole claim, " +
			"and as contradicted when both cannot be true; leave out all other pairs. Numbers, names, dates and conditions must agree. " +
			"Quote the decisive words of the passage exactly. Use nothing but the passages.",
		"ja": "それぞれの主張を、それぞれの文章だけと照らし合わせてください。文章が主張の全体を述べているか直接含意していれば supported、" +
			"両立しなければ contradicted とし、それ以外の組は挙げないでください。数値、固有名詞、日付、条件は一致していなければなりません。" +
			"決め手となった文章中の語句をそのまま引用してください。文章以外の知識は使わないでください。",
	},
	PurposeCorrectness: {
		"en": "Grade how well the answer agrees with the reference, which is right. 5: fully right and complete. 4: right, small gaps. " +
			"3: mostly right, but details are missing or unclear. 2: partly right with a major error or gap. 1: wrong, or does not answer. " +
			"Wording and order do not matter. When answerable is false, the documents do not hold the answer: saying so is a 5, anything else a 1. " +
			"Give one sentence of reason first.",
		"ja": "回答が正解とどれだけ一致しているかを評価してください。正解は常に正しいものとします。5：完全に正しく十分。4：正しいが、わずかな不足がある。" +
			"3：おおむね正しいが、詳細が欠けているか不明確。2：一部は正しいが、大きな誤りか欠落がある。1：誤り、または答えていない。" +
			"言い回しや順序は問いません。answerable が false のときは文書に答えがないので、そう述べた回答を5、それ以外を1とします。先に理由を一文で述べてください。",
	},
	PurposeTrust: {
		"en": "Grade how far the answer is based on the contexts, whether or not it is right. 5: fully based on the contexts. 4: mostly. 3: moderately. " +
			"2: partially. 1: not based on the contexts. An answer that rightly says the contexts do not hold the answer is a 5. " +
			"Give one sentence of reason first.",
		"ja": "回答がコンテキストにどれだけ基づいているかを評価してください。回答が正しいかどうかは問いません。5：完全に基づいている。4：ほとんど基づいている。" +
			"3：ある程度基づいている。2：部分的に基づいている。1：基づいていない。コンテキストに答えがないと正しく述べた回答は5とします。先に理由を一文で述べてください。",
	},
}

var explainIn = map[string]string{
	"en": " Write the reason in English.",
	"ja": " 理由は日本語で書いてください。",
}
