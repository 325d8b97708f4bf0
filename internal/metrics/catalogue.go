package metrics

import (
	"context"
	"slices"
)

// metric is one metric of the catalogue, said once: what people read of it, what it needs, how it is computed, and which claims count.
// Its family's file (family_*.go) holds the declaration; every channel reads it from there.
type metric struct {
	Spec
	Doc

	standard      bool // belongs to the suite "standard"
	places        bool // reads where evidence lies in the chunks; belongs to the suite "retrieval"
	withoutAnswer bool // looks at question, reference and contexts only, without blocks that say so
	readsContexts bool // looks at the retrieved texts, without blocks that say so

	blocks []block                                           // of the claim matrix that it needs
	score  func(*evaluation, context.Context) (Score, error) // nil where alike or the places of evidence give the score
	alike  func(answer, reference string) float64            // how alike two texts are, in [0, 1]: the best accepted wording counts
	counts counting                                          // which claims make its value larger
}

// catalogue lists every metric, in the order people see them. A version changes with the metric's formula or prompts;
// scores of different versions are never compared.
var catalogue = slices.Concat(rubricMetrics, claimMetrics, answerMetrics, iccgMetrics, retrievalMetrics, textMetrics, operationMetrics)

// declared returns the declaration of a metric; the zero metric for one of an experiment file or another tool.
func declared(id string) metric {
	for _, m := range catalogue {
		if m.ID == id {
			return m
		}
	}
	return metric{}
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

// Catalogue returns every metric in display order.
func Catalogue() []Spec {
	specs := make([]Spec, 0, len(catalogue))
	for _, m := range catalogue {
		specs = append(specs, m.Spec)
	}
	return specs
}

// Find returns the metric of the catalogue with this id. Metrics of experiment files are not in it.
func Find(id string) (Spec, bool) {
	m := declared(id)
	return m.Spec, m.ID != ""
}

// Doc is what people should know about a metric beyond its Spec.
type Doc struct {
	Formula string `json:"formula"` // in the signs of docs/metrics.md
	Inputs  string `json:"inputs"`  // question, answer, reference, contexts, evidence …
	Calls   int    `json:"calls"`   // judge calls for a question when asked for alone, with up to ten claims in all and eight contexts
	Once    int    `json:"once"`    // judge calls once for each dataset version, for the reference
	Embeds  int    `json:"embeds"`  // texts embedded for a question
	Source  string `json:"source"`
	DropEN  string `json:"drop_en"` // what it usually means when the metric gets worse
	DropJA  string `json:"drop_ja"`
	RagasEN string `json:"ragas_en,omitempty"` // what is deliberately different from Ragas 0.4
	RagasJA string `json:"ragas_ja,omitempty"`
}

// DocOf returns the documentation of a metric of the catalogue.
func DocOf(id string) (Doc, bool) {
	m := declared(id)
	return m.Doc, m.ID != ""
}
