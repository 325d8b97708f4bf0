package metrics

// rubricMetrics are grades from 1 to 5 that a judge gives by a rubric.
var rubricMetrics = []metric{
	{
		Spec: Spec{
			ID: "correctness", Version: "1", Group: "answer", Min: 1, Max: 5, Delta: 1, NeedsJudge: true,
			TitleEN: "Correctness", TitleJA: "正確性",
			MeaningEN: "How well the answer agrees with the reference: 5 fully right and complete, 1 wrong.",
			MeaningJA: "回答が正解とどれだけ一致しているか。5は完全に正しく、1は誤り。",
		},
		Doc: Doc{
			Formula: "level 1 – 5 of the rubric; an empty answer is 1", Inputs: "question, answer, reference", Calls: 1,
			Source:  "founding paper (RAG evaluation framework)",
			DropEN:  "The answers are worse for the people who ask. Start with the questions that became low (2 or less) and their causes.",
			DropJA:  "質問者にとって回答が悪くなった。低スコア（2以下）になった質問とその原因から調べる。",
			RagasEN: "A level outside 1 – 5 is an error and is asked for again; Ragas lets it through.",
			RagasJA: "1〜5以外の値はエラーとして問い直す。Ragasはそのまま通す。",
		},
		standard: true,
		score:    (*evaluation).correctness,
	},
	{
		Spec: Spec{
			ID: "trust", Version: "1", Group: "answer", Min: 1, Max: 5, Delta: 1, NeedsJudge: true,
			TitleEN: "Trust", TitleJA: "信頼性",
			MeaningEN: "How far the answer is based on the retrieved contexts: 5 fully, 4 mostly, 3 moderately, 2 partially, 1 not.",
			MeaningJA: "回答が見つけた参照箇所にどれだけ基づいているか。5は完全に、1はまったく基づいていない。",
		},
		Doc: Doc{
			Formula: "level 1 – 5 of the rubric", Inputs: "question, answer, contexts", Calls: 1, Source: "founding paper (trust score)",
			DropEN: "Answers no longer rest on the documents: retrieval brings other passages, or the generator uses what it knows itself.",
			DropJA: "回答が文書に基づかなくなった。検索結果が変わったか、生成モデルが自分の知識で答えている。",
		},
		standard:      true,
		readsContexts: true,
		score:         (*evaluation).trust,
	},
}
