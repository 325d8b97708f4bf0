package causes

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// Lab is a system under test taken apart, so that one part of it can be replaced at a time. The decision procedure knows a system
// only through it: the real pipeline, an endpoint with a template, and the scripted harness each are one. Methods are safe for
// concurrent use; vote and trial ask again what a model decides.
type Lab interface {
	// Config is the configuration of the run that is diagnosed.
	Config() rag.Config
	// Can says which interventions the system allows: all of them in a built-in pipeline, what its template takes in an endpoint.
	Can() LabPowers

	// Pass judges an answer on what was low of the one that is diagnosed, and says whether it is above the threshold.
	Pass(ctx context.Context, c LabCase, answer string, contexts []rag.Hit, vote int) (bool, error)
	// Claims splits the reference into its key claims.
	Claims(ctx context.Context, q experiments.Question) ([]string, error)
	// Candidates returns the windows of the corpus that may hold a claim: lexical, every embedder at hand, neighbours.
	Candidates(ctx context.Context, q experiments.Question, claim string) ([]Window, error)
	// Supports judges each window against a claim.
	Supports(ctx context.Context, q experiments.Question, claim string, windows []Window, vote int) ([]WindowVerdict, error)
	// Clear says whether the question says what is asked: two independent readings agree, and the reference follows from it. why
	// says what is missing where it does not; it begins with UnclearReference where the reference answers another question. One
	// vote is two calls.
	Clear(ctx context.Context, q experiments.Question, vote int) (plain bool, why string, err error)

	// Retrieve returns what the retrieval gives with these changes, best first, texts filled in. No chat calls, except where a
	// query is rewritten by a model.
	Retrieve(ctx context.Context, q experiments.Question, changes []Change) ([]rag.Hit, error)
	// Generate answers from these contexts with parts replaced; raw is the answer before post-processing, "" where it is the same.
	// A system that is given no contexts takes only those that it retrieved.
	Generate(ctx context.Context, q experiments.Question, contexts []rag.Hit, swap Swap, trial int) (answer, raw string, err error)
}

// LabPowers says which interventions a system allows.
type LabPowers struct {
	Corpus    bool // the documents can be searched
	Retrieval bool // retrieval can be run again with other parameters
	K         bool // only k can be changed
	Contexts  bool // contexts can be given
	Prompt    bool // the system prompt can be replaced
	Model     bool // the model can be replaced
	Raw       bool // the answer before post-processing is known

	SameVerdicts bool // the judge says of the same text the same, however often it is asked
}

// LabCase is one low-score answer of the run that is diagnosed.
type LabCase struct {
	Question experiments.Question
	Result   experiments.Result // with the texts of its contexts
	Corner   Corner             // what of it is low
}

// Change is one parameter with another value. Param is a name of the experiment file ("retrieve.k", "chunk.size",
// "embedding.model", "retrieve.mode", "rewrite", "rerank").
type Change struct {
	Param string `json:"param"`
	Value any    `json:"value"`
}

// Swap says which parts of the generation are replaced by their reference.
type Swap struct {
	Prompt   bool
	Model    bool
	Reworded bool // with Prompt: the reference prompt in other words
}

// step names what is replaced as a step of a diagnosis, with its change.
func (s Swap) step() (name, change string) {
	switch {
	case s.Prompt && s.Model:
		return "both", "generate.prompt, generate.model -> reference"
	case s.Model:
		return "model", "generate.model -> reference"
	}
	return "prompt", "generate.prompt -> reference"
}

// Window is a piece of a document of about 400 characters, on sentence borders.
type Window struct {
	rag.Span
	Text string `json:"text"`
}

// WindowVerdict is what the judge says of a window and a claim.
type WindowVerdict struct {
	Verdict string   `json:"verdict"` // "entail", "contradict" or "neutral"
	Quote   rag.Span `json:"quote"`   // the words that decide it, verbatim in the window; zero where neutral
}

// EvidenceLab is what a Lab offers besides where it knows the evidence that the dataset names, and can look it up in the corpus.
type EvidenceLab interface {
	// Labels returns the labelled evidence of a question, each with what has become of it; none when the dataset names none.
	Labels(q experiments.Question) []EvidenceLabel
}

// EvidenceLabel is one piece of labelled evidence in the corpus at hand.
type EvidenceLabel struct {
	Now     rag.Span `json:"now"`               // where its words stand; no document when they stand nowhere
	Quote   string   `json:"quote"`             // its words as they were labelled
	Found   bool     `json:"found"`             // they stand in the corpus, or there is no corpus to look into
	Instead string   `json:"instead,omitempty"` // the sentence that says the same differently now; "" when there is none
	Around  Window   `json:"around"`            // the passage they stand in: a label may be too short to be understood alone
}

// UnclearReference begins the words of [Lab.Clear] where not the question is at fault but the reference: it does not answer it.
const UnclearReference = "reference"

// unclearComponent is the part at fault where a question is not clear.
func unclearComponent(why string) Component {
	if strings.HasPrefix(why, UnclearReference) {
		return ReferenceText
	}
	return QuestionText
}

// Asks reports whether the system can be asked anything again: a log cannot.
func (p LabPowers) Asks() bool { return p.Retrieval || p.K || p.Contexts || p.Prompt || p.Model }

// bare is a span without the white space at the ends of its words, and those words, where they are known.
func (s QuotedSpan) bare() (rag.Span, []rune) {
	words := []rune(s.Quote)
	if len(words) != s.Range().Len() {
		return s.Span, nil
	}
	from, to := 0, len(words)
	for from < to && unicode.IsSpace(words[from]) {
		from++
	}
	for to > from && unicode.IsSpace(words[to-1]) {
		to--
	}
	return rag.Span{DocID: s.DocID, Start: s.Start + from, End: s.Start + to}, words[from:to]
}

// heldBy says how contexts hold a span: whole, in one of them; split, only by several together; or not. Only white space may be
// missing. rank is that of the first context which holds any of it, from 1; 0 when none does.
func heldBy(s QuotedSpan, hits []rag.Hit) (whole, split bool, rank int) {
	span, words := s.bare()
	length := span.Range().Len()
	var pieces []rag.Hit
	for i, h := range hits {
		part := h.Overlap(span)
		named := h.DocID != "" && h.End > h.Start
		if part > 0 && rank == 0 {
			rank = i + 1
		}
		if part > 0 && part == length || !named && s.Quote != "" && strings.Contains(h.Text, s.Quote) {
			return true, false, i + 1
		}
		if part > 0 {
			pieces = append(pieces, h)
		}
	}
	if len(pieces) < 2 {
		return false, false, rank
	}
	c := compare.Coverage{Held: make([]int, 1), Length: []int{length}, Gaps: make([][]rag.Span, 1), Cuts: make([][]compare.Cut, 1)}
	c.ByOffsets(0, span, pieces)
	for _, gap := range c.Gaps[0] {
		if words == nil || strings.TrimSpace(string(words[gap.Start-span.Start:gap.End-span.Start])) != "" {
			return false, false, rank
		}
	}
	return false, true, rank
}

// claimEvidence is what the corpus holds of one key claim of the reference. Any of its spans will do.
type claimEvidence struct {
	claim    string
	spans    []QuotedSpan   // that entail it
	against  []QuotedSpan   // that contradict it
	windows  []Window       // around spans, in their order: what an answer needs to be written from
	share    float64        // of the votes that agree with what was found
	labelled bool           // from the dataset, not from a search
	anywhere bool           // any part of a span will do
	lost     *EvidenceLabel // the label that no longer stands in the corpus
	half     bool           // of a claim that two places hold together
}

func (c claimEvidence) found() bool { return len(c.spans) > 0 }

// held says how contexts hold the claim: by the best of its spans.
func (c claimEvidence) held(hits []rag.Hit) (whole, split bool) {
	for i := range c.spans {
		w, p, _ := c.holds(i, hits)
		whole, split = whole || w, split || p
	}
	return whole, split && !whole
}

// holds says how contexts hold one span of the claim, as [heldBy] does; of a span any part of which will do, any part is the whole.
func (c claimEvidence) holds(i int, hits []rag.Hit) (whole, split bool, rank int) {
	whole, split, rank = heldBy(c.spans[i], hits)
	return whole || c.anywhere && rank > 0, split, rank
}

// place is the span that stands for the claim wherever it is quoted, or given alone: the first that contexts hold whole, else in pieces,
// else the first. What is said to be in the contexts and what is tried without the others are then the same words.
func (c claimEvidence) place(hits []rag.Hit) int {
	split := -1
	for i := range c.spans {
		whole, pieces, _ := c.holds(i, hits)
		if whole {
			return i
		}
		if pieces && split < 0 {
			split = i
		}
	}
	return max(split, 0)
}

// elsewhere are the claims by their first places alone, where contexts hold another place of some of them: that one may only share words
// with the claim. different is false where there is none to choose.
func elsewhere(claims []claimEvidence, hits []rag.Hit) (out []claimEvidence, different bool) {
	out = slices.Clone(claims)
	for i, c := range out {
		if c.found() && c.place(hits) > 0 {
			out[i].spans, different = c.spans[:1], true
			out[i].windows = c.windows[:min(1, len(c.windows))]
		}
	}
	return out, different
}

// covered reports whether contexts hold every claim that the corpus holds, each within one context; or, when loosely, by several
// contexts together.
func covered(claims []claimEvidence, hits []rag.Hit, loosely bool) bool {
	for _, c := range claims {
		if !c.found() {
			continue
		}
		whole, split := c.held(hits)
		if !whole && !(loosely && split) {
			return false
		}
	}
	return true
}

// oracle is the contexts that hold the evidence and nothing else: of each claim the passage around the place that stands for it.
func oracle(claims []claimEvidence, hits []rag.Hit) []rag.Hit {
	var alone []rag.Hit
	seen := map[rag.Span]bool{}
	for _, c := range claims {
		if len(c.spans) == 0 {
			continue
		}
		at := c.place(hits)
		w := Window{Span: c.spans[at].Span, Text: c.spans[at].Quote}
		if at < len(c.windows) && c.windows[at].Text != "" {
			w = c.windows[at]
		}
		if !seen[w.Span] {
			seen[w.Span] = true
			alone = append(alone, rag.Hit{Span: w.Span, Text: w.Text, Score: 1})
		}
	}
	return alone
}
