package metrics

// claimMetrics count the claims of answer and reference by the verdicts of the claim matrix.
var claimMetrics = []metric{
	{
		Spec: judgedShare("faithfulness", "3", "claims", [4]string{
			"Faithfulness", "忠実性",
			"Share of the answer's claims that the contexts support.",
			"回答の主張のうち、参照箇所に裏付けられているものの割合。",
		}),
		Doc: Doc{
			Formula: "#{a ⊂ C} / p", Inputs: "question, answer, contexts", Calls: 2, Source: "Ragas; RAGChecker (arXiv 2408.08067)",
			DropEN: "Hallucination: the generator says what the contexts do not. Look at prompt and model, or at contexts that no longer fit.",
			DropJA: "ハルシネーション。生成モデルが参照箇所にないことを述べている。プロンプトとモデル、" +
				"または合わなくなった参照箇所を確認する。",
			RagasEN: "Divides by the claims that were sent, not by the verdicts that came back; no support without a quote that stands in " +
				"the context; no contexts give 0; an answer without claims is not applicable.",
			RagasJA: "返ってきた判定数ではなく、送った主張の数で割る。実在する引用がなければ裏付けと認めない。" +
				"参照箇所がなければ0、主張のない回答は適用外。",
		},
		standard: true,
		blocks:   []block{answerByContexts},
		score:    (*evaluation).faithfulness,
		counts:   counting{"answer", inContexts},
	},
	{
		Spec: lower(judgedShare("hallucination", "2", "claims", [4]string{
			"Hallucination", "ハルシネーション",
			"Share of the answer's claims that neither the contexts nor the reference support.",
			"回答の主張のうち、参照箇所にも正解にも裏付けのないものの割合。",
		})),
		Doc: Doc{
			Formula: "#{not a ⊂ C and not a ⊂ R} / p = 1 − faithfulness − self_knowledge", Inputs: "question, answer, reference, contexts",
			Calls: 2, Source: "RAGChecker",
			DropEN: "The generator makes things up. Unlike faithfulness it does not count what is right without the contexts.",
			DropJA: "生成モデルが事実を作り出している。忠実性と異なり、参照箇所になくても正しい主張は数えない。",
		},
		standard: true,
		blocks:   []block{answerByContexts, answerByReference},
		score:    (*evaluation).hallucination,
		counts:   counting{"answer", func(c ExplainedClaim) bool { return !inContexts(c) && !inReference(c) }},
	},
	{
		Spec: lower(judgedShare("self_knowledge", "2", "claims", [4]string{
			"Self-knowledge", "文書外の知識",
			"Share of the answer's claims that are right but do not come from the contexts.",
			"回答の主張のうち、正しいが参照箇所に基づかないものの割合。",
		})),
		Doc: Doc{
			Formula: "#{not a ⊂ C and a ⊂ R} / p", Inputs: "question, answer, reference, contexts", Calls: 2, Source: "RAGChecker",
			DropEN: "The model answers from memory: retrieval found too little, and the answer was right by luck of training.",
			DropJA: "モデルが記憶で答えている。検索が足りず、学習済みの知識でたまたま正しかった。",
		},
		standard: true,
		blocks:   []block{answerByContexts, answerByReference},
		score:    (*evaluation).selfKnowledge,
		counts:   counting{"answer", func(c ExplainedClaim) bool { return !inContexts(c) && inReference(c) }},
	},
	{
		Spec: judgedShare("context_recall", "3", "claims", [4]string{
			"Context recall", "コンテキスト再現率",
			"Share of the reference's claims that the contexts support.",
			"正解の主張のうち、参照箇所に裏付けられているものの割合。",
		}),
		Doc: Doc{
			Formula: "#{r ⊂ C} / q", Inputs: "reference, contexts", Calls: 1, Once: 1, Source: "Ragas; RAGChecker claim recall",
			DropEN: "Retrieval: part of what the right answer needs was not found. Look at chunk size, overlap, k, embedding, and whether " +
				"the corpus holds it.",
			DropJA:  "検索の問題。正解に必要な内容の一部が見つかっていない。チャンクサイズ、重なり、k、埋め込み、コーパスの内容を確認する。",
			RagasEN: "The reference is split once and not by the call that judges it; no contexts give 0 without asking.",
			RagasJA: "正解の分割は判定とは別に一度だけ行う。参照箇所がなければ問い合わせずに0とする。",
		},
		standard: true,
		blocks:   []block{referenceByContexts},
		score:    (*evaluation).contextRecall,
		counts:   counting{"reference", inContexts},
	},
	{
		Spec: judgedShare("context_precision", "3", "claims", [4]string{
			"Context precision", "コンテキスト適合率",
			"How high the contexts that support a reference claim stand among those retrieved.",
			"正解の主張を裏付ける参照箇所が、検索結果のどれだけ上位にあるか。",
		}),
		Doc: Doc{
			Formula: "Σ_c useful(c) · precision@rank(c) / #useful; 0 without a useful context", Inputs: "reference, contexts", Calls: 1,
			Once: 1, Source: "Ragas",
			DropEN: "Retrieval: useful passages stand lower, or noise stands above them. Look at embedding, hybrid search and reranking.",
			DropJA: "検索の問題。有用な文章の順位が下がったか、その上にノイズが入った。埋め込み、ハイブリッド検索、リランクを確認する。",
			RagasEN: "A context is useful when it supports a claim of the reference, with a quote; Ragas asks for each context whether it " +
				"“was useful”. Nothing is added to the denominator, so a perfect ranking is 1.",
			RagasJA: "正解の主張を引用つきで裏付ける参照箇所を有用とする。" +
				"Ragasは参照箇所ごとに「役立ったか」を尋ねる。分母に微小値を加えないため、完全な順位は1になる。",
		},
		standard: true,
		blocks:   []block{referenceByContexts},
		score:    (*evaluation).contextPrecision,
		counts:   counting{"reference", inContexts},
	},
	{
		Spec: judgedShare("context_precision_share", "2", "claims", [4]string{
			"Context precision (share)", "コンテキスト適合率（割合）",
			"Share of the retrieved contexts that support a reference claim.",
			"見つけた参照箇所のうち、正解の主張を裏付けるものの割合。",
		}),
		Doc: Doc{
			Formula: "#{c: useful(c)} / k", Inputs: "reference, contexts", Calls: 1, Once: 1, Source: "RAGChecker context precision",
			DropEN: "More of what is retrieved is noise. A larger k lowers it by nature.",
			DropJA: "検索結果のうちノイズの割合が増えた。kを大きくすると当然下がる。",
		},
		blocks: []block{referenceByContexts},
		score:  (*evaluation).contextPrecisionShare,
		counts: counting{"reference", inContexts},
	},
	{
		Spec: judgedShare("context_utilization", "2", "claims", [4]string{
			"Context utilization", "コンテキスト活用率",
			"Share of the reference's claims found in the contexts that the answer uses.",
			"参照箇所にある正解の主張のうち、回答に使われたものの割合。",
		}),
		Doc: Doc{
			Formula: "#{r ⊂ C and r ⊂ A} / #{r ⊂ C}; not applicable when no r ⊂ C",
			Inputs:  "question, answer, reference, contexts", Calls: 1,
			Once: 1, Source: "RAGChecker context utilization",
			DropEN: "Generation: the facts were retrieved but the answer leaves them out. Look at the prompt, at length limits, at too many contexts.",
			DropJA: "生成の問題。検索できた事実が回答に使われていない。プロンプト、長さの制限、" +
				"参照箇所の多さを確認する。",
			RagasEN: "Ragas gives this name to a ranking; that one is context_utilization_ranked.",
			RagasJA: "Ragasで同名の指標は順位の評価であり、本ソフトウェアでは context_utilization_ranked にあたる。",
		},
		standard: true,
		blocks:   []block{referenceByContexts, referenceByAnswer},
		score:    (*evaluation).contextUtilization,
		counts:   counting{"reference", func(c ExplainedClaim) bool { return inContexts(c) && inAnswer(c) }},
	},
	{
		Spec: judgedShare("context_utilization_ranked", "2", "claims", [4]string{
			"Context utilization (ranked)", "コンテキスト活用率（順位）",
			"How high the contexts that support a claim of the answer stand among those retrieved.",
			"回答の主張を裏付ける参照箇所が、検索結果のどれだけ上位にあるか。",
		}),
		Doc: Doc{
			Formula: "context_precision with the claims of the answer in place of the reference's", Inputs: "question, answer, contexts",
			Calls: 2, Source: "Ragas context utilization",
			DropEN:  "The answer rests on lower-ranked passages, or on none.",
			DropJA:  "回答が下位の文章に基づいているか、どの文章にも基づいていない。",
			RagasEN: "As for context_precision.", RagasJA: "context_precision と同じ。",
		},
		blocks: []block{answerByContexts},
		score:  (*evaluation).contextUtilizationRanked,
		counts: counting{"answer", inContexts},
	},
	{
		Spec: judgedShare("context_entity_recall", "1", "claims", [4]string{
			"Entity recall", "固有表現再現率",
			"Share of the names, dates and amounts of the reference that stand in the contexts.",
			"正解に現れる名称・日付・数値のうち、参照箇所に現れるものの割合。",
		}),
		Doc: Doc{
			Formula: "#{entities of the reference that stand in a context} / #{entities of the reference}", Inputs: "reference, contexts",
			Once: 1, Source: "Ragas context entity recall",
			DropEN: "Retrieval misses the passages that name the people, products, dates or amounts in question.",
			DropJA: "検索が、人名・製品名・日付・金額などを含む文章を取り逃している。",
			RagasEN: "Entities are looked up in the contexts, in any case and width; Ragas has a second list made from the contexts and " +
				"compares spellings. No entities is not applicable, not 0.",
			RagasJA: "正解の固有表現が参照箇所に現れるかを（大文字小文字・全角半角を問わず）照合する。" +
				"Ragasは参照箇所からも抽出して表記を比べる。固有表現がなければ0ではなく適用外。",
		},
		readsContexts: true, withoutAnswer: true,
		score: (*evaluation).entityRecall,
	},
	{
		Spec: lower(judgedShare("noise_sensitivity", "3", "claims", [4]string{
			"Noise sensitivity", "ノイズ感度",
			"Share of the answer's claims against the right answer that come from contexts with right facts.",
			"回答の主張のうち、正解と矛盾し、正しい事実も含む参照箇所から来たものの割合。",
		})),
		Doc: Doc{
			Formula: "#{R contradicts a, and some useful c supports a} / p", Inputs: "question, answer, reference, contexts",
			Calls: 2, Once: 1,
			Source: "Ragas; RAGChecker",
			DropEN: "The generator is misled by wrong or unrelated statements next to the right ones. Smaller chunks and a stricter prompt help.",
			DropJA: "正しい内容と同じ文章にある別の記述に、生成モデルが惑わされている。チャンクを小さくし、プロンプトを厳しくする。",
			RagasEN: "A claim that the reference does not mention is not wrong and not counted (the reason says how many there are); Ragas " +
				"counts it. Three calls over all contexts, shared with the other metrics, instead of 2k + 3 of its own; both modes " +
				"come from the same verdicts; no claims or contexts is not applicable.",
			RagasJA: "正解が触れていない主張は誤りではないため数えない（件数は理由に示す）。Ragasはこれも数える。" +
				"専用の2k＋3回ではなく、他の指標と共有する3回で全参照箇所を判定する。" +
				"2つの指標は同じ判定から計算する。主張や参照箇所がなければ適用外。",
		},
		standard: true,
		blocks:   []block{referenceByContexts, answerByContexts, answerByReference},
		score:    (*evaluation).noiseRelevant,
		counts:   counting{"answer", func(c ExplainedClaim) bool { return inContexts(c) && c.has("reference", contradicted) }},
	},
	{
		Spec: lower(judgedShare("noise_sensitivity_irrelevant", "3", "claims", [4]string{
			"Noise sensitivity (irrelevant)", "ノイズ感度（無関係）",
			"Share of the answer's claims against the right answer that come only from contexts without right facts.",
			"回答の主張のうち、正解と矛盾し、正しい事実を含まない参照箇所だけから来たものの割合。",
		})),
		Doc: Doc{
			Formula: "#{R contradicts a, some c supports a, and none of these c is useful} / p",
			Inputs:  "question, answer, reference, contexts", Calls: 2, Once: 1, Source: "Ragas; RAGChecker",
			DropEN:  "The generator follows passages that have nothing to do with the question. Retrieve fewer, rerank, or tell it to ignore them.",
			DropJA:  "質問と無関係な文章に生成モデルが従っている。取得数を減らす、リランクする、無視するよう指示する。",
			RagasEN: "As for noise_sensitivity.", RagasJA: "noise_sensitivity と同じ。",
		},
		blocks: []block{referenceByContexts, answerByContexts, answerByReference},
		score:  (*evaluation).noiseIrrelevant,
		counts: counting{"answer", func(c ExplainedClaim) bool { return inContexts(c) && c.has("reference", contradicted) }},
	},
	{
		Spec: judgedShare("factual_correctness", "2", "claims", [4]string{
			"Factual correctness", "事実一致率",
			"How far the facts of answer and reference are the same: F measure of both shares.",
			"回答と正解の事実がどれだけ一致するか。両方向の割合のF値。",
		}),
		Doc: Doc{
			Formula: "2PR / (P + R), P = factual_precision, R = factual_recall", Inputs: "question, answer, reference", Calls: 3, Once: 1,
			Source: "Ragas; RAGChecker F1",
			DropEN: "The answer is wrong or incomplete. factual_precision and factual_recall say which.",
			DropJA: "回答が誤っているか不足している。どちらかは適合率と再現率でわかる。",
			RagasEN: "Recall counts the reference's claims that the answer holds; Ragas divides supported answer claims by themselves plus " +
				"missed reference claims, which is no recall, and rounds to two decimals. An unanswerable question is 1 when the " +
				"answer says so.",
			RagasJA: "再現率は回答に含まれる正解の主張を数える。Ragasは回答側と正解側の数を混ぜて割り、小数2桁に丸める。答えのない質問では、そう述べた回答を1とする。",
		},
		standard: true,
		blocks:   []block{answerByReference, referenceByAnswer},
		score:    (*evaluation).factualF1,
		counts:   counting{"answer", inReference},
	},
	{
		Spec: judgedShare("factual_precision", "2", "claims", [4]string{
			"Factual precision", "事実の適合率",
			"Share of the answer's claims that the reference supports.",
			"回答の主張のうち、正解に裏付けられているものの割合。",
		}),
		Doc: Doc{
			Formula: "#{a ⊂ R} / p", Inputs: "question, answer, reference", Calls: 2, Source: "Ragas mode=precision",
			DropEN:  "The answer adds what the reference does not say: errors, or true extras that the reference leaves out.",
			DropJA:  "正解にない内容が加わった。誤りのこともあれば、正解に書かれていない正しい補足のこともある。",
			RagasEN: "Not rounded, nothing added to the denominator.", RagasJA: "丸めず、分母に微小値を加えない。",
		},
		blocks: []block{answerByReference},
		score:  (*evaluation).factualPrecision,
		counts: counting{"answer", inReference},
	},
	{
		Spec: judgedShare("factual_recall", "2", "claims", [4]string{
			"Factual recall", "事実の再現率",
			"Share of the reference's claims that the answer holds.",
			"正解の主張のうち、回答に含まれるものの割合。",
		}),
		Doc: Doc{
			Formula: "#{r ⊂ A} / q", Inputs: "question, answer, reference", Calls: 1, Once: 1,
			Source:  "Ragas mode=recall; RAGChecker recall",
			DropEN:  "The answer leaves out what it should say. Look at context_recall: was it retrieved?",
			DropJA:  "述べるべき内容が抜けている。context_recall を見て、検索できていたかを確認する。",
			RagasEN: "As for factual_correctness.", RagasJA: "factual_correctness と同じ。",
		},
		blocks: []block{referenceByAnswer},
		score:  (*evaluation).factualRecall,
		counts: counting{"reference", inAnswer},
	},
}
