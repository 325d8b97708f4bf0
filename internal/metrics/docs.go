package metrics

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
