package validation

import (
	"fmt"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/rag"
)

// ScriptedProvider is the provider's name in the configurations of a [CauseHarness]: nobody stands behind it.
const ScriptedProvider = "scripted"

// Names by which the configurations of the harness call for a generator and a prompt.
const (
	ownModel        = "own"         // a good one that errs now and then
	weakModel       = "weak"        // mostly wrong whatever it reads
	closedBookModel = "closed-book" // looks at no context
	tenWordsPrompt  = "Answer in at most ten words."
	ownKnowledge    = "Answer from general knowledge."
)

// harnessRates are how often the scripted generator is right. They are those of science.md 9 (cause world), written down before
// there was a decision procedure, and stand for nothing in it.
type harnessRates struct {
	own       float64 // with everything it needs in the contexts
	reference float64 // the reference model, likewise
	weak      float64 // a weak or context-ignoring model, likewise
	prompt    float64 // any model under a bad prompt, likewise
	nothing   float64 // any, where something it needs is missing
}

var scienceRates = harnessRates{own: .93, reference: .97, weak: .12, prompt: .05, nothing: .03}

// harnessWriter writes the answers of one configuration.
type harnessWriter struct {
	seed   uint64
	rates  harnessRates
	config rag.Config
}

// write answers from contexts. complete says whether they show everything the answer needs.
func (g harnessWriter) write(item *harnessItem, contexts []rag.Hit, complete bool, swap causes.Swap, trial int) (answer, raw string) {
	model, prompt := g.config.Generate.Name, g.config.Generate.Prompt
	if swap.Model {
		model = "reference"
	}
	if swap.Prompt {
		prompt = ""
	}
	rate := map[string]float64{ownModel: g.rates.own, "reference": g.rates.reference}[model]
	if rate == 0 {
		rate = g.rates.weak
	}
	if prompt != "" {
		rate = min(rate, g.rates.prompt)
	}
	if !complete {
		rate = min(rate, g.rates.nothing)
	}
	right := chance(g.seed, "generate", item.question.ID, model, prompt, placesOf(contexts), trial) < rate
	raw = item.words(right, complete, model, prompt)
	return g.postProcess(raw), raw
}

// words is the text for an outcome.
func (i *harnessItem) words(right, complete bool, model, prompt string) string {
	switch {
	case right && complete && prompt != ownKnowledge && model != closedBookModel:
		return i.right
	case right:
		return i.known
	case prompt == tenWordsPrompt:
		return i.terse
	case prompt == ownKnowledge || model == closedBookModel:
		return i.closed
	case !complete:
		return i.refusal
	}
	return i.wrong
}

// truncatedTo is where the pipeline's step "truncate" cuts, in code points (rag, postprocess.go).
const truncatedTo = 120

func (g harnessWriter) postProcess(raw string) string {
	for _, step := range g.config.PostProcess {
		if runes := []rune(raw); step == "truncate" && len(runes) > truncatedTo {
			raw = string(runes[:truncatedTo])
		}
	}
	return raw
}

// placesOf names contexts by where they stand: equal contexts in equal order are the same request.
func placesOf(contexts []rag.Hit) string {
	var b strings.Builder
	for _, h := range contexts {
		fmt.Fprintf(&b, "%s %x;", h.Span, seedOf(0, h.Text))
	}
	return b.String()
}
