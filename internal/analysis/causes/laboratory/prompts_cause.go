package laboratory

import (
	"encoding/json"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/llm/replies"
)

// Purposes of the prompts of the cause analysis.
const (
	PurposeCauseClaims   = "cause.claims"   // the key claims of a reference
	PurposeCauseEvidence = "cause.evidence" // one claim against windows of the corpus
	PurposeCauseQuestion = "cause.question" // whether a question says what is asked
	PurposeCauseObserved = "cause.observed" // the cause, read from a log: our labels
	PurposeCausePaper    = "cause.paper"    // the cause, read from a log: the founding paper's labels
)

// causeReplies names the wording of the prompts. It is part of the key of every reply, so that a new procedure uses what was bought
// for an old one.
const causeReplies = "1"

// causeAnswers names the form in which answers are kept. Form 1 said whether the reply had been bought or found in the ledger, which
// another run, or a study that is computed again, finds otherwise.
const causeAnswers = "2"

// causePrompts are the instructions, written natively in each language.
var causePrompts = map[string]map[string]string{
	PurposeCauseClaims: {
		"en": "Break the reference into claims: short sentences that each state one fact, can be understood alone and can be true or false. " +
			"Use the question to complete fragments and replace pronouns by what they stand for. Leave out what a right answer to the question need not hold. " +
			"Add nothing that the reference does not say.",
		"ja": "正解を主張に分解してください。主張とは、一つの事実だけを述べ、単独で理解でき、真偽を判定できる短い文です。" +
			"断片的な記述は質問を使って文に補い、指示語は指す内容に置き換えてください。質問への正しい回答に必要のない主張は除いてください。正解にない内容を加えてはいけません。",
	},
	PurposeCauseEvidence: {
		"en": "Check the claim against every passage by itself. The question only says what the claim is about. " +
			"The verdict is entail when the passage states or directly implies the whole claim, and contradict when the passage speaks of the same thing and both cannot be true. " +
			"Leave out every passage that is neither, also when it is merely on the topic. Numbers, names, dates and conditions must agree. " +
			"As quote copy the decisive sentence of the passage character for character. Use nothing but the passages.",
		"ja": "主張を、それぞれの文章だけと照らし合わせてください。質問は、主張が何についてのものかを示すだけです。" +
			"文章が主張の全体を述べているか直接含意していれば entail、同じ事柄について述べていて両立しなければ contradict とします。" +
			"どちらでもない文章は、話題が近いだけのものも含めて挙げないでください。数値、固有名詞、日付、条件は一致していなければなりません。" +
			"quote には、決め手となった文を一字一句そのまま写してください。文章以外の知識は使わないでください。",
	},
	PurposeCauseQuestion: {
		"en": "Read the question as somebody who has only the documents of the organisation would. First write in one sentence what exactly is asked, as reading. " +
			"clear is false when the question leaves out something without which nobody could know what is meant, such as which product, person, place or case; " +
			"a short or badly worded question that can be understood is clear. " +
			"reference_answers is false when the reference answers another question than this one, whether or not it is true. " +
			"Where one of them is false, say in missing what is missing or what the reference answers instead; else leave missing empty.",
		"ja": "組織の文書だけを持つ人の立場で質問を読んでください。まず、何が尋ねられているかを一文で reading に書いてください。" +
			"どの製品・人・場所・場合のことかなど、それがなければ何を指すか誰にも分からない情報が欠けているときは、clear を false とします。短い質問や拙い質問でも、意味が分かれば true です。" +
			"正解が、正しいかどうかにかかわらず、この質問とは別の質問への答えであるときは、reference_answers を false とします。" +
			"どちらかが false のときは、欠けている情報、または正解が何に答えているかを missing に書き、そうでなければ空にしてください。",
	},
	PurposeCauseObserved: {
		"en": observedEN + observedLabelsEN + observedEndEN,
		"ja": observedJA + observedLabelsJA + observedEndJA,
	},
	PurposeCausePaper: {
		"en": observedEN + paperLabelsEN + observedEndEN,
		"ja": observedJA + paperLabelsJA + observedEndJA,
	},
}

const (
	observedEN = "You find out why a system that answers questions from documents gave a poor answer. " +
		"The data hold: question; contexts, the passages that were retrieved, best first; answer, what the system wrote; reference, the correct answer; " +
		"metrics, scores of the answer, where a low context_recall or context_precision hints at retrieval and a low faithfulness or trust at generation. " +
		"The metrics are hints: decide by what question, contexts, answer and reference say. " +
		"Walk through the pipeline from the input on and stop at the first part that is at fault. "
	observedJA = "あなたは、文書に基づいて質問に答えるシステムが、なぜ不十分な回答をしたのかを突き止めます。" +
		"データは次のとおりです。question：質問。contexts：検索された文章（上位から順）。answer：システムの回答。reference：正解。" +
		"metrics：回答の評価値。context_recall や context_precision が低ければ検索、faithfulness や trust が低ければ生成が疑われます。" +
		"評価値は手がかりにすぎません。最終的な判断は、質問・コンテキスト・回答・正解の内容によってください。" +
		"システムの動作順に入力側から確認し、最初に不備が見つかったところで判定してください。"

	observedLabelsEN = "1. question: the question leaves out what is needed to know what is meant. " +
		"2. context_not_obtained: the contexts lack something that the reference needs. " +
		"3. generation: the contexts hold it, and the answer leaves it out, gets it wrong or says what they do not say. " +
		"4. post_processing: the answer is right as far as it goes, but was cut off or changed after it was written. " +
		"5. reference: the reference is wrong or out of date, and the answer agrees with the contexts. " +
		"6. no_fault: the answer is good. "
	observedLabelsJA = "1. question：何を指すかを知るために必要な情報が質問に欠けている。" +
		"2. context_not_obtained：正解に必要な内容がコンテキストに欠けている。" +
		"3. generation：コンテキストにはあるのに、回答が省いた、誤った、またはコンテキストにないことを述べた。" +
		"4. post_processing：途中までは正しいが、書かれた後に切り詰められるなど変更された。" +
		"5. reference：正解が誤っているか古く、回答はコンテキストと一致している。" +
		"6. no_fault：回答に問題はない。"

	paperLabelsEN = "1. question: the question leaves out what is needed to know what is meant. " +
		"2. search_query: the question was clear and what was searched for was not. " +
		"3. database: the contexts lack something that the reference needs, and it seems that the documents do not hold it. " +
		"4. retriever: the contexts lack something that the reference needs, and it seems that other documents hold it. " +
		"5. system_prompt: the contexts hold it, and the answer follows a rule that spoils it, such as a length or a style. " +
		"6. generation_model: the contexts hold it, and the answer leaves it out, gets it wrong or says what they do not say. " +
		"7. post_processing: the answer was cut off or changed after it was written. " +
		"8. reference: the reference is wrong or out of date. " +
		"9. no_fault: the answer is good. "
	paperLabelsJA = "1. question：何を指すかを知るために必要な情報が質問に欠けている。" +
		"2. search_query：質問は明確だが、検索に使われた語句が不適切である。" +
		"3. database：正解に必要な内容がコンテキストに欠けており、文書自体にないと考えられる。" +
		"4. retriever：正解に必要な内容がコンテキストに欠けており、ほかの文書にはあると考えられる。" +
		"5. system_prompt：コンテキストにはあるのに、回答が長さや文体などの指示に従って損なわれている。" +
		"6. generation_model：コンテキストにはあるのに、回答が省いた、誤った、またはコンテキストにないことを述べた。" +
		"7. post_processing：書かれた後に切り詰められるなど変更された。" +
		"8. reference：正解が誤っているか古い。" +
		"9. no_fault：回答に問題はない。"

	observedEndEN = "Write your steps under analysis. Then check once more whether the cause follows from them, correct it where it does not, and write under recheck what you found. " +
		"Give component as one of the words before the colons. " +
		"In rationale_en say in one or two English sentences for people without technical knowledge what is missing or wrong and where; in rationale_ja the same in Japanese."
	observedEndJA = "確認の過程を analysis に書いてください。次に、原因がその過程から忠実に導かれているかを再検証し、必要なら修正して、結果を recheck に書いてください。" +
		"component には、コロンの前の語のうち一つを書いてください。" +
		"rationale_ja には、何がどこで不足しているか、または誤っているかを、専門知識のない人に向けて日本語の一、二文で書き、rationale_en には同じ内容を英語で書いてください。"
)

// causeSchemas are the forms of the replies.
var causeSchemas = map[string]*replies.Schema{
	PurposeCauseClaims: causeSchema("claims", `"claims":{"type":"array","items":{"type":"string","minLength":1}}`, "claims"),
	PurposeCauseEvidence: causeSchema("evidence", `"verdicts":{"type":"array","items":{"type":"object","properties":{`+
		`"passage":{"type":"integer","minimum":1},"quote":{"type":"string"},"verdict":{"type":"string","enum":["entail","contradict"]}},`+
		`"required":["passage","quote","verdict"],"additionalProperties":false}}`, "verdicts"),
	PurposeCauseQuestion: causeSchema("reading",
		`"reading":{"type":"string"},"clear":{"type":"boolean"},"reference_answers":{"type":"boolean"},"missing":{"type":"string"}`,
		"reading", "clear", "reference_answers", "missing"),
	PurposeCauseObserved: observedSchema(observedComponents),
	PurposeCausePaper:    observedSchema(paperComponents),
}

// The labels of the two classifiers.
var (
	observedComponents = []causes.Component{causes.QuestionText, causes.ContextNotFound, causes.GenerationUnsure, causes.PostProcessing,
		causes.ReferenceText, causes.NoFault}
	paperComponents = []causes.Component{
		causes.QuestionText, causes.SearchQuery, causes.Database, causes.Retriever, causes.SystemPrompt,
		causes.GenerationModel, causes.PostProcessing, causes.ReferenceText, causes.NoFault,
	}
)

func observedSchema(labels []causes.Component) *replies.Schema {
	words := make([]string, len(labels))
	for i, c := range labels {
		words[i] = `"` + string(c) + `"`
	}
	return causeSchema("cause",
		`"analysis":{"type":"string"},"recheck":{"type":"string"},"component":{"type":"string","enum":[`+strings.Join(words, ",")+`]},`+
			`"rationale_en":{"type":"string"},"rationale_ja":{"type":"string"}`, "analysis", "recheck", "component", "rationale_en",
		"rationale_ja")
}

func causeSchema(name, properties string, required ...string) *replies.Schema {
	return &replies.Schema{Name: name, Body: json.RawMessage(
		`{"type":"object","properties":{` + properties + `},"required":["` + strings.Join(required, `","`) +
			`"],"additionalProperties":false}`)}
}
