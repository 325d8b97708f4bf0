package causes

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// ChangedConfig returns the configuration with these parameters set.
func ChangedConfig(c rag.Config, changes []Change) (rag.Config, error) {
	d := experiments.Definition{Base: c}
	for _, ch := range changes {
		if m, ok := ch.Value.(rag.Model); ok && ch.Param == "embedding" {
			d.Base.Embedding = rag.Embedding{Model: m}
			continue
		}
		d.Sweep = append(d.Sweep, experiments.Axis{Name: ch.Param, Values: []any{ch.Value}})
	}
	if len(d.Sweep) == 0 {
		return d.Base, d.Base.Validate()
	}
	d.Base = d.Base.Clone()
	for _, ch := range changes { // a deeper retrieval needs as much to choose from
		if ch.Param != "retrieve.k" {
			continue
		}
		k := int(numberOf(ch.Value))
		if d.Base.Rerank.Depth > 0 {
			d.Base.Rerank.Depth = max(d.Base.Rerank.Depth, k)
		}
		if d.Base.Retrieve.MMR.FetchK > 0 {
			d.Base.Retrieve.MMR.FetchK = max(d.Base.Retrieve.MMR.FetchK, k)
		}
		if set := &d.Base.Retrieve.PGVector; set.EFSearch > 0 {
			deeper := d.Base
			deeper.Retrieve.K = k
			set.EFSearch = max(set.EFSearch, deeper.Asked())
		}
	}
	combinations, skipped, err := d.Expand()
	switch {
	case err != nil:
		return c, err
	case len(combinations) != 1:
		return c, fmt.Errorf("the changes %v make no sense: %v", changes, skipped)
	}
	return combinations[0].Config, nil
}

// Configs makes changed configurations of one, each once: the diagnoses of a run's questions ask for the same few thousands of times. It is
// safe for concurrent use.
type Configs struct {
	Base rag.Config

	mu    sync.Mutex
	known map[string]changedConfig
}

type changedConfig struct {
	config rag.Config
	err    error
}

// Changed is [ChangedConfig] of the base.
func (c *Configs) Changed(changes []Change) (rag.Config, error) {
	key, err := json.Marshal(changes)
	if err != nil {
		return ChangedConfig(c.Base, changes)
	}
	for i, ch := range changes {
		if _, whole := ch.Value.(rag.Model); whole { // all of it is taken, where a mapping is laid over what was said
			key = strconv.AppendInt(key, int64(i), 10)
		}
	}
	c.mu.Lock()
	made, ok := c.known[string(key)]
	c.mu.Unlock()
	if !ok {
		made.config, made.err = ChangedConfig(c.Base, changes)
		c.mu.Lock()
		if c.known == nil {
			c.known = map[string]changedConfig{}
		}
		c.known[string(key)] = made
		c.mu.Unlock()
	}
	return made.config.Clone(), made.err
}

// changed is [ChangedConfig] of the present configuration, which a laboratory may remember.
func (x *diagnosing) changed(changes []Change) (rag.Config, error) {
	if l, remembers := x.lab.(interface {
		Changed(changes []Change) (rag.Config, error)
	}); remembers {
		return l.Changed(changes)
	}
	return ChangedConfig(x.config, changes)
}

// Key names a repair whatever it was found for: its parameter and the value it takes.
func (r Repair) Key() string {
	if r.Param == "" {
		return string(r.Component)
	}
	value := r.To
	if m, is := modelOf(value); is { // stored or not, a model is the same model
		value = m.String()
	}
	body, err := json.Marshal(value)
	if err != nil {
		return r.Param
	}
	return r.Param + "=" + string(body)
}

// Applies reports whether a configuration can express the repair, so that the workbench can register it as an experiment by itself.
// What concerns documents, questions and references is for people.
func (r Repair) Applies() bool { return r.Param != "" && r.Param != "corpus" }

// Retrieves reports whether the repair changes what is retrieved.
func (r Repair) Retrieves() bool {
	return r.Applies() && (r.Component == Retriever || r.Component == SearchQuery)
}

// ApplyRepair returns the configuration with a repair. The reference prompt is that of lang; a reference model that has no name of its
// own is [DefaultReference]. It refuses repairs that no configuration can express.
func ApplyRepair(c rag.Config, r Repair, lang string) (rag.Config, error) {
	if !r.Applies() {
		return c, problem.New(problem.Invalid, "repair", "%s cannot be repaired by a configuration", r.Component.Word("en")).
			WithHint("correct the documents, the question or the reference, import them, and run again")
	}
	value := r.To
	switch {
	case r.Param == "generate.prompt" && value == ReferencePart:
		value = ReferencePrompt(lang)
	case r.Param == "generate.model" && value == ReferencePart:
		model := DefaultReference(c)
		if model == nil {
			return c, problem.New(problem.Invalid, "repair", "no reference model is named").
				WithHint("name one: workbench diagnose --reference PROVIDER/MODEL")
		}
		c.Generate.Model = *model
		return c, c.Validate()
	case r.Param == "generate":
		model, err := repairModel(value)
		c.Generate.Model = model
		return c, err
	case r.Param == "embedding":
		model, err := repairModel(value)
		c.Embedding = rag.Embedding{Model: model} // options are those of one model
		return c, err
	}
	return ChangedConfig(c, []Change{{Param: r.Param, Value: value}})
}

// repairModel reads a model that may have been stored as JSON.
func repairModel(v any) (rag.Model, error) {
	m, is := modelOf(v)
	if !is {
		return m, fmt.Errorf("%v names no model", v)
	}
	return m, nil
}

// modelOf is the model that a value is, or was before it was stored as JSON. Most values are numbers and words.
func modelOf(v any) (m rag.Model, is bool) {
	switch v := v.(type) {
	case rag.Model:
		return v, true
	case nil, string, int, float64, bool:
		return m, false
	}
	body, err := json.Marshal(v)
	if err == nil {
		err = json.Unmarshal(body, &m)
	}
	return m, err == nil && m.Name != ""
}

// ApplyRepairs returns the configuration with all changes of a recommendation, see [ApplyRepair].
func ApplyRepairs(c rag.Config, repairs []Repair, lang string) (rag.Config, error) {
	for _, r := range repairs { // sizes before overlaps, so that no step on the way is refused
		if r.Param == "chunk.size" {
			c.Chunk.Overlap = min(c.Chunk.Overlap, max(0, int(numberOf(r.To))-1))
		}
	}
	ordered := slices.Clone(repairs)
	slices.SortStableFunc(ordered, func(a, b Repair) int {
		return cmp.Compare(rankOf(a.Param == "chunk.overlap"), rankOf(b.Param == "chunk.overlap"))
	})
	var err error
	for _, r := range ordered {
		if c, err = ApplyRepair(c, r, lang); err != nil {
			return c, err
		}
	}
	return c, nil
}

// RepairRisk is what a change of the retrieval does to answers that are good now.
type RepairRisk struct {
	AtRisk     []string `json:"at_risk"`    // whose evidence leaves the contexts
	Changed    int      `json:"changed"`    // whose contexts change at all
	Good       int      `json:"good"`       // that were looked at
	Unmeasured int      `json:"unmeasured"` // of them, without known evidence
}

// RiskOf retrieves for every good answer of a run once as it is and once with the changes. It makes no chat calls, except where a model
// rewrites queries. Changes that do not concern the retrieval change no contexts.
func RiskOf(ctx context.Context, lab Lab, e experiments.Evaluation, repairs []Repair) (RepairRisk, error) {
	risk := RepairRisk{AtRisk: []string{}}
	var changes []Change
	for _, r := range repairs {
		change := Change{Param: r.Param, Value: r.To}
		if r.Param == "embedding" {
			model, err := repairModel(r.To)
			if err != nil {
				return risk, err
			}
			change.Value = model
		}
		if r.Retrieves() {
			changes = append(changes, change)
		}
	}
	if len(changes) == 0 {
		return risk, nil
	}
	for _, q := range e.Questions {
		result, ok := e.Result(q.ID)
		if !ok || result.Answer == nil || result.Low(e.Run.Setup.LowRule()) {
			continue
		}
		after, err := lab.Retrieve(ctx, q, changes)
		if err != nil {
			return risk, fmt.Errorf("retrieve for question %s with %s: %w", q.ID, joint(repairs).key(), err)
		}
		risk.add(lab, q, result.Answer.Hits, after)
	}
	return risk, nil
}

func (r *RepairRisk) add(lab Lab, q experiments.Question, before, after []rag.Hit) {
	r.Good++
	same := slices.EqualFunc(before, after, func(a, b rag.Hit) bool { return a.Span == b.Span && (a.DocID != "" || a.Text == b.Text) })
	if !same {
		r.Changed++
	}
	var claims []claimEvidence
	if knows, ok := lab.(EvidenceLab); ok {
		for _, l := range knows.Labels(q) {
			if l.Found {
				claims = append(claims, claimEvidence{spans: []QuotedSpan{{Span: l.Now, Quote: l.Quote}}})
			}
		}
	}
	switch {
	case len(claims) == 0:
		r.Unmeasured++
	case covered(claims, before, true) && !covered(claims, after, true):
		r.AtRisk = append(r.AtRisk, q.ID)
	}
}
