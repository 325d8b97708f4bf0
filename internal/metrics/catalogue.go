package metrics

import (
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
)

// catalogue lists every metric, in the order people see them. A version changes with the metric's formula or prompts;
// scores of different versions are never compared.
var catalogue = []Spec{
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
	{
		ID: "faithfulness", Version: "1", Group: "claims", Max: 1, Delta: 0.2, NeedsJudge: true,
		TitleEN: "Faithfulness", TitleJA: "忠実性",
		MeaningEN: "Share of the answer's claims that the contexts support.",
		MeaningJA: "回答の主張のうち、コンテキストに裏付けられているものの割合。",
	},
	{
		ID: "context_recall", Version: "1", Group: "claims", Max: 1, Delta: 0.2, NeedsJudge: true,
		TitleEN: "Context recall", TitleJA: "コンテキスト再現率",
		MeaningEN: "Share of the reference's claims that the contexts support.",
		MeaningJA: "正解の主張のうち、コンテキストに裏付けられているものの割合。",
	},
	{
		ID: "context_precision", Version: "1", Group: "claims", Max: 1, Delta: 0.2, NeedsJudge: true,
		TitleEN: "Context precision", TitleJA: "コンテキスト適合率",
		MeaningEN: "How high the contexts that support a reference claim stand among those retrieved.",
		MeaningJA: "正解の主張を裏付けるコンテキストが、検索結果のどれだけ上位にあるか。",
	},
	{
		ID: "answer_similarity", Version: "1", Group: "answer", Max: 1, Delta: 0.2,
		TitleEN: "Answer similarity", TitleJA: "回答類似度",
		MeaningEN: "Cosine similarity of the embeddings of answer and reference.",
		MeaningJA: "回答と正解の埋め込みベクトルのコサイン類似度。",
	},
	{
		ID: "hit", Version: "1", Group: "retrieval", Max: 1, Delta: 0.3,
		TitleEN: "Hit", TitleJA: "ヒット",
		MeaningEN: "1 when any retrieved chunk touches the evidence, else 0.",
		MeaningJA: "検索されたチャンクのいずれかが根拠に触れていれば1、なければ0。",
	},
	{
		ID: "span_coverage", Version: "1", Group: "retrieval", Max: 1, Delta: 0.2,
		TitleEN: "Evidence coverage", TitleJA: "根拠の網羅率",
		MeaningEN: "Share of the evidence's characters that lie inside the retrieved chunks.",
		MeaningJA: "根拠の文字のうち、検索されたチャンクに含まれる割合。",
	},
	{
		ID: "fully_covered", Version: "1", Group: "retrieval", Max: 1, Delta: 0.3,
		TitleEN: "Evidence fully covered", TitleJA: "根拠の完全網羅",
		MeaningEN: "1 when every character of the evidence lies inside the retrieved chunks, else 0.",
		MeaningJA: "根拠のすべての文字が検索されたチャンクに含まれていれば1、なければ0。",
	},
	{
		ID: "mrr", Version: "1", Group: "retrieval", Max: 1, Delta: 0.2,
		TitleEN: "Reciprocal rank", TitleJA: "逆順位",
		MeaningEN: "1 divided by the rank of the first retrieved chunk that touches the evidence; 0 when none does.",
		MeaningJA: "根拠に触れる最初のチャンクの順位の逆数。なければ0。",
	},
	{
		ID: "ndcg", Version: "1", Group: "retrieval", Max: 1, Delta: 0.2,
		TitleEN: "nDCG", TitleJA: "nDCG",
		MeaningEN: "How high the evidence stands among the retrieved chunks: each chunk gains the share of evidence it adds.",
		MeaningJA: "根拠が検索結果のどれだけ上位にあるか。各チャンクは新たに含む根拠の割合を利得とする。",
	},
}

// suites are named lists of metrics.
var suites = map[string][]string{
	"standard":  ids(func(Spec) bool { return true }),
	"retrieval": ids(func(s Spec) bool { return s.Group == "retrieval" }),
}

func ids(keep func(Spec) bool) []string {
	var out []string
	for _, s := range catalogue {
		if keep(s) {
			out = append(out, s.ID)
		}
	}
	return out
}

// Catalogue returns every metric in display order.
func Catalogue() []Spec { return slices.Clone(catalogue) }

// Find returns the metric with this id.
func Find(id string) (Spec, bool) {
	for _, s := range catalogue {
		if s.ID == id {
			return s, true
		}
	}
	return Spec{}, false
}

// Resolve turns suite names and metric ids into metrics, in display order and each once. No name means the suite
// "standard". An unknown name is a Problem that lists what there is.
func Resolve(names []string) ([]Spec, error) {
	if len(names) == 0 {
		names = []string{"standard"}
	}
	want := map[string]bool{}
	for _, name := range names {
		if list, ok := suites[name]; ok {
			for _, id := range list {
				want[id] = true
			}
			continue
		}
		if _, ok := Find(name); !ok {
			return nil, problem.New(problem.Invalid, "metric_unknown", "there is no metric or suite %q", name).
				With("name", name).
				WithHint("suites: retrieval, standard; metrics: %s", strings.Join(ids(func(Spec) bool { return true }), ", "))
		}
		want[name] = true
	}
	var specs []Spec
	for _, s := range catalogue {
		if want[s.ID] {
			specs = append(specs, s)
		}
	}
	return specs, nil
}
