package rag

// Hit is one retrieved chunk.
type Hit struct {
	Span
	Score float64 `json:"score"`          // higher is better; comparable only within one retrieval
	Text  string  `json:"text,omitempty"` // filled from the corpus for use; stored only where there is no corpus

	Lead    string `json:"lead,omitempty"`    // what stands before the text of the span when it is shown: a table's head, a header
	Matched []Span `json:"matched,omitempty"` // the chunks that were found, where the hit is a larger piece around them
}

// Retrieval is what rewriting, searching and reranking produced for one question.
type Retrieval struct {
	Query string `json:"query"` // the query that was searched: the question, or what the rewriter made of it
	Hits  []Hit  `json:"hits"`  // best first; the contexts that the generator sees

	// how much of what is nearest an approximate search found; nil where the search is exact, or where nobody knows
	Approximate *Approximation `json:"approximate,omitempty"`

	Hidden string   `json:"hidden,omitempty"` // NoContexts, NoPlaces or NoSpans where a system or an index elsewhere shows less
	Notes  []string `json:"notes,omitempty"`  // what was cut off or missing in its reply, such as NoteContextsCapped
}

// What a system that runs elsewhere may not show of its retrieval. Metrics that need it do not apply, for this reason.
const (
	NoContexts = "no_contexts"           // it shows no contexts
	NoPlaces   = "contexts_not_located"  // it shows their texts, but where some of them stand in the corpus is not known
	NoSpans    = "places_not_measurable" // the document of each context is known, but where in it some of them stand is not
)

// Generation is what the generator wrote, after post-processing.
type Generation struct {
	Text         string `json:"text"`
	Raw          string `json:"raw,omitempty"`           // before post-processing, when that changed it
	FinishReason string `json:"finish_reason,omitempty"` // "length" marks a truncated answer

	Measured *Measured `json:"measured,omitempty"` // nil for offline answers and logs that say nothing
}

// Retrieved is what was retrieved for a question whose generation failed.
type Retrieved struct {
	Retrieval
	RetrievalKey string `json:"retrieval_key"` // stage key under which it is stored
}

// Answer is the system's whole reply to one question.
type Answer struct {
	Retrieval
	Generation
	RetrievalKey  string `json:"retrieval_key"` // stage keys under which the two parts are stored
	GenerationKey string `json:"generation_key"`
}
