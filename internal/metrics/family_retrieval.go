package metrics

// retrievalMetrics compare the retrieved chunks with the evidence; no judge takes part.
var retrievalMetrics = []metric{
	{
		Spec: ruled("hit", "retrieval", 0.3, [4]string{
			"Hit", "ヒット",
			"1 when any retrieved chunk touches the evidence, else 0.",
			"検索されたチャンクのいずれかが根拠に触れていれば1、なければ0。",
		}),
		Doc: Doc{
			Formula: "1 when some chunk shares a character with the evidence", Inputs: "evidence, contexts",
			Source: "information retrieval",
			DropEN: "Retrieval finds nothing of the evidence for some questions.", DropJA: "一部の質問で根拠がまったく検索されていない。",
		},
		standard: true,
		places:   true,
	},
	{
		Spec: ruled("span_coverage", "retrieval", 0.2, [4]string{
			"Evidence found", "根拠の取得率",
			"Share of the evidence's characters that lie inside the retrieved chunks.",
			"根拠の文字のうち、検索されたチャンクに含まれる割合。",
		}),
		Doc: Doc{
			Formula: "#{evidence characters inside chunks} / #{evidence characters}", Inputs: "evidence, contexts",
			Source: "ours; independent of chunk size",
			DropEN: "Retrieval finds less of the evidence: chunks too small, k too small, evidence cut apart.",
			DropJA: "検索できる根拠が減った。チャンクやkが小さすぎる、根拠が分断されている。",
		},
		standard: true,
		places:   true,
	},
	{
		Spec: ruled("fully_covered", "retrieval", 0.3, [4]string{
			"Evidence fully covered", "根拠の完全網羅",
			"1 when every character of the evidence lies inside the retrieved chunks, else 0.",
			"根拠のすべての文字が検索されたチャンクに含まれていれば1、なければ0。",
		}),
		Doc: Doc{
			Formula: "1 when span_coverage = 1", Inputs: "evidence, contexts", Source: "ours",
			DropEN: "Some part of the evidence is missing: a complete answer is not possible from these contexts.",
			DropJA: "根拠の一部が欠け、この参照箇所だけでは完全に答えられない。",
		},
		standard: true,
		places:   true,
	},
	{
		Spec: ruled("mrr", "retrieval", 0.2, [4]string{
			"Reciprocal rank", "逆順位",
			"1 divided by the rank of the first retrieved chunk that touches the evidence; 0 when none does.",
			"根拠に触れる最初のチャンクの順位の逆数。なければ0。",
		}),
		Doc: Doc{
			Formula: "1 / rank of the first chunk that touches the evidence; 0 without one", Inputs: "evidence, contexts",
			Source: "information retrieval",
			DropEN: "The evidence stands lower in the ranking.", DropJA: "根拠の順位が下がった。",
		},
		standard: true,
		places:   true,
	},
	{
		Spec: ruled("ndcg", "retrieval", 0.2, [4]string{
			"nDCG", "nDCG",
			"How high the evidence stands among the retrieved chunks: each chunk gains the share of evidence it adds.",
			"根拠が検索結果のどれだけ上位にあるか。各チャンクは新たに含む根拠の割合を利得とする。",
		}),
		Doc: Doc{
			Formula: "Σ gain(i) / log₂(i + 1) over the best possible; gain = share of evidence that chunk i adds",
			Inputs:  "evidence, contexts",
			Source:  "Järvelin & Kekäläinen 2002",
			DropEN:  "Evidence is found later or less completely.", DropJA: "根拠の発見が遅いか、不完全になった。",
		},
		standard: true,
		places:   true,
	},
	{
		Spec: ruled("document_precision", "retrieval", 0.2, [4]string{
			"Document precision", "文書適合率",
			"Share of the retrieved documents that hold evidence, by their ids.",
			"検索された文書のうち、根拠のある文書の割合（IDで照合）。",
		}),
		Doc: Doc{
			Formula: "#{retrieved documents with evidence} / #{retrieved documents}", Inputs: "evidence, contexts",
			Source: "Ragas ID-based context precision",
			DropEN: "More documents are retrieved that have nothing to do with the question.", DropJA: "質問と無関係な文書が多く検索されている。",
			RagasEN: "The ids are those of documents, since a chunk id changes with every chunk size.",
			RagasJA: "チャンクIDはサイズごとに変わるため、文書のIDを用いる。",
		},
		score: (*evaluation).documentPrecision,
	},
	{
		Spec: ruled("document_recall", "retrieval", 0.2, [4]string{
			"Document recall", "文書再現率",
			"Share of the documents with evidence that were retrieved, by their ids.",
			"根拠のある文書のうち、検索された文書の割合（IDで照合）。",
		}),
		Doc: Doc{
			Formula: "#{retrieved documents with evidence} / #{documents with evidence}", Inputs: "evidence, contexts",
			Source: "Ragas ID-based context recall",
			DropEN: "Documents that a multi-hop question needs are not found.", DropJA: "複数の文書が必要な質問で、必要な文書が見つかっていない。",
			RagasEN: "As for document_precision.", RagasJA: "document_precision と同じ。",
		},
		score: (*evaluation).documentRecall,
	},
	{
		Spec: ruled("text_precision", "retrieval", 0.2, [4]string{
			"Context precision by text", "文字列によるコンテキスト適合率",
			"How high the chunks stand that read like a passage of evidence.",
			"根拠の文章に似たチャンクが、検索結果のどれだけ上位にあるか。",
		}),
		Doc: Doc{
			Formula: "ranked precision; a chunk is useful when its edit similarity with some evidence is ≥ 0.5",
			Inputs:  "evidence, contexts",
			Source:  "Ragas non-LLM context precision",
			DropEN:  "As for context_precision. It favours chunks as long as the evidence.",
			DropJA:  "context_precision と同じ。根拠と同程度の長さのチャンクに有利。",
			RagasEN: "Nothing is added to the denominator; no evidence is not applicable.",
			RagasJA: "分母に微小値を加えない。根拠がなければ適用外。",
		},
		score: (*evaluation).textPrecision,
	},
	{
		Spec: ruled("text_recall", "retrieval", 0.2, [4]string{
			"Context recall by text", "文字列によるコンテキスト再現率",
			"Share of the passages of evidence that some retrieved chunk reads like.",
			"根拠の文章のうち、似たチャンクが検索されたものの割合。",
		}),
		Doc: Doc{
			Formula: "#{evidence passages with a chunk of edit similarity ≥ 0.5} / #{evidence passages}", Inputs: "evidence, contexts",
			Source: "Ragas non-LLM context recall",
			DropEN: "As for context_recall.", DropJA: "コンテキスト再現率と同じく、検索の問題を示す。",
			RagasEN: "≥ 0.5 as in precision, where Ragas has > 0.5; nothing retrieved is 0.",
			RagasJA: "適合率と同じく0.5以上とする（Ragasは0.5超）。検索結果がなければ0。",
		},
		score: (*evaluation).textRecall,
	},
}
