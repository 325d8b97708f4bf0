package validation

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/stats"
	"github.com/rag-workbench/workbench/internal/text"
)

// CauseWorlds puts faults into whole systems over real text and runs the product itself on them: pipeline, diagnosis, report,
// recommendation, and the recommended configuration. Only the models are scripted, behind the interface that bought models stand behind:
// they know the truth of the world and nothing of the procedure. Claims come from question and reference alone. The zero value of a
// field means its default.
type CauseWorlds struct {
	Material   CauseMaterial
	Labels     bool     // the dataset names the evidence; else it has to be found
	Lenient    bool     // the judge lets a passage that holds any of what a claim needs pass; else it must hold all of it
	Noise      float64  // share of the judge's calls that err
	Items      int      // questions of each world; default 20
	Seed       uint64   // equal seeds give equal figures
	Conditions []string // names; default all of [WorldConditions]
	Apply      bool     // try the recommendations, and apply the first
	Other      bool     // the faults of [OtherWorldConditions] in place of those that the procedure was made on
	Hear       func(WorldFinding)
}

// WorldFinding is one diagnosis in a world.
type WorldFinding struct {
	Condition string
	Expected  []causes.Component
	Case      causes.LabCase
	Diagnosis causes.Diagnosis
	Right     bool
}

// WorldRow is what was found in one world.
type WorldRow struct {
	World     string                          `json:"world"` // the text, and how it is labelled and judged
	Condition string                          `json:"condition"`
	Expected  string                          `json:"expected"` // components; any of them when they are joined by |
	Low       int                             `json:"low"`      // answers that are wrong by the fault
	Right     int                             `json:"right"`    // of them, those whose cause was named
	Named     map[causes.Component]int        `json:"named"`
	Certainty map[causes.Certainty]WorldTally `json:"certainty"` // by the word said of the cause
	Standing  map[causes.Standing]WorldTally  `json:"standing"`  // by what the cause rests on
	Calls     []int                           `json:"calls"`     // of models, for each low answer, sorted
	Planned   float64                         `json:"planned"`   // calls that the plan expected for all of them
	Outcome   *WorldOutcome                   `json:"outcome,omitempty"`
}

// WorldTally counts causes and how many of them are right.
type WorldTally struct {
	N     int `json:"n"`
	Right int `json:"right"`
}

// WorldOutcome is what the first recommendation did when it was applied to the whole run.
type WorldOutcome struct {
	Change   string  `json:"change"`
	Before   int     `json:"before"`   // low-score answers
	Promised float64 `json:"promised"` // low-score answers afterwards, as the report says
	After    int     `json:"after"`    // as it happened
	Broken   int     `json:"broken"`   // good answers that became low
	Best     int     `json:"best"`     // low-score answers of the system without the fault
}

// Restored is the share of what the system without the fault restores; 1 where there is nothing to restore.
func (o WorldOutcome) Restored() float64 {
	if o.Before <= o.Best {
		return 1
	}
	return float64(o.Before-o.After) / float64(o.Before-o.Best)
}

// worldCondition is one fault of a whole system.
type worldCondition struct {
	name     string
	expected []causes.Component // any of them is right
	deleted  bool               // the documents of the evidence are taken away
	starves  bool               // only answers whose contexts lack something are wrong by the fault
	fault    func(*rag.Config)
}

// The models and the prompt of faulty systems.
const (
	worldWeak    = "weak"        // mostly wrong whatever it reads
	worldRefuses = "refuses"     // refuses although the contexts hold the answer
	worldMiddle  = "lost-middle" // overlooks what stands neither first nor last
	worldFlaky   = "flaky"       // right now and then, anew each time
	worldGood    = "good"
	worldPrompt  = "Answer in at most five words. If in doubt, refuse."
)

// conditions are the faults of these worlds.
func (w CauseWorlds) conditions() []worldCondition {
	if !w.Other {
		return worldConditions()
	}
	lang := "en"
	if len(w.Material.Questions) > 0 {
		lang = w.Material.Questions[0].Lang
	}
	return otherConditions(lang)
}

func worldNames(all []worldCondition) []string {
	names := make([]string, len(all))
	for i, c := range all {
		names[i] = c.name
	}
	return names
}

func worldConditions() []worldCondition {
	model := []causes.Component{causes.GenerationModel}
	retriever := []causes.Component{causes.Retriever}
	k1 := func(c *rag.Config) { c.Retrieve.K = 1 }
	small := func(c *rag.Config) { c.Chunk, c.Retrieve.K = rag.Chunking{By: "chars", Size: 100}, 3 }
	named := func(m string) func(*rag.Config) { return func(c *rag.Config) { c.Generate.Name = m } }
	prompt := func(c *rag.Config) { c.Generate.Prompt = worldPrompt }
	return []worldCondition{
		{name: "database", expected: []causes.Component{causes.Database}, deleted: true},
		{name: "retriever", expected: retriever, starves: true, fault: k1},
		{name: "small_chunks", expected: retriever, starves: true, fault: small},
		{name: "model", expected: model, fault: named(worldWeak)},
		{name: "prompt", expected: []causes.Component{causes.SystemPrompt}, fault: prompt},
		{name: "over_refusal", expected: model, fault: named(worldRefuses)},
		{name: "lost_in_the_middle", expected: model, fault: named(worldMiddle)},
		{name: "flaky", expected: []causes.Component{causes.GenerationModel, causes.Unstable}, fault: func(c *rag.Config) {
			c.Generate.Name, c.Generate.Temperature = worldFlaky, .7
		}},
		{name: "retriever+prompt", expected: retriever, starves: true, fault: both(k1, prompt)},
		{name: "small_chunks+model", expected: retriever, starves: true, fault: both(small, named(worldWeak))},
	}
}

// WorldConditions are the names of the faults of [CauseWorlds], in the order of its rows.
func WorldConditions() []string { return worldNames(worldConditions()) }

// Run makes the worlds one after the other and returns a row for each.
func (w CauseWorlds) Run(ctx context.Context, tell func(done, of int, what string) error) ([]WorldRow, error) {
	if w.Items == 0 {
		w.Items = 20
	}
	all := w.conditions()
	for _, name := range w.Conditions {
		if names := worldNames(all); !slices.Contains(names, name) {
			return nil, problem.New(problem.Invalid, "condition_unknown", "there is no condition %q", name).
				WithHint("conditions: %s", strings.Join(names, ", "))
		}
	}
	if len(w.Conditions) > 0 {
		all = slices.DeleteFunc(all, func(c worldCondition) bool { return !slices.Contains(w.Conditions, c.name) })
	}
	run := newWorldRun(w)
	items, err := run.choose(ctx)
	if err != nil {
		return nil, err
	}
	var rows []WorldRow
	for i, c := range all {
		if tell != nil {
			if err := tell(i, len(all), c.name); err != nil {
				return nil, err
			}
		}
		row, err := run.condition(ctx, c, items)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		rows = append(rows, row)
	}
	if tell != nil {
		err = tell(len(all), len(all), "")
	}
	return rows, err
}

// name is what the rows call the world.
func (w CauseWorlds) name() string {
	out := w.Material.Name
	if !w.Labels {
		out += ", no labels"
	}
	if w.Lenient {
		out += ", lenient judge"
	}
	if w.Noise > 0 {
		out += fmt.Sprintf(", %g%% noise", 100*w.Noise)
	}
	return out
}

// worldItem is what is true of a question: the sentences an answer needs, and which of them each sentence of the reference needs.
type worldItem struct {
	question CauseQuestion
	needs    []string
	places   []rag.Span
	wrong    string
	refusal  string
}

// worldItems makes the items of a text: those whose evidence stands in it.
func worldItems(m CauseMaterial) []*worldItem {
	var out []*worldItem
	for i, q := range m.Questions {
		if !q.usable() {
			continue
		}
		item := &worldItem{question: q, wrong: m.foreign(i), refusal: "The documents do not say."}
		if q.Lang == "ja" {
			item.refusal = "文書には記載がありません。"
		}
		for _, span := range q.EvidenceIn(m.Corpus) {
			item.add(m.Corpus, span, q.Reference)
		}
		if len(item.needs) > 0 {
			out = append(out, item)
		}
	}
	return out
}

// mostNeeds bounds what one piece of evidence asks for: a labelled passage holds more than an answer needs.
const mostNeeds = 2

// add takes the sentences in which a label stands; of a long passage those that share most with the reference.
func (i *worldItem) add(corpus *rag.Corpus, span rag.Span, reference string) {
	if span.DocID == "" {
		return
	}
	var found []rag.Span
	for _, s := range text.Sentences(corpus.Index(span.DocID).String()) {
		at := rag.Span{DocID: span.DocID, Start: s.Start, End: s.End}
		if at.Overlap(span) > 0 && s.End-s.Start <= 380 {
			found = append(found, at)
		}
	}
	slices.SortStableFunc(found, func(a, b rag.Span) int {
		return sharedTerms(reference, corpus.Text(b)) - sharedTerms(reference, corpus.Text(a))
	})
	for _, at := range found[:min(mostNeeds, len(found))] {
		i.needs = append(i.needs, strings.TrimSpace(corpus.Text(at)))
		i.places = append(i.places, at)
	}
}

// complete reports whether contexts hold everything an answer needs, each sentence whole in one of them.
func (i *worldItem) complete(contexts []string) bool {
	for _, need := range i.needs {
		if !slices.ContainsFunc(contexts, func(c string) bool { return strings.Contains(c, need) }) {
			return false
		}
	}
	return true
}

// atTheEnds reports whether what is needed stands first or last.
func (i *worldItem) atTheEnds(contexts []string) bool {
	if len(contexts) <= 2 {
		return true
	}
	return i.complete([]string{contexts[0], contexts[len(contexts)-1]})
}

// Base is the system without faults.
func (w CauseWorlds) base() rag.Config {
	c := w.Material.realBase()
	if w.Material.Config == nil {
		c.Retrieve = rag.Retrieve{Mode: "hybrid", K: 6}
	}
	c.Generate.Model = rag.Model{Provider: ScriptedProvider, Name: worldGood}
	c.Generate.Temperature, c.Generate.Prompt = 0, ""
	return c
}

// choose draws questions that the system without faults can answer.
func (r *worldRun) choose(ctx context.Context) ([]*worldItem, error) {
	items := worldItems(r.Material)
	var out []*worldItem
	for _, at := range stats.NewSplitMix64(seedOf(r.Seed, "worlds")).Permutation(len(items)) {
		if len(out) == r.Items {
			break
		}
		hits, err := r.retrieve(ctx, r.Material.Corpus, r.base(), items[at].question.Text)
		if err != nil {
			return nil, err
		}
		if items[at].complete(textsOf(hits)) {
			out = append(out, items[at])
		}
	}
	ideal, err := r.evaluate(ctx, r.Material.Corpus, r.base(), out, &rag.MemoryStages{})
	if err != nil {
		return nil, err
	}
	low := lows(ideal)
	out = slices.DeleteFunc(out, func(i *worldItem) bool { return low[i.question.ID] })
	if len(out) < 2 {
		return nil, problem.New(problem.Invalid, "cause_items", "the system without faults finds the evidence of %d questions of %s",
			len(out), r.Material.Name).WithHint("give questions whose evidence a search with k 6 finds")
	}
	return out, nil
}

func textsOf(hits []rag.Hit) []string {
	out := make([]string, len(hits))
	for i, h := range hits {
		out[i] = h.Text
	}
	return out
}
