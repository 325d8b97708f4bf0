package metrics

// answerDocs document the metrics of the answer as a whole, ICC(G) and operations.
var answerDocs = map[string]Doc{
	"correctness": {
		Formula: "level 1 – 5 of the rubric; an empty answer is 1", Inputs: "question, answer, reference", Calls: 1,
		Source:  "founding paper (RAG evaluation framework)",
		DropEN:  "The answers are worse for the people who ask. Start with the questions that became low (2 or less) and their causes.",
		DropJA:  "質問者にとって回答が悪くなった。低スコア（2以下）になった質問とその原因から調べる。",
		RagasEN: "A level outside 1 – 5 is an error and is asked for again; Ragas lets it through.",
		RagasJA: "1〜5以外の値はエラーとして問い直す。Ragasはそのまま通す。",
	},
	"trust": {
		Formula: "level 1 – 5 of the rubric", Inputs: "question, answer, contexts", Calls: 1, Source: "founding paper (trust score)",
		DropEN: "Answers no longer rest on the documents: retrieval brings other passages, or the generator uses what it knows itself.",
		DropJA: "回答が文書に基づかなくなった。検索結果が変わったか、生成モデルが自分の知識で答えている。",
	},
	"answer_relevancy": {
		Formula: "2ab / (a + b), a = mean over the 1 – 4 parts of the question (given 1, partly 0.5, not 0), b = share of sentences not beside the point",
		Inputs:  "question, answer", Calls: 1, Source: "decision record 0035",
		DropEN:  "Prompt: the answer leaves a part of the question open, stays general, or says more than was asked.",
		DropJA:  "プロンプトの問題。質問の一部に答えていない、一般論にとどまる、または余計なことを述べている。",
		RagasEN: "Ragas compares questions made from the answer with the one asked (response_relevancy here); thin and full answers look alike to it.",
		RagasJA: "Ragasは回答から逆に作った質問を実際の質問と比べる（本ツールでは response_relevancy）。その方法では不十分な回答と十分な回答を区別できない。",
	},
	"response_relevancy": {
		Formula: "mean over 3 questions of cos(question, question'), each clipped to 0 – 1; 0 when the answer evades",
		Inputs:  "question, answer", Calls: 1, Embeds: 4, Source: "Ragas response relevancy",
		DropEN:  "Prompt: the answer talks around the question, says more than was asked, or evades.",
		DropJA:  "プロンプトの問題。回答が質問からずれている、余計なことを述べている、または答えを避けている。",
		RagasEN: "Three different questions in one call, with one flag, instead of three equal calls that may give one question three times; an evasive answer to an unanswerable question is 1.",
		RagasJA: "同じ呼び出しを三回行う代わりに、異なる三つの質問を一回で求める。答えのない質問を避けた回答は1とする。",
	},
	"answer_correctness": {
		Formula: "0.75 · 2TP / (2TP + FP + FN) + 0.25 · answer_similarity, TP = #{a ⊂ R}, FP = p − TP, FN = #{not r ⊂ A}",
		Inputs:  "question, answer, reference", Calls: 3, Once: 1, Embeds: 2, Source: "Ragas answer correctness",
		DropEN:  "As for factual_correctness; the wording counts a quarter.",
		DropJA:  "factual_correctness と同じ。表現の近さが4分の1を占める。",
		RagasEN: "TP, FP and FN come from the verdicts of the claim matrix instead of a classifier that may put a claim in two lists or none. An answer without claims has an F of 0, never 1.",
		RagasJA: "分類器ではなく主張の照合結果から数えるため、二重計上や漏れがない。主張のない回答のF値は0であり、1にはならない。",
	},
	"answer_similarity": {
		Formula: "cos(answer, reference), clipped to 0 – 1", Inputs: "answer, reference", Embeds: 2, Source: "Ragas semantic similarity",
		DropEN:  "The answers read differently: another style, length or language. By itself it proves no error.",
		DropJA:  "回答の文体・長さ・言語が変わった。これだけでは誤りとはいえない。",
		RagasEN: "Clipped; an empty text is not applicable.", RagasJA: "0〜1に収める。空のテキストは対象外。",
	},
	"refusal_handling": {
		Formula: "1 when (the answer refuses) = (the question is unanswerable), else 0", Inputs: "question, answer", Calls: 1,
		Source: "ours",
		DropEN: "Either answers are invented where the documents are silent, or questions are turned away that have an answer.",
		DropJA: "文書にないことを作って答えているか、答えのある質問を断っている。",
	},
	"inclusion": {
		Formula: "1 when #{key r ⊂ A} ≥ 0.8 · #{key r}", Inputs: "question, answer, reference", Calls: 1, Once: 1, Source: "ICC(G)",
		DropEN: "Main facts are missing from the answer.", DropJA: "回答に主要な事実が不足している。",
	},
	"contradiction": {
		Formula: "1 when the reference contradicts some a", Inputs: "question, answer, reference", Calls: 2, Source: "ICC(G)",
		DropEN: "The answer says the opposite of what is right: old documents, mixed-up conditions, or hallucination.",
		DropJA: "正解と矛盾する記述がある。古い文書、条件の取り違え、ハルシネーションを疑う。",
	},
	"consistency": {
		Formula: "1 when the judge finds the whole answer on the question's topic", Inputs: "question, answer", Calls: 1, Source: "ICC(G)",
		DropEN: "The answer wanders off: unrelated passages were retrieved, or the prompt asks for too much.",
		DropJA: "回答が話題から外れている。無関係な文章の検索、またはプロンプトの指示過多を疑う。",
	},
	"guidance": {
		Formula: "1 when an expected address stands in the answer (scheme, www, fragment and a last slash do not count)",
		Inputs:  "answer, expected URLs", Source: "ICC(G)",
		DropEN: "The answer no longer points to its source: prompt, post-processing, or addresses missing from the chunks.",
		DropJA: "情報源が案内されていない。プロンプト、後処理、チャンク中のURLの欠落を確認する。",
	},
	"latency": {
		Formula: "seconds of wall time", Inputs: "measurement", Source: "ours",
		DropEN: "A slower model, more or longer contexts, or a busy provider.", DropJA: "遅いモデル、コンテキストの増加、提供元の混雑。",
	},
	"tokens": {
		Formula: "tokens sent + tokens received", Inputs: "measurement", Source: "ours",
		DropEN: "Larger chunks, a larger k, a longer prompt or longer answers.", DropJA: "チャンクやkの増加、長いプロンプトや回答。",
	},
	"cost": {
		Formula: "Σ price of each call", Inputs: "measurement", Source: "ours",
		DropEN: "More tokens, or a dearer model.", DropJA: "トークンの増加、または高価なモデル。",
	},
	"truncated": {
		Formula: "1 when the generator's finish reason is its length limit", Inputs: "answer", Source: "ours",
		DropEN: "max_tokens is too small for these answers.", DropJA: "max_tokens が回答に対して小さすぎる。",
	},
}
