package metrics

// iccgMetrics are the four yes-or-no questions of ICC(G).
var iccgMetrics = []metric{
	{
		Spec: yesNo(judgedShare("inclusion", "2", "iccg", [4]string{
			"Inclusion", "含有性",
			"1 when the answer holds the main facts of the reference, else 0.",
			"回答が正解の主要な事実を含んでいれば1、そうでなければ0。",
		})),
		Doc: Doc{
			Formula: "1 when #{key r ⊂ A} ≥ 0.8 · #{key r}", Inputs: "question, answer, reference", Calls: 1, Once: 1, Source: "ICC(G)",
			DropEN: "Main facts are missing from the answer.", DropJA: "回答に主要な事実が不足している。",
		},
		blocks: []block{referenceByAnswer},
		score:  (*evaluation).inclusion,
		counts: counting{"reference", inAnswer},
	},
	{
		Spec: yesNo(lower(judgedShare("contradiction", "2", "iccg", [4]string{
			"Contradiction", "相反性",
			"1 when the answer contradicts the reference, else 0; 0 is good.",
			"回答に正解と矛盾する記述があれば1、なければ0。0が望ましい。",
		}))),
		Doc: Doc{
			Formula: "1 when the reference contradicts some a", Inputs: "question, answer, reference", Calls: 2, Source: "ICC(G)",
			DropEN: "The answer says the opposite of what is right: old documents, mixed-up conditions, or hallucination.",
			DropJA: "正解と矛盾する記述がある。古い文書、条件の取り違え、ハルシネーションを疑う。",
		},
		blocks: []block{answerByReference},
		score:  (*evaluation).contradiction,
		counts: counting{"answer", func(c ExplainedClaim) bool { return c.has("reference", contradicted) }},
	},
	{
		Spec: yesNo(judgedShare("consistency", "1", "iccg", [4]string{
			"Consistency", "一致性",
			"1 when the answer keeps to the topic and intent of the question, else 0.",
			"回答が質問の話題と意図に沿っていれば1、そうでなければ0。",
		})),
		Doc: Doc{
			Formula: "1 when the judge finds the whole answer on the question's topic", Inputs: "question, answer", Calls: 1,
			Source: "ICC(G)",
			DropEN: "The answer wanders off: unrelated passages were retrieved, or the prompt asks for too much.",
			DropJA: "回答が話題から外れている。無関係な文章の検索、またはプロンプトの指示過多を疑う。",
		},
		score: (*evaluation).consistency,
	},
	{
		Spec: ruled("guidance", "iccg", 0.5, [4]string{
			"Guidance", "案内性",
			"1 when the answer gives the address of an expected source, else 0.",
			"回答に案内すべき情報源のURLがあれば1、なければ0。",
		}),
		Doc: Doc{
			Formula: "1 when an expected address stands in the answer (scheme, www, fragment and a last slash do not count)",
			Inputs:  "answer, expected URLs", Source: "ICC(G)",
			DropEN: "The answer no longer points to its source: prompt, post-processing, or addresses missing from the chunks.",
			DropJA: "情報源が案内されていない。プロンプト、後処理、チャンク中のURLの欠落を確認する。",
		},
		score: (*evaluation).guidance,
	},
}
