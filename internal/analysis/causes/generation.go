package causes

import (
	"context"
	"slices"

	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/stats"
)

// ReferencePart stands for the good part that a repair puts in the place of the present one: the product's own prompt, see
// [ReferencePrompt].
const ReferencePart = "reference"

// generation is steps 5 and 6: the contexts hold what is needed, or nobody knows what is. Does the answer heal with the evidence
// alone, when it is asked again, or with a good prompt or model?
func (x answerRepair) generation(ctx context.Context) (bool, error) {
	if !x.powers.Asks() {
		x.untestedGeneration()
		return true, nil
	}
	now, err := x.resample(ctx)
	if err != nil {
		return false, err
	}
	switch {
	case now.healed():
		x.now = now
		x.searching().unstable()
		return true, nil
	case now.bareHealed():
		x.searching().throughRaw(now)
		x.d.Further = nil
		x.searching().count(x.d.Repairs, now)
		x.finish(PostProcessing, x.certain(now, x.now))
		return true, nil
	}
	x.now = now
	v, err := x.swaps(ctx, now.contexts, now)
	if err != nil {
		return false, err
	}
	if v.component != "" {
		x.swappedFor(v)
		return true, nil
	}
	if x.enough {
		return true, x.searching().notEnough(ctx)
	}
	return true, x.alone(ctx, now)
}

// swappedFor closes the diagnosis of an answer that another prompt or model healed.
func (x answerRepair) swappedFor(v swapped) {
	x.d.Further, x.d.Repairs = v.further, v.repairs
	x.searching().count(x.d.Repairs, v.healed)
	if v.detail != "" {
		x.d.Detail = v.detail
	}
	x.finish(v.component, v.confidence)
}

// alone tries the evidence without other contexts, once neither prompt nor model healed the answer on those that are there: a model
// that a better one beats on the same contexts is the cause itself, however it fails on them.
func (x answerRepair) alone(ctx context.Context, now tried) error {
	if !x.known || !x.powers.Contexts {
		return x.nothing(ctx)
	}
	if x.widening().widen() && !covered(x.claims, x.c.Hits(), true) {
		_, err := x.searching().retrieval(ctx)
		return err
	}
	t, err := x.settle(ctx, "oracle", "evidence alone", x.evidenceOnly(x.claims), Swap{})
	if err != nil {
		return err
	}
	if t.healed() {
		return x.misled(ctx, t, now)
	}
	if first, different := elsewhere(x.claims, x.c.Hits()); different { // what the contexts hold may only sound like the claim
		other, err := x.settle(ctx, "oracle", "evidence alone, another place", x.evidenceOnly(first), Swap{})
		if err != nil {
			return err
		}
		if other.healed() { // then that is the evidence, and the contexts lack it
			x.claims = first
			_, err = x.searching().retrieval(ctx)
			return err
		}
	}
	return x.twoByTwo(ctx, t)
}

// untestedGeneration closes the diagnosis of an answer whose system cannot be asked again.
func (x answerRepair) untestedGeneration() {
	x.d.Detail = "untested"
	if x.known {
		x.finish(GenerationUnsure, x.searching().evidenceShare())
		return
	}
	x.finish(Undetermined, 0)
}

// misled is the answer that heals with the evidence alone: the other contexts stand in the way.
func (x answerRepair) misled(ctx context.Context, alone, now tried) error {
	x.d.Detail = x.inTheWay()
	m, err := x.lessNoise(ctx)
	if err != nil {
		return err
	}
	if m != nil {
		t, err := x.settle(ctx, "regenerate", m.String(), m.contexts, Swap{})
		if err != nil {
			return err
		}
		if t.healed() {
			x.d.Repairs = slices.Clone(m.repairs)
			x.d.Alternatives = append(x.d.Alternatives, m.repairs...)
			x.searching().count(x.d.Repairs, t)
			x.finish(Retriever, x.certain(t, now))
			return nil
		}
	}
	x.finish(Retriever, x.certain(alone, now))
	return nil
}

// inTheWay says what is wrong with contexts whose evidence alone healed the answer, by whether they hold it.
func (x *diagnosing) inTheWay() string {
	switch {
	case covered(x.claims, x.c.Hits(), false):
		return noiseThere
	case covered(x.claims, x.c.Hits(), true):
		return "chunk_border"
	}
	return noiseBesides
}

// lessNoise is the change that leaves the evidence in the contexts and takes other text out: a smaller k; or, where a chunk border
// cuts the evidence, the first change of the ladder that holds it in one context.
func (x answerRepair) lessNoise(ctx context.Context) (*combinedRepair, error) {
	if x.d.Detail == "chunk_border" {
		if !x.powers.Retrieval {
			return nil, nil
		}
		combined, err := x.widening().ladder(ctx)
		if err != nil || len(combined) == 0 || combined[0].expensive() {
			return nil, err
		}
		return &combined[0], nil
	}
	at := x.widening().depth(x.c.Hits())
	if !x.widening().deepens() || !x.widening().prefixes(nil) || at == 0 || at >= len(x.c.Hits()) {
		return nil, nil
	}
	m := x.widening().atDepth(intervention{component: Retriever, param: "retrieve.k", from: x.config.Retrieve.K}, x.c.Hits()[:at], at)
	return &m, nil
}

// twoByTwo replaces prompt and model on the evidence alone.
func (x answerRepair) twoByTwo(ctx context.Context, base tried) error {
	if best := x.best(); best.Prompt && best.Model { // one trial for the three that follow only where it heals
		t, err := x.settle(ctx, "both", "generate.prompt, generate.model -> reference", base.contexts, best)
		if err != nil {
			return err
		}
		if !t.bareHealed() {
			return x.nothing(ctx)
		}
	}
	v, err := x.swaps(ctx, base.contexts, base)
	if err != nil {
		return err
	}
	if v.component == "" {
		return x.nothing(ctx)
	}
	return x.contextsToo(ctx, v)
}

// byItself tries what healed the answer from other contexts on those of the run, which nothing else was changed in: a part that heals
// it there is the cause by itself, and the contexts are none. It was tried before where the contexts seemed to hold what is needed.
func (x answerRepair) byItself(ctx context.Context, v swapped) (bool, error) {
	name, change := v.healed.swap.step()
	if v.healed.swap == (Swap{}) || slices.ContainsFunc(x.d.Steps, func(s CauseStep) bool { return s.Step == name && s.On == "" }) {
		return false, nil
	}
	t, err := x.settle(ctx, name, change, x.c.Hits(), v.healed.swap)
	if err != nil || !t.bareHealed() {
		return false, err
	}
	if err := x.searching().present(ctx); err != nil {
		return false, err
	}
	if x.now.healed() {
		x.searching().unstable()
		return true, nil
	}
	x.d.Alternatives = nil // changes of the search, which it does without
	v.healed, v.confidence = t, x.certain(t, x.now)
	x.swappedFor(v)
	return true, nil
}

// contextsToo is the answer that the best prompt and model at hand give well from the evidence alone, and did not from the contexts that
// are there: these are at fault as well, and come first.
func (x answerRepair) contextsToo(ctx context.Context, v swapped) error {
	if healed, err := x.deep(ctx); err != nil || healed {
		return err
	}
	x.swappedFor(v)
	x.d.Further = append([]Component{v.component}, v.further...)
	x.d.Detail = x.inTheWay()
	x.finish(Retriever, min(v.confidence, mediumAtMost))
	return nil
}

// swapped is what replacing prompt and model brought.
type swapped struct {
	component  Component // "" when nothing healed the answer
	further    []Component
	repairs    []Repair
	healed     tried
	confidence float64
	detail     string
}

// swaps replaces the prompt, the model, and both where neither is enough, on the same contexts. base is the answer with neither.
func (x answerRepair) swaps(ctx context.Context, contexts []rag.Hit, base tried) (swapped, error) {
	var prompt, model tried
	var err error
	if x.powers.Prompt {
		if prompt, err = x.settle(ctx, "prompt", "generate.prompt -> reference", contexts, Swap{Prompt: true}); err != nil {
			return swapped{}, err
		}
	}
	if x.powers.Model {
		if model, err = x.settle(ctx, "model", "generate.model -> reference", contexts, Swap{Model: true}); err != nil {
			return swapped{}, err
		}
	}
	if prompt, model, err = x.apart(ctx, prompt, model); err != nil {
		return swapped{}, err
	}
	p, m := prompt.bareHealed(), model.bareHealed()
	switch {
	case p && m:
		again, err := x.again(ctx, prompt)
		if err != nil {
			return swapped{}, err
		}
		if prompt = again; !again.bareHealed() { // in other words the prompt does nothing: it was the draw
			return x.swappedBy(GenerationModel, model, base), nil
		}
		v, other := x.swappedBy(SystemPrompt, prompt, base), GenerationModel
		if model.effective().rate()-prompt.effective().rate() > clearlyMore {
			v, other = x.swappedBy(GenerationModel, model, base), SystemPrompt
		}
		v.detail, v.confidence = "either", min(v.confidence, mediumAtMost) // it may be the other one all the same
		x.d.Alternatives = append(x.d.Alternatives, x.swapRepair(other))
		return v, nil
	case p:
		return x.swappedBy(SystemPrompt, prompt, base), nil
	case m:
		return x.swappedBy(GenerationModel, model, base), nil
	case x.powers.Prompt && x.powers.Model:
		return x.both(ctx, contexts, base, prompt, model)
	}
	return swapped{}, nil
}

// clearlyMore is by how much the model must heal more answers than the prompt to be named first although both suffice: changing a
// prompt is cheaper.
const clearlyMore = 0.25

// apart tries both swaps again where one is just enough, the other just not, and a single answer lies between them.
func (x answerRepair) apart(ctx context.Context, prompt, model tried) (tried, tried, error) {
	gap := prompt.passes - model.passes
	if prompt.trials == 0 || model.trials == 0 || prompt.healed() == model.healed() || prompt.trials != model.trials ||
		gap > 1 || gap < -1 {
		return prompt, model, nil
	}
	prompt, err := x.try(ctx, "prompt", "generate.prompt -> reference", prompt, x.rules.Trials)
	if err != nil {
		return prompt, model, err
	}
	model, err = x.try(ctx, "model", "generate.model -> reference", model, x.rules.Trials)
	return prompt, model, err
}

// again tries a swap of the prompt once more, in other words: a system at temperature 0 says the same to the same request, and what
// healed an answer may have been the draw. A system that varies is asked as often again, in the same words.
func (x answerRepair) again(ctx context.Context, t tried) (tried, error) {
	if !x.greedy() || !t.swap.Prompt {
		return x.try(ctx, "prompt", "generate.prompt -> reference", t, x.rules.Trials)
	}
	t.swap.Reworded = true
	return x.settle(ctx, "prompt", "generate.prompt -> reference, in other words", t.contexts, t.swap)
}

func (x answerRepair) swappedBy(component Component, t, base tried) swapped {
	v := swapped{component: component, healed: t, confidence: x.certain(t, base), repairs: []Repair{x.swapRepair(component)}}
	if !t.healed() {
		v.further = append(v.further, PostProcessing)
		v.repairs = append(v.repairs, x.withoutPostProcessing())
	}
	return v
}

func (x answerRepair) swapRepair(component Component) Repair {
	if component == SystemPrompt {
		return Repair{Component: SystemPrompt, Param: "generate.prompt", From: "present", To: ReferencePart, ContextCost: 1}
	}
	r := Repair{Component: GenerationModel, Param: "generate.model", From: x.config.Generate.Name, To: ReferencePart, ContextCost: 1}
	if x.rules.Reference != nil {
		r.To = x.rules.Reference.Name
		if x.rules.Reference.Provider != x.config.Generate.Provider {
			r.Param, r.From, r.To = "generate", x.config.Generate.Model, *x.rules.Reference
		}
	}
	return r
}

// both replaces prompt and model together. Named first is the one with the larger share of the gain (Shapley); the prompt on a tie. One
// answer of a system at temperature 0 may be the draw, good or bad: what fails is tried once more in other words, and before two
// faults are named each change alone gets another draw.
func (x answerRepair) both(ctx context.Context, contexts []rag.Hit, base, prompt, model tried) (swapped, error) {
	const change = "generate.prompt, generate.model -> reference"
	t, err := x.settle(ctx, "both", change, contexts, x.best())
	if err == nil && !t.bareHealed() && x.greedy() {
		t, err = x.settle(ctx, "both", change+", in other words", contexts, Swap{Prompt: true, Model: true, Reworded: true})
	}
	if err != nil || !t.bareHealed() {
		return swapped{}, err
	}
	if v, err := x.redrawn(ctx, contexts, base); err != nil || v.component != "" {
		return v, err
	}
	first, second := SystemPrompt, GenerationModel
	shares, err := stats.Shapley([]float64{base.effective().rate(), prompt.effective().rate(), model.effective().
		rate(), t.effective().rate()})
	if err == nil && shares[1] > shares[0] {
		first, second = second, first
	}
	v := x.swappedBy(first, t, base)
	v.further = append([]Component{second}, v.further...)
	v.repairs = append(v.repairs, x.swapRepair(second))
	v.detail = "both"
	return v, nil
}

// redrawn gives each of prompt and model another draw where only both together healed the answer: the prompt in other words, the model
// with the contexts in the opposite order. It names the one that heals now; none where both or neither do.
func (x answerRepair) redrawn(ctx context.Context, contexts []rag.Hit, base tried) (swapped, error) {
	turned := slices.Clone(contexts)
	slices.Reverse(turned)
	if !x.powers.Contexts || len(turned) < 2 {
		return swapped{}, nil
	}
	model, err := x.settle(ctx, "model", "generate.model -> reference, contexts reversed", turned, Swap{Model: true})
	if err != nil {
		return swapped{}, err
	}
	prompt, err := x.settle(ctx, "prompt", "generate.prompt -> reference, in other words", contexts, Swap{Prompt: true, Reworded: true})
	switch {
	case err != nil || model.bareHealed() == prompt.bareHealed():
		return swapped{}, err
	case model.bareHealed():
		return x.redrawnBy(GenerationModel, model, base), nil
	}
	return x.redrawnBy(SystemPrompt, prompt, base), nil
}

// redrawnBy names a change that healed the answer at the second draw only.
func (x answerRepair) redrawnBy(component Component, t, base tried) swapped {
	v := x.swappedBy(component, t, base)
	v.confidence = min(v.confidence, mediumAtMost)
	return v
}

// nothing is the answer that no replacement heals although the evidence was given: the evidence may be none, the question or its
// reference may be at fault, or what could have healed it could not be tested.
func (x answerRepair) nothing(ctx context.Context) error {
	if disputed, err := x.disputed(ctx); err != nil || disputed {
		return err
	}
	if healed, err := x.deep(ctx); err != nil || healed {
		return err
	}
	x.d.Repairs, x.d.Further = nil, nil
	if err := x.searching().searchUnread(ctx); err != nil {
		return err
	}
	if x.later != nil || x.lost != nil {
		return x.searching().comeBack(ctx)
	}
	share, err := x.recheck(ctx)
	if err != nil {
		return err
	}
	if share > 0.5 {
		x.d.Detail = "not_in_corpus"
		x.d.Repairs = []Repair{{Component: Database, Param: "corpus", To: "add", ContextCost: 1}}
		x.claims = nil
		x.finish(Database, min(share, mediumAtMost))
		return x.searching().unlessTold(ctx, true)
	}
	plain, why, confidence, err := x.clear(ctx)
	if err != nil {
		return err
	}
	switch {
	case !plain:
		x.unclear(why, confidence)
	case !x.known && x.c.Question.Answerable:
		x.d.Detail = x.why
		x.finish(Undetermined, 0)
	case !x.powers.Prompt || !x.powers.Model:
		x.d.Detail = "partly_untested"
		x.finish(GenerationUnsure, unprovenShare*x.searching().evidenceShare())
	default: // every part was replaced and nothing healed the answer: what is left is a guess, and is not called a cause
		return x.lacking(ctx)
	}
	return nil
}

// lacking tries the reference's own facts as a context where neither prompt, nor model, nor a deep search healed the answer although a
// search had found evidence: if they do, what was found was not enough, and the documents seem to lack the rest.
func (x answerRepair) lacking(ctx context.Context) error {
	x.d.Detail = "nothing_heals"
	x.finish(Undetermined, 0)
	found := slices.ContainsFunc(x.claims, func(c claimEvidence) bool { return c.found() && !c.labelled })
	if !found || !x.deepTried {
		return nil
	}
	t, err := x.settle(ctx, "facts", "the reference as a context", x.withFacts(), x.best())
	if err != nil || !t.bareHealed() {
		return err
	}
	x.d.Detail = "not_enough"
	x.d.Repairs = []Repair{{Component: Database, Param: "corpus", To: "add", ContextCost: 1}}
	x.finish(Database, unprovenShare)
	return nil
}

// unprovenShare lowers the confidence where the evidence was given and no replacement healed the answer: what is left is generation,
// by exclusion. The reference is not to blame, since the corpus holds what it claims.
const unprovenShare = 0.5

// recheckVotes are asked for about evidence that healed nothing, numbered behind those of the search.
const (
	recheckVotes = 4
	recheckFrom  = 20
)

// recheck votes again on the evidence that a search found. It returns the share of votes against it, for the claim that is doubted
// most.
func (x answerRepair) recheck(ctx context.Context) (float64, error) {
	doubt, calls := 0.0, 0
	for _, c := range x.claims {
		if c.labelled || c.half || len(c.windows) == 0 {
			continue
		}
		against := 0
		for vote := range recheckVotes {
			verdicts, err := x.lab.Supports(ctx, x.c.Question, c.claim, c.windows[:1], recheckFrom+vote)
			if err != nil {
				return 0, err
			}
			calls++
			if len(verdicts) == 0 || verdicts[0].Verdict != Entails {
				against++
			}
		}
		doubt = max(doubt, float64(against)/recheckVotes)
	}
	if calls > 0 {
		x.step("evidence", "again", 0, calls, calls)
	}
	return doubt, nil
}
