package causes

import (
	"context"

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
