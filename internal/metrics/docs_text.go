package metrics

// retrievalDocs document the metrics of retrieval.
var retrievalDocs = map[string]Doc{
	"hit": {
		Formula: "1 when some chunk shares a character with the evidence", Inputs: "evidence, contexts", Source: "information retrieval",
		DropEN: "Retrieval finds nothing of the evidence for some questions.", DropJA: "一部の質問で根拠がまったく検索されていない。",
	},
	"span_coverage": {
		Formula: "#{evidence characters inside chunks} / #{evidence characters}", Inputs: "evidence, contexts",
		Source: "ours; independent of chunk size",
		DropEN: "Retrieval finds less of the evidence: chunks too small, k too small, evidence cut apart.",
		DropJA: "検索できる根拠が減った。チャンクやkが小さすぎる、根拠が分断されている。",
	},
	"fully_covered": {
		Formula: "1 when span_coverage = 1", Inputs: "evidence, contexts", Source: "ours",
		DropEN: "Some part of the evidence is missing: a complete answer is not possible from these contexts.",
		DropJA: "根拠の一部が欠け、このコンテキストだけでは完全に答えられない。",
	},
	"mrr": {
		Formula: "1 / rank of the first chunk that touches the evidence; 0 without one", Inputs: "evidence, contexts",
		Source: "information retrieval",
		DropEN: "The evidence stands lower in the ranking.", DropJA: "根拠の順位が下がった。",
	},
	"ndcg": {
		Formula: "Σ gain(i) / log₂(i + 1) over the best possible; gain = share of evidence that chunk i adds", Inputs: "evidence, contexts",
		Source: "Järvelin & Kekäläinen 2002",
		DropEN: "Evidence is found later or less completely.", DropJA: "根拠の発見が遅いか、不完全になった。",
	},
	"document_precision": {
		Formula: "#{retrieved documents with evidence} / #{retrieved documents}", Inputs: "evidence, contexts",
		Source: "Ragas ID-based context precision",
		DropEN: "More documents are retrieved that have nothing to do with the question.", DropJA: "質問と無関係な文書が多く検索されている。",
		RagasEN: "The ids are those of documents, since a chunk id changes with every chunk size.",
		RagasJA: "チャンクIDはサイズごとに変わるため、文書のIDを用いる。",
	},
	"document_recall": {
		Formula: "#{retrieved documents with evidence} / #{documents with evidence}", Inputs: "evidence, contexts",
		Source: "Ragas ID-based context recall",
		DropEN: "Documents that a multi-hop question needs are not found.", DropJA: "複数の文書が必要な質問で、必要な文書が見つかっていない。",
		RagasEN: "As for document_precision.", RagasJA: "document_precision と同じ。",
	},
	"text_precision": {
		Formula: "ranked precision; a chunk is useful when its edit similarity with some evidence is ≥ 0.5", Inputs: "evidence, contexts",
		Source: "Ragas non-LLM context precision",
		DropEN: "As for context_precision. It favours chunks as long as the evidence.", DropJA: "context_precision と同じ。根拠と同程度の長さのチャンクに有利。",
		RagasEN: "Nothing is added to the denominator; no evidence is not applicable.", RagasJA: "分母に微小値を加えない。根拠がなければ対象外。",
	},
	"text_recall": {
		Formula: "#{evidence passages with a chunk of edit similarity ≥ 0.5} / #{evidence passages}", Inputs: "evidence, contexts",
		Source: "Ragas non-LLM context recall",
		DropEN: "As for context_recall.", DropJA: "コンテキスト再現率と同じく、検索の問題を示す。",
		RagasEN: "≥ 0.5 as in precision, where Ragas has > 0.5; nothing retrieved is 0.",
		RagasJA: "適合率と同じく0.5以上とする（Ragasは0.5超）。検索結果がなければ0。",
	},
}

// textDocs document the metrics that compare characters and words. The best of the accepted wordings counts.
var textDocs = map[string]Doc{
	"exact_match": {
		Formula: "answer = reference", Inputs: "answer, references", Source: "Ragas exact match",
		DropEN: "The wording changed; only for short answers a sign of errors.", DropJA: "表現が変わった。誤りの兆候といえるのは短い回答の場合だけ。",
	},
	"string_presence": {
		Formula: "reference is a part of answer", Inputs: "answer, references", Source: "Ragas string presence",
		DropEN: "The expected term is no longer in the answer.", DropJA: "期待する語句が回答に現れなくなった。",
	},
	"levenshtein_similarity": {
		Formula: "1 − edits / longer length", Inputs: "answer, references", Source: "Ragas non-LLM string similarity",
		DropEN: "Answers differ more from the expected wording.", DropJA: "想定した表現との差が広がった。",
	},
	"hamming_similarity": {
		Formula: "1 − #{positions that differ} / longer length", Inputs: "answer, references", Source: "Ragas non-LLM string similarity",
		DropEN: "Useful for codes and numbers of fixed form; elsewhere any shift lowers it.", DropJA: "固定形式の符号や番号向け。それ以外では一文字のずれでも下がる。",
	},
	"jaro_similarity": {
		Formula: "(m/|a| + m/|r| + (m − t)/m) / 3", Inputs: "answer, references", Source: "Jaro 1989; Ragas",
		DropEN: "For names and short strings: spelling differs more.", DropJA: "名称や短い文字列向け。表記の差が広がった。",
	},
	"jaro_winkler_similarity": {
		Formula: "J + 0.1 · prefix · (1 − J), prefix ≤ 4, only where J > 0.7", Inputs: "answer, references", Source: "Winkler 1990; Ragas",
		DropEN: "As for jaro_similarity.", DropJA: "名称や短い文字列向け。特に先頭の表記の差が広がった。",
	},
	"token_f1": {
		Formula: "2PR / (P + R) over shared tokens; Japanese by characters", Inputs: "answer, references", Source: "SQuAD 1.1",
		DropEN: "Fewer words of the reference, or more words besides.", DropJA: "正解の語が減ったか、余計な語が増えた。",
	},
	"rouge_1": {
		Formula: "F measure of shared words; Japanese by characters", Inputs: "answer, references", Source: "Lin 2004; Ragas",
		DropEN: "Fewer words in common with the reference.", DropJA: "正解と共通する語が減った。",
		RagasEN: "Keeps every script: identical Japanese texts score 1, with Ragas 0.", RagasJA: "すべての文字種を扱う。同一の日本語文は1になる（Ragasでは0）。",
	},
	"rouge_l": {
		Formula: "F measure of the longest common subsequence of words; Japanese by characters", Inputs: "answer, references",
		Source: "Lin 2004; Ragas",
		DropEN: "As for rouge_1, with order.", DropJA: "rouge_1 と同じ。語順も考慮する。",
		RagasEN: "As for rouge_1.", RagasJA: "rouge_1 と同じ。",
	},
	"bleu": {
		Formula: "brevity · exp(mean log precision of 1- to 4-grams); Japanese by characters", Inputs: "answer, references",
		Source: "Papineni 2002; sacrebleu",
		DropEN: "The phrasing moved away from the reference.", DropJA: "言い回しが正解から離れた。",
		RagasEN: "The whole answer counts, Ragas scores its first sentence only; short and Japanese texts do not fall to 0.",
		RagasJA: "回答全体を評価する（Ragasは最初の一文だけ）。短い文や日本語でも0にならない。",
	},
	"chrf": {
		Formula: "F₂ of 1- to 6-character runs", Inputs: "answer, references", Source: "Popović 2015; sacrebleu",
		DropEN: "The wording moved away from the reference. The steadiest of these for Japanese.", DropJA: "表現が正解から離れた。日本語ではこの中で最も安定する。",
	},
	"quoted_spans": {
		Formula: "#{quotations that stand in a context} / #{quotations of three words or more}", Inputs: "answer, contexts",
		Source: "Ragas quoted spans alignment",
		DropEN: "The generator invents quotations.", DropJA: "生成モデルが引用を捏造している。",
		RagasEN: "Marks close with their own kind, Japanese ones too; no quotation is not applicable.",
		RagasJA: "引用符は同種どうしで対応させ、日本語の括弧も扱う。引用がなければ対象外。",
	},
}
