package metrics

import (
	"context"
	"strings"

	"github.com/rag-workbench/workbench/internal/metrics/formula"
	"github.com/rag-workbench/workbench/internal/metrics/textual"
)

// textMetrics compare characters and words. The best of the accepted wordings counts.
var textMetrics = []metric{
	{
		Spec: compares("exact_match", 0.5, [4]string{
			"Exact match", "完全一致",
			"1 when answer and reference are the same characters, else 0.",
			"回答と正解の文字列が完全に同じなら1、そうでなければ0。",
		}),
		Doc: Doc{
			Formula: "answer = reference", Inputs: "answer, references", Source: "Ragas exact match",
			DropEN: "The wording changed; only for short answers a sign of errors.", DropJA: "表現が変わった。誤りの兆候といえるのは短い回答の場合だけ。",
		},
		alike: textual.ExactMatch,
	},
	{
		Spec: compares("string_presence", 0.5, [4]string{
			"String presence", "文字列の出現",
			"1 when the answer holds the reference word for word, else 0.",
			"回答に正解の文字列がそのまま含まれていれば1、そうでなければ0。",
		}),
		Doc: Doc{
			Formula: "reference is a part of answer", Inputs: "answer, references", Source: "Ragas string presence",
			DropEN: "The expected term is no longer in the answer.", DropJA: "期待する語句が回答に現れなくなった。",
		},
		alike: textual.StringPresence,
	},
	{
		Spec: compares("levenshtein_similarity", 0.1, [4]string{
			"Edit similarity", "編集距離による類似度",
			"How few insertions, deletions and replacements turn the answer into the reference.",
			"回答を正解に変えるための挿入・削除・置換がどれだけ少ないか。",
		}),
		Doc: Doc{
			Formula: "1 − edits / longer length", Inputs: "answer, references", Source: "Ragas non-LLM string similarity",
			DropEN: "Answers differ more from the expected wording.", DropJA: "想定した表現との差が広がった。",
		},
		alike: textual.LevenshteinSimilarity,
	},
	{
		Spec: compares("hamming_similarity", 0.1, [4]string{
			"Hamming similarity", "ハミング類似度",
			"Share of the positions at which answer and reference have the same character.",
			"回答と正解で同じ位置の文字が一致する割合。",
		}),
		Doc: Doc{
			Formula: "1 − #{positions that differ} / longer length", Inputs: "answer, references",
			Source: "Ragas non-LLM string similarity",
			DropEN: "Useful for codes and numbers of fixed form; elsewhere any shift lowers it.", DropJA: "固定形式の符号や番号向け。それ以外では一文字のずれでも下がる。",
		},
		alike: textual.HammingSimilarity,
	},
	{
		Spec: compares("jaro_similarity", 0.1, [4]string{
			"Jaro similarity", "Jaro類似度",
			"Characters that answer and reference share near the same place.",
			"回答と正解が近い位置で共有する文字の割合。",
		}),
		Doc: Doc{
			Formula: "(m/|a| + m/|r| + (m − t)/m) / 3", Inputs: "answer, references", Source: "Jaro 1989; Ragas",
			DropEN: "For names and short strings: spelling differs more.", DropJA: "名称や短い文字列向け。表記の差が広がった。",
		},
		alike: textual.JaroSimilarity,
	},
	{
		Spec: compares("jaro_winkler_similarity", 0.1, [4]string{
			"Jaro–Winkler similarity", "Jaro–Winkler類似度",
			"Jaro similarity with more weight on an equal beginning.",
			"先頭の一致を重く見たJaro類似度。",
		}),
		Doc: Doc{
			Formula: "J + 0.1 · prefix · (1 − J), prefix ≤ 4, only where J > 0.7", Inputs: "answer, references",
			Source: "Winkler 1990; Ragas",
			DropEN: "As for jaro_similarity.", DropJA: "名称や短い文字列向け。特に先頭の表記の差が広がった。",
		},
		alike: textual.JaroWinklerSimilarity,
	},
	{
		Spec: compares("token_f1", 0.1, [4]string{
			"Token F1", "トークンF1",
			"Words that answer and reference share, each as often as both have it.",
			"回答と正解が共有する単語の割合（F値）。",
		}),
		Doc: Doc{
			Formula: "2PR / (P + R) over shared tokens; Japanese by characters", Inputs: "answer, references", Source: "SQuAD 1.1",
			DropEN: "Fewer words of the reference, or more words besides.", DropJA: "正解の語が減ったか、余計な語が増えた。",
		},
		alike: textual.TokenF1,
	},
	{
		Spec: compares("rouge_1", 0.1, [4]string{
			"ROUGE-1", "ROUGE-1",
			"Overlap of single words of answer and reference.",
			"回答と正解の単語の重なり。",
		}),
		Doc: Doc{
			Formula: "F measure of shared words; Japanese by characters", Inputs: "answer, references", Source: "Lin 2004; Ragas",
			DropEN: "Fewer words in common with the reference.", DropJA: "正解と共通する語が減った。",
			RagasEN: "Keeps every script: identical Japanese texts score 1, with Ragas 0.", RagasJA: "すべての文字種を扱う。同一の日本語文は1になる（Ragasでは0）。",
		},
		alike: func(a, r string) float64 { return textual.Rouge1(textual.ProfileFixed, textual.RougeFMeasure, a, r) },
	},
	{
		Spec: compares("rouge_l", 0.1, [4]string{
			"ROUGE-L", "ROUGE-L",
			"Longest run of words that answer and reference share in order, gaps allowed.",
			"回答と正解が同じ順序で共有する最長の単語列。",
		}),
		Doc: Doc{
			Formula: "F measure of the longest common subsequence of words; Japanese by characters", Inputs: "answer, references",
			Source: "Lin 2004; Ragas",
			DropEN: "As for rouge_1, with order.", DropJA: "rouge_1 と同じ。語順も考慮する。",
			RagasEN: "As for rouge_1.", RagasJA: "rouge_1 と同じ。",
		},
		alike: func(a, r string) float64 { return textual.RougeL(textual.ProfileFixed, textual.RougeFMeasure, a, r) },
	},
	{
		Spec: compares("bleu", 0.1, [4]string{
			"BLEU", "BLEU",
			"Runs of one to four words of the answer that the reference holds too.",
			"回答の1〜4語の並びが正解にも現れる割合。",
		}),
		Doc: Doc{
			Formula: "brevity · exp(mean log precision of 1- to 4-grams); Japanese by characters", Inputs: "answer, references",
			Source: "Papineni 2002; sacrebleu",
			DropEN: "The phrasing moved away from the reference.", DropJA: "言い回しが正解から離れた。",
			RagasEN: "The whole answer counts, Ragas scores its first sentence only; short and Japanese texts do not fall to 0.",
			RagasJA: "回答全体を評価する（Ragasは最初の一文だけ）。短い文や日本語でも0にならない。",
		},
		alike: func(a, r string) float64 { return textual.Bleu(textual.ProfileFixed, a, r) },
	},
	{
		Spec: compares("chrf", 0.1, [4]string{
			"chrF", "chrF",
			"Overlap of runs of one to six characters; fit for Japanese.",
			"1〜6文字の並びの重なり。日本語にも適する。",
		}),
		Doc: Doc{
			Formula: "F₂ of 1- to 6-character runs", Inputs: "answer, references", Source: "Popović 2015; sacrebleu",
			DropEN: "The wording moved away from the reference. The steadiest of these for Japanese.",
			DropJA: "表現が正解から離れた。日本語ではこの中で最も安定する。",
		},
		alike: textual.ChrF,
	},
	{
		Spec: ruled("quoted_spans", "text", 0.2, [4]string{
			"Quotations found", "引用の実在",
			"Share of the answer's quotations that stand in the contexts.",
			"回答中の引用のうち、参照箇所に実在するものの割合。",
		}),
		Doc: Doc{
			Formula: "#{quotations that stand in a context} / #{quotations of three words or more}", Inputs: "answer, contexts",
			Source: "Ragas quoted spans alignment",
			DropEN: "The generator invents quotations.", DropJA: "生成モデルが引用を捏造している。",
			RagasEN: "Marks close with their own kind, Japanese ones too; no quotation is not applicable.",
			RagasJA: "引用符は同種どうしで対応させ、日本語の括弧も扱う。引用がなければ適用外。",
		},
		readsContexts: true,
		score:         (*evaluation).quotedSpans,
	},
}

// textScore compares the answer with the reference and its other accepted wordings; the best one counts. White space at the
// ends and citations belong to neither: marks such as [2] that point to a context which exists. Both sides are treated alike, so an answer
// equal to an accepted wording scores 1 whatever brackets it holds.
func (b *evaluation) textScore(alike func(answer, reference string) float64) (Score, error) {
	accepted := make([]string, 0, 1+len(b.sample.References))
	for _, r := range append([]string{b.sample.Reference}, b.sample.References...) {
		if !textual.NoText(r) {
			accepted = append(accepted, strings.TrimSpace(r))
		}
	}
	switch {
	case len(accepted) == 0 && !b.sample.Answerable:
		return notApplicable("unanswerable"), nil
	case len(accepted) == 0:
		return notApplicable("no_reference"), nil
	case textual.NoText(b.sample.Answer):
		return scored(0, b.say("the answer is empty", "回答が空である")), nil
	}
	answer := textual.WithoutCited(b.sample.Answer, len(b.sample.Contexts))
	best := 0.0
	for _, r := range accepted {
		if r == strings.TrimSpace(b.sample.Answer) {
			return scored(1, ""), nil
		}
		best = max(best, alike(answer, textual.WithoutCited(r, len(b.sample.Contexts))))
	}
	return scored(best, ""), nil
}

// quotedSpans looks for the answer's quotations in the contexts.
func (b *evaluation) quotedSpans(context.Context) (Score, error) {
	if textual.NoText(b.sample.Answer) {
		return notApplicable("no_answer"), nil
	}
	return reduced(formula.QuotedSpans(textual.ProfileFixed,
		textual.CountQuotes(textual.ProfileFixed, textual.QuoteDefaults, b.sample.Answer, texts(b.sample.Contexts))), ""), nil
}
