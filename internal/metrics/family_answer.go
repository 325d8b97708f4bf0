package metrics

// answerMetrics look at the answer as a whole.
var answerMetrics = []metric{
	{
		Spec: judgedShare("answer_relevancy", "2", "answer", [4]string{
			"Answer relevancy", "回答関連性",
			"Whether the answer gives what the question asks for, and nothing beside the point.",
			"質問が求めている事柄をもれなく示し、余計なことを述べていないか。",
		}),
		Doc: Doc{
			Formula: "2ab / (a + b), a = mean over the 1 – 4 parts of the question (given 1, partly 0.5, not 0), b = share of sentences not beside the point",
			Inputs:  "question, answer", Calls: 1, Source: "decision record 0035",
			DropEN:  "Prompt: the answer leaves a part of the question open, stays general, or says more than was asked.",
			DropJA:  "プロンプトの問題。質問の一部に答えていない、一般論にとどまる、または余計なことを述べている。",
			RagasEN: "Ragas compares questions made from the answer with the one asked (response_relevancy here); thin and full answers look alike to it.",
			RagasJA: "Ragasは回答から逆に作った質問を実際の質問と比べる（本ツールでは response_relevancy）。その方法では不十分な回答と十分な回答を区別できない。",
		},
		standard: true,
		score:    (*evaluation).relevance,
	},
	{
		Spec: embedded(judgedShare("response_relevancy", "1", "answer", [4]string{
			"Response relevancy", "逆質問による関連性",
			"How close the questions that the answer would answer are to the question asked.",
			"回答から逆に推測した質問が、実際の質問にどれだけ近いか。",
		})),
		Doc: Doc{
			Formula: "mean over 3 questions of cos(question, question'), each clipped to 0 – 1; 0 when the answer evades",
			Inputs:  "question, answer", Calls: 1, Embeds: 4, Source: "Ragas response relevancy",
			DropEN: "Prompt: the answer talks around the question, says more than was asked, or evades.",
			DropJA: "プロンプトの問題。回答が質問からずれている、余計なことを述べている、または答えを避けている。",
			RagasEN: "Three different questions in one call, with one flag, instead of three equal calls that may give one question three " +
				"times; an evasive answer to an unanswerable question is 1.",
			RagasJA: "同じ呼び出しを三回行う代わりに、異なる3つの質問を一回で求める。" +
				"答えのない質問を避けた回答は1とする。",
		},
		score: (*evaluation).relevancy,
	},
	{
		Spec: embedded(judgedShare("answer_correctness", "2", "answer", [4]string{
			"Answer correctness", "総合一致度",
			"Agreement with the reference: three quarters facts, one quarter wording.",
			"正解との一致度。事実が4分の3、表現の近さが4分の1。",
		})),
		Doc: Doc{
			Formula: "0.75 · 2TP / (2TP + FP + FN) + 0.25 · answer_similarity, TP = #{a ⊂ R}, FP = p − TP, FN = #{not r ⊂ A}",
			Inputs:  "question, answer, reference", Calls: 3, Once: 1, Embeds: 2, Source: "Ragas answer correctness",
			DropEN: "As for factual_correctness; the wording counts a quarter.",
			DropJA: "factual_correctness と同じ。表現の近さが4分の1を占める。",
			RagasEN: "TP, FP and FN come from the verdicts of the claim matrix instead of a classifier that may put a claim in two lists or " +
				"none. An answer without claims has an F of 0, never 1.",
			RagasJA: "分類器ではなく主張の照合結果から数えるため、二重計上や漏れがない。主張のない回答のF値は0であり、1にはならない。",
		},
		standard: true,
		blocks:   []block{answerByReference, referenceByAnswer},
		score:    (*evaluation).answerCorrectness,
		counts:   counting{"answer", inReference},
	},
	{
		Spec: embedded(ruled("answer_similarity", "answer", 0.2, [4]string{
			"Answer similarity", "回答類似度",
			"Cosine similarity of the embeddings of answer and reference.",
			"回答と正解の埋め込みベクトルのコサイン類似度。",
		})),
		Doc: Doc{
			Formula: "cos(answer, reference), clipped to 0 – 1", Inputs: "answer, reference", Embeds: 2,
			Source:  "Ragas semantic similarity",
			DropEN:  "The answers read differently: another style, length or language. By itself it proves no error.",
			DropJA:  "回答の文体・長さ・言語が変わった。これだけでは誤りとはいえない。",
			RagasEN: "Clipped; an empty text is not applicable.", RagasJA: "0〜1に収める。空のテキストは適用外。",
		},
		standard: true,
		score:    (*evaluation).similarity,
	},
	{
		Spec: yesNo(judgedShare("refusal_handling", "1", "answer", [4]string{
			"Refusal handling", "回答拒否の適切さ",
			"1 when the answer says “not in the documents” exactly where that is right, else 0.",
			"文書に答えがないときだけ「記載がない」と答えていれば1、そうでなければ0。",
		})),
		Doc: Doc{
			Formula: "1 when (the answer refuses) = (the question is unanswerable), else 0", Inputs: "question, answer", Calls: 1,
			Source: "ours",
			DropEN: "Either answers are invented where the documents are silent, or questions are turned away that have an answer.",
			DropJA: "文書にないことを作って答えているか、答えのある質問を断っている。",
		},
		score: (*evaluation).refusalHandling,
	},
}
