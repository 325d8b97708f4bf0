package metrics

var retrievalMetrics = []Spec{
	ruled("hit", "retrieval", 0.3, [4]string{
		"Hit", "ヒット",
		"1 when any retrieved chunk touches the evidence, else 0.",
		"検索されたチャンクのいずれかが根拠に触れていれば1、なければ0。",
	}),
	ruled("span_coverage", "retrieval", 0.2, [4]string{
		"Evidence found", "根拠の取得率",
		"Share of the evidence's characters that lie inside the retrieved chunks.",
		"根拠の文字のうち、検索されたチャンクに含まれる割合。",
	}),
	ruled("fully_covered", "retrieval", 0.3, [4]string{
		"Evidence fully covered", "根拠の完全網羅",
		"1 when every character of the evidence lies inside the retrieved chunks, else 0.",
		"根拠のすべての文字が検索されたチャンクに含まれていれば1、なければ0。",
	}),
	ruled("mrr", "retrieval", 0.2, [4]string{
		"Reciprocal rank", "逆順位",
		"1 divided by the rank of the first retrieved chunk that touches the evidence; 0 when none does.",
		"根拠に触れる最初のチャンクの順位の逆数。なければ0。",
	}),
	ruled("ndcg", "retrieval", 0.2, [4]string{
		"nDCG", "nDCG",
		"How high the evidence stands among the retrieved chunks: each chunk gains the share of evidence it adds.",
		"根拠が検索結果のどれだけ上位にあるか。各チャンクは新たに含む根拠の割合を利得とする。",
	}),
	ruled("document_precision", "retrieval", 0.2, [4]string{
		"Document precision", "文書適合率",
		"Share of the retrieved documents that hold evidence, by their ids.",
		"検索された文書のうち、根拠のある文書の割合（IDで照合）。",
	}),
	ruled("document_recall", "retrieval", 0.2, [4]string{
		"Document recall", "文書再現率",
		"Share of the documents with evidence that were retrieved, by their ids.",
		"根拠のある文書のうち、検索された文書の割合（IDで照合）。",
	}),
	ruled("text_precision", "retrieval", 0.2, [4]string{
		"Context precision by text", "文字列によるコンテキスト適合率",
		"How high the chunks stand that read like a passage of evidence.",
		"根拠の文章に似たチャンクが、検索結果のどれだけ上位にあるか。",
	}),
	ruled("text_recall", "retrieval", 0.2, [4]string{
		"Context recall by text", "文字列によるコンテキスト再現率",
		"Share of the passages of evidence that some retrieved chunk reads like.",
		"根拠の文章のうち、似たチャンクが検索されたものの割合。",
	}),
}

var textMetrics = []Spec{
	compares("exact_match", 0.5, [4]string{
		"Exact match", "完全一致",
		"1 when answer and reference are the same characters, else 0.",
		"回答と正解の文字列が完全に同じなら1、そうでなければ0。",
	}),
	compares("string_presence", 0.5, [4]string{
		"String presence", "文字列の出現",
		"1 when the answer holds the reference word for word, else 0.",
		"回答に正解の文字列がそのまま含まれていれば1、そうでなければ0。",
	}),
	compares("levenshtein_similarity", 0.1, [4]string{
		"Edit similarity", "編集距離による類似度",
		"How few insertions, deletions and replacements turn the answer into the reference.",
		"回答を正解に変えるための挿入・削除・置換がどれだけ少ないか。",
	}),
	compares("hamming_similarity", 0.1, [4]string{
		"Hamming similarity", "ハミング類似度",
		"Share of the positions at which answer and reference have the same character.",
		"回答と正解で同じ位置の文字が一致する割合。",
	}),
	compares("jaro_similarity", 0.1, [4]string{
		"Jaro similarity", "Jaro類似度",
		"Characters that answer and reference share near the same place.",
		"回答と正解が近い位置で共有する文字の割合。",
	}),
	compares("jaro_winkler_similarity", 0.1, [4]string{
		"Jaro–Winkler similarity", "Jaro–Winkler類似度",
		"Jaro similarity with more weight on an equal beginning.",
		"先頭の一致を重く見たJaro類似度。",
	}),
	compares("token_f1", 0.1, [4]string{
		"Token F1", "トークンF1",
		"Words that answer and reference share, each as often as both have it.",
		"回答と正解が共有する単語の割合（F値）。",
	}),
	compares("rouge_1", 0.1, [4]string{
		"ROUGE-1", "ROUGE-1",
		"Overlap of single words of answer and reference.",
		"回答と正解の単語の重なり。",
	}),
	compares("rouge_l", 0.1, [4]string{
		"ROUGE-L", "ROUGE-L",
		"Longest run of words that answer and reference share in order, gaps allowed.",
		"回答と正解が同じ順序で共有する最長の単語列。",
	}),
	compares("bleu", 0.1, [4]string{
		"BLEU", "BLEU",
		"Runs of one to four words of the answer that the reference holds too.",
		"回答の1〜4語の並びが正解にも現れる割合。",
	}),
	compares("chrf", 0.1, [4]string{
		"chrF", "chrF",
		"Overlap of runs of one to six characters; fit for Japanese.",
		"1〜6文字の並びの重なり。日本語にも適する。",
	}),
	ruled("quoted_spans", "text", 0.2, [4]string{
		"Quotations found", "引用の実在",
		"Share of the answer's quotations that stand in the contexts.",
		"回答中の引用のうち、コンテキストに実在するものの割合。",
	}),
}
