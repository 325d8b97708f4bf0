package metrics

import "slices"

// catalogue lists every metric, in the order people see them. A version changes with the metric's formula or prompts;
// scores of different versions are never compared.
var catalogue = slices.Concat(rubricMetrics, claimMetrics, answerMetrics, iccgMetrics, retrievalMetrics, textMetrics, operationMetrics)

var rubricMetrics = []Spec{
	{
		ID: "correctness", Version: "1", Group: "answer", Min: 1, Max: 5, Delta: 1, NeedsJudge: true,
		TitleEN: "Correctness", TitleJA: "正確性",
		MeaningEN: "How well the answer agrees with the reference: 5 fully right and complete, 1 wrong.",
		MeaningJA: "回答が正解とどれだけ一致しているか。5は完全に正しく、1は誤り。",
	},
	{
		ID: "trust", Version: "1", Group: "answer", Min: 1, Max: 5, Delta: 1, NeedsJudge: true,
		TitleEN: "Trust", TitleJA: "信頼性",
		MeaningEN: "How far the answer is based on the retrieved contexts: 5 fully, 4 mostly, 3 moderately, 2 partially, 1 not.",
		MeaningJA: "回答が検索されたコンテキストにどれだけ基づいているか。5は完全に、1はまったく基づいていない。",
	},
}

// judgedShare is a share that the judge's verdicts decide.
func judgedShare(id, version, group string, words [4]string) Spec {
	return Spec{
		ID: id, Version: version, Group: group, Max: 1, Delta: 0.2, NeedsJudge: true,
		TitleEN: words[0], TitleJA: words[1], MeaningEN: words[2], MeaningJA: words[3],
	}
}

// ruled is a share or a yes (1) or no (0) that no judge takes part in.
func ruled(id, group string, delta float64, words [4]string) Spec {
	return Spec{
		ID: id, Version: "1", Group: group, Max: 1, Delta: delta,
		TitleEN: words[0], TitleJA: words[1], MeaningEN: words[2], MeaningJA: words[3],
	}
}

// compares is a metric of answer against reference as texts. In version 2 citations are only those that point to a context which exists,
// and are taken out of both sides.
func compares(id string, delta float64, words [4]string) Spec {
	s := ruled(id, "text", delta, words)
	s.Version = "2"
	return s
}

// lower turns a metric round: its best value is the smallest.
func lower(s Spec) Spec {
	s.LowerIsBetter = true
	return s
}

// embedded marks a metric that measures with embeddings.
func embedded(s Spec) Spec {
	s.NeedsEmbedding = true
	return s
}

// yesNo marks a metric that is 1 or 0.
func yesNo(s Spec) Spec {
	s.Delta = 0.5
	return s
}

var claimMetrics = []Spec{
	judgedShare("faithfulness", "3", "claims", [4]string{
		"Faithfulness", "忠実性",
		"Share of the answer's claims that the contexts support.",
		"回答の主張のうち、コンテキストに裏付けられているものの割合。",
	}),
	lower(judgedShare("hallucination", "2", "claims", [4]string{
		"Hallucination", "ハルシネーション",
		"Share of the answer's claims that neither the contexts nor the reference support.",
		"回答の主張のうち、コンテキストにも正解にも裏付けのないものの割合。",
	})),
	lower(judgedShare("self_knowledge", "2", "claims", [4]string{
		"Self-knowledge", "文書外の知識",
		"Share of the answer's claims that are right but do not come from the contexts.",
		"回答の主張のうち、正しいがコンテキストに基づかないものの割合。",
	})),
	judgedShare("context_recall", "3", "claims", [4]string{
		"Context recall", "コンテキスト再現率",
		"Share of the reference's claims that the contexts support.",
		"正解の主張のうち、コンテキストに裏付けられているものの割合。",
	}),
	judgedShare("context_precision", "3", "claims", [4]string{
		"Context precision", "コンテキスト適合率",
		"How high the contexts that support a reference claim stand among those retrieved.",
		"正解の主張を裏付けるコンテキストが、検索結果のどれだけ上位にあるか。",
	}),
	judgedShare("context_precision_share", "2", "claims", [4]string{
		"Context precision (share)", "コンテキスト適合率（割合）",
		"Share of the retrieved contexts that support a reference claim.",
		"検索されたコンテキストのうち、正解の主張を裏付けるものの割合。",
	}),
	judgedShare("context_utilization", "2", "claims", [4]string{
		"Context utilization", "コンテキスト活用率",
		"Share of the reference's claims found in the contexts that the answer uses.",
		"コンテキストにある正解の主張のうち、回答に使われたものの割合。",
	}),
	judgedShare("context_utilization_ranked", "2", "claims", [4]string{
		"Context utilization (ranked)", "コンテキスト活用率（順位）",
		"How high the contexts that support a claim of the answer stand among those retrieved.",
		"回答の主張を裏付けるコンテキストが、検索結果のどれだけ上位にあるか。",
	}),
	judgedShare("context_entity_recall", "1", "claims", [4]string{
		"Entity recall", "固有表現再現率",
		"Share of the names, dates and amounts of the reference that stand in the contexts.",
		"正解に現れる名称・日付・数値のうち、コンテキストに現れるものの割合。",
	}),
	lower(judgedShare("noise_sensitivity", "3", "claims", [4]string{
		"Noise sensitivity", "ノイズ感度",
		"Share of the answer's claims against the right answer that come from contexts with right facts.",
		"回答の主張のうち、正解と矛盾し、正しい事実も含むコンテキストから来たものの割合。",
	})),
	lower(judgedShare("noise_sensitivity_irrelevant", "3", "claims", [4]string{
		"Noise sensitivity (irrelevant)", "ノイズ感度（無関係）",
		"Share of the answer's claims against the right answer that come only from contexts without right facts.",
		"回答の主張のうち、正解と矛盾し、正しい事実を含まないコンテキストだけから来たものの割合。",
	})),
	judgedShare("factual_correctness", "2", "claims", [4]string{
		"Factual correctness", "事実一致率",
		"How far the facts of answer and reference are the same: F measure of both shares.",
		"回答と正解の事実がどれだけ一致するか。両方向の割合のF値。",
	}),
	judgedShare("factual_precision", "2", "claims", [4]string{
		"Factual precision", "事実の適合率",
		"Share of the answer's claims that the reference supports.",
		"回答の主張のうち、正解に裏付けられているものの割合。",
	}),
	judgedShare("factual_recall", "2", "claims", [4]string{
		"Factual recall", "事実の再現率",
		"Share of the reference's claims that the answer holds.",
		"正解の主張のうち、回答に含まれるものの割合。",
	}),
}

var answerMetrics = []Spec{
	judgedShare("answer_relevancy", "2", "answer", [4]string{
		"Answer relevancy", "回答関連性",
		"Whether the answer gives what the question asks for, and nothing beside the point.",
		"質問が求めている事柄をもれなく示し、余計なことを述べていないか。",
	}),
	embedded(judgedShare("response_relevancy", "1", "answer", [4]string{
		"Response relevancy", "逆質問による関連性",
		"How close the questions that the answer would answer are to the question asked.",
		"回答から逆に推測した質問が、実際の質問にどれだけ近いか。",
	})),
	embedded(judgedShare("answer_correctness", "2", "answer", [4]string{
		"Answer correctness", "総合一致度",
		"Agreement with the reference: three quarters facts, one quarter wording.",
		"正解との一致度。事実が4分の3、表現の近さが4分の1。",
	})),
	embedded(ruled("answer_similarity", "answer", 0.2, [4]string{
		"Answer similarity", "回答類似度",
		"Cosine similarity of the embeddings of answer and reference.",
		"回答と正解の埋め込みベクトルのコサイン類似度。",
	})),
	yesNo(judgedShare("refusal_handling", "1", "answer", [4]string{
		"Refusal handling", "回答拒否の適切さ",
		"1 when the answer says “not in the documents” exactly where that is right, else 0.",
		"文書に答えがないときだけ「記載がない」と答えていれば1、そうでなければ0。",
	})),
}

var iccgMetrics = []Spec{
	yesNo(judgedShare("inclusion", "2", "iccg", [4]string{
		"Inclusion", "含有性",
		"1 when the answer holds the main facts of the reference, else 0.",
		"回答が正解の主要な事実を含んでいれば1、そうでなければ0。",
	})),
	yesNo(lower(judgedShare("contradiction", "2", "iccg", [4]string{
		"Contradiction", "相反性",
		"1 when the answer contradicts the reference, else 0; 0 is good.",
		"回答に正解と矛盾する記述があれば1、なければ0。0が望ましい。",
	}))),
	yesNo(judgedShare("consistency", "1", "iccg", [4]string{
		"Consistency", "一致性",
		"1 when the answer keeps to the topic and intent of the question, else 0.",
		"回答が質問の話題と意図に沿っていれば1、そうでなければ0。",
	})),
	ruled("guidance", "iccg", 0.5, [4]string{
		"Guidance", "案内性",
		"1 when the answer gives the address of an expected source, else 0.",
		"回答に案内すべき情報源のURLがあれば1、なければ0。",
	}),
}

var operationMetrics = []Spec{
	{
		ID: "latency", Version: "1", Group: "operations", Max: 60, Delta: 1, LowerIsBetter: true, TitleEN: "Latency", TitleJA: "応答時間",
		MeaningEN: "Seconds from question to answer.", MeaningJA: "質問から回答までの秒数。",
	},
	{
		ID: "tokens", Version: "1", Group: "operations", Max: 100_000, Delta: 200, LowerIsBetter: true, TitleEN: "Tokens", TitleJA: "トークン数",
		MeaningEN: "Tokens that answering sent and received.", MeaningJA: "回答のために送受信したトークン数。",
	},
	{
		ID: "cost", Version: "1", Group: "operations", Max: 1, Delta: 0.001, LowerIsBetter: true, TitleEN: "Cost", TitleJA: "費用",
		MeaningEN: "Price of the answer in the currency of the price list.", MeaningJA: "回答一件の費用（価格表の通貨）。",
	},
	lower(ruled("truncated", "operations", 0.5, [4]string{
		"Truncated", "途中切れ",
		"1 when the generator stopped at its length limit, else 0.",
		"生成が文字数の上限で打ち切られていれば1、そうでなければ0。",
	})),
}

// Catalogue returns every metric in display order.
func Catalogue() []Spec { return slices.Clone(catalogue) }

// Find returns the metric of the catalogue with this id. Metrics of experiment files are not in it.
func Find(id string) (Spec, bool) {
	for _, s := range catalogue {
		if s.ID == id {
			return s, true
		}
	}
	return Spec{}, false
}
