package validation

import (
	"context"
	"fmt"
	"sync"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// Run diagnoses every answer of every condition under every noise and returns the rows, by noise and then by condition. tell, which
// may be nil, hears before each step how many are done and how many there are, and ends the work by an error.
func (h CauseHarness) Run(ctx context.Context, tell func(done, of int, what string) error) ([]CauseRow, error) {
	h, conditions, err := h.filled()
	if err != nil {
		return nil, err
	}
	rows := h.emptyRows(conditions)
	steps := h.Batches * len(conditions)
	batches := h.batches()
	for b := range h.Batches {
		batch := batches(b)
		for n, c := range conditions {
			if tell != nil {
				if err := tell(b*len(conditions)+n, steps, c.name); err != nil {
					return nil, err
				}
			}
			ground, items, err := batch.build(ctx, c, h.Items)
			if err != nil {
				return nil, err
			}
			for f := range h.Noise {
				if err := h.diagnose(ctx, batch, c, ground, items, &rows[f*len(conditions)+n]); err != nil {
					return nil, err
				}
			}
		}
	}
	for f := range h.Noise {
		settleGuesses(rows[f*len(conditions) : (f+1)*len(conditions)])
	}
	if tell != nil {
		err = tell(steps, steps, "")
	}
	return rows, err
}

// batches makes the batch of each number.
func (h CauseHarness) batches() func(number int) harnessBatch {
	if h.Material == nil {
		return func(number int) harnessBatch { return newSyntheticBatch(h.Seed, number) }
	}
	ground := newGround(h.Material.Corpus)
	return func(number int) harnessBatch {
		return newRealBatch(*h.Material, ground, h.Seed, number, h.Judge == nil || h.Unlabelled)
	}
}

func (h CauseHarness) emptyRows(conditions []harnessCondition) []CauseRow {
	rows := make([]CauseRow, 0, len(h.Noise)*len(conditions))
	for _, f := range h.Noise {
		for _, c := range conditions {
			row := newCauseRow(c.name, c.expected)
			row.Material, row.Judge, row.Noise, row.Lasting = "synthetic", "scripted", f, h.Lasting
			if h.Material != nil {
				row.Material = h.Material.Name
			}
			if h.Judge != nil {
				row.Judge = h.Judge.Name
			}
			if h.Judge == nil || h.Judge.Paper != nil {
				row.Control = &ControlTally{DataLevel: map[causes.DataCause]int{}, ComponentLevel: map[causes.Component]int{}}
			}
			rows = append(rows, row)
		}
	}
	return rows
}

// diagnose asks for the causes of one condition's answers in one world.
func (h CauseHarness) diagnose(ctx context.Context, batch harnessBatch, c harnessCondition, ground *harnessGround, items []*harnessItem,
	row *CauseRow) error {
	kinds := max(1, len(c.configs))
	for kind := range kinds {
		var mine []*harnessItem
		for n, item := range items {
			if n%kinds == kind {
				mine = append(mine, item)
			}
		}
		lab := newHarnessLab(ground, batch.config(c, kind), mine, batch.seed(), row.Noise)
		lab.judge.lasting = h.Lasting
		if err := h.diagnoseOn(ctx, lab, mine, c, row); err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
	}
	return nil
}

// diagnoseOn asks for the causes of the answers of one system.
func (h CauseHarness) diagnoseOn(ctx context.Context, lab *harnessLab, items []*harnessItem, c harnessCondition, row *CauseRow) error {
	world := CauseWorld{Corpus: lab.ground.corpus, Config: lab.config}
	world.Answers = make([]causes.LabCase, len(items))
	if err := h.each(ctx, len(items), func(ctx context.Context, i int) (err error) {
		if world.Answers[i], err = lab.answered(ctx, items[i], c.ideal); err == nil && h.Judge != nil {
			err = h.Judge.judged(ctx, lab.ground.corpus, &world.Answers[i])
		}
		return err
	}); err != nil {
		return err
	}
	subject := causes.Lab(lab)
	if h.Judge != nil && len(items) > 0 {
		opened, done, err := h.Judge.Open(ctx, world)
		if err != nil {
			return err
		}
		defer done()
		subject = storedAnswers{Lab: opened, writes: lab}
	}
	found := make([]harnessFinding, len(items))
	if err := h.each(ctx, len(items), func(ctx context.Context, i int) (err error) {
		found[i], err = h.find(ctx, subject, lab, items[i], world.Answers[i])
		return err
	}); err != nil {
		return err
	}
	for i, f := range found {
		row.count(f.diagnosis, c.expected, f.wrong, f.calls)
		row.Repairs.Named, row.Repairs.Restored = row.Repairs.Named+f.repairs.Named, row.Repairs.Restored+f.repairs.Restored
		if row.Control != nil {
			row.Control.count(f.control, c.expected, f.wrong)
		}
		if h.Hear != nil {
			h.Hear(CauseFinding{c.name, row.Expected, row.Noise, world.Answers[i], f.diagnosis, f.calls, f.wrong,
				f.diagnosis.Component == c.expected[0]})
		}
	}
	return nil
}

// harnessFinding is what was found of one answer.
type harnessFinding struct {
	diagnosis causes.Diagnosis
	calls     int
	wrong     bool // in truth
	repairs   RepairTally
	control   causes.Component
}

// find asks for the cause of one answer, by the procedure and by the control arm, and tries the repairs of a wrong one.
func (h CauseHarness) find(ctx context.Context, subject causes.Lab, lab *harnessLab, item *harnessItem,
	answered causes.LabCase) (f harnessFinding, err error) {
	f.wrong = !item.agrees(answered.Result.Answer.Text)
	before := lab.calls(item.question.ID)
	if f.diagnosis, err = causes.Diagnose(ctx, subject, answered, h.Rules); err != nil {
		return f, err
	}
	if f.calls = lab.calls(item.question.ID) - before; h.Judge != nil {
		f.calls = f.diagnosis.Calls
	}
	switch {
	case h.Judge == nil:
		f.control = paperStandIn{lab.judge}.classify(lab.ground, item, answered)
	case h.Judge.Paper != nil:
		d, err := h.Judge.Paper(ctx, answered)
		if err != nil {
			return f, fmt.Errorf("question %s, in the paper's way: %w", item.question.ID, err)
		}
		f.control = d.Component
	}
	if f.wrong {
		if err := f.repairs.try(ctx, lab, answered, f.diagnosis); err != nil {
			return f, fmt.Errorf("question %s: apply %+v: %w", item.question.ID, f.diagnosis.Repairs, err)
		}
	}
	return f, nil
}

// each does n things, several at a time, and returns the first error; after it nothing further is begun.
func (h CauseHarness) each(ctx context.Context, n int, work func(ctx context.Context, i int) error) error {
	slots := make(chan struct{}, max(1, h.Parallel))
	failed := make(chan error, n)
	var flying sync.WaitGroup
	for i := range n {
		slots <- struct{}{}
		if len(failed) > 0 || ctx.Err() != nil {
			<-slots
			break
		}
		flying.Go(func() {
			defer func() { <-slots }()
			if err := work(ctx, i); err != nil {
				failed <- err
			}
		})
	}
	flying.Wait()
	select {
	case err := <-failed:
		return err
	default:
		return ctx.Err()
	}
}

// judged scores an answer and says what of it is low. An answer of which nothing is low stays with both: the diagnosis will say that
// there is no fault.
func (j CauseJudge) judged(ctx context.Context, corpus *rag.Corpus, c *causes.LabCase) error {
	var err error
	if c.Result.Scores, err = j.Score(ctx, corpus, c.Question, *c.Result.Answer); err != nil {
		return err
	}
	low := func(metric string) bool {
		v, ok := c.Result.Value(metric)
		return ok && v <= j.LowScore
	}
	switch correctness, trust := low("correctness"), low("trust"); {
	case correctness == trust:
		c.Corner = causes.BothLow
	case correctness:
		c.Corner = causes.CorrectnessLow
	default:
		c.Corner = causes.TrustLow
	}
	return nil
}

// storedAnswers is a real system whose generator is scripted: everything is judged and searched in earnest, and the answers are those
// that somebody stored.
type storedAnswers struct {
	causes.Lab
	writes *harnessLab
}

// Generate implements [causes.Lab].
func (s storedAnswers) Generate(ctx context.Context, q experiments.Question, contexts []rag.Hit, swap causes.Swap, trial int) (answer,
	raw string, err error) {
	return s.writes.Generate(ctx, q, contexts, swap, trial)
}

// Config implements [causes.Lab].
func (s storedAnswers) Config() rag.Config { return s.writes.config }

// Can implements [causes.Lab]: prompt and model can be replaced, since the generator is scripted.
func (s storedAnswers) Can() causes.LabPowers {
	can := s.Lab.Can()
	can.Contexts, can.Prompt, can.Model, can.Raw = true, true, true, true
	return can
}

// Labels implements [causes.EvidenceLab] where the system does.
func (s storedAnswers) Labels(q experiments.Question) []causes.EvidenceLabel {
	if l, ok := s.Lab.(interface {
		Labels(q experiments.Question) []causes.EvidenceLabel
	}); ok {
		return l.Labels(q)
	}
	return nil
}

// answered is the run's answer to a question, as the procedure gets it.
func (l *harnessLab) answered(ctx context.Context, item *harnessItem, ideal bool) (causes.LabCase, error) {
	c := causes.LabCase{Question: item.question, Corner: causes.CorrectnessLow}
	config := l.config
	found := rag.Retrieval{Query: itemQuery(&config, item)}
	if ideal {
		for i, s := range item.needs {
			found.Hits = append(found.Hits, rag.Hit{Span: s, Score: 1 / float64(i+1), Text: l.ground.corpus.Text(s)})
		}
	} else {
		var err error
		if found.Hits, err = l.Retrieve(ctx, item.question, nil); err != nil {
			return c, err
		}
	}
	answer, raw := l.generator.write(item, found.Hits, l.ground.suffices(found.Hits, item), causes.Swap{}, 0)
	generation := rag.Generation{Text: answer}
	if raw != answer {
		generation.Raw = raw
	}
	value := 1.0
	if item.agrees(answer) {
		value = 5
	}
	c.Result = experiments.Result{
		QuestionID: item.question.ID, Answer: &rag.Answer{Retrieval: found, Generation: generation},
		Scores: []metrics.Score{{Metric: "correctness", State: metrics.Scored, Value: value},
			{Metric: "trust", State: metrics.Scored, Value: 5}},
	}
	return c, nil
}

// appliedTrials are the fresh answers by which an applied repair is judged, numbered from a number that no procedure reaches.
const appliedTrials, appliedFrom = 9, 100_000

// try applies the repairs that a diagnosis names to the system and counts whether most fresh answers are right in truth.
func (t *RepairTally) try(ctx context.Context, lab *harnessLab, c causes.LabCase, d causes.Diagnosis) error {
	var changes []causes.Change
	var swap causes.Swap
	raw, named := false, false
	for _, r := range d.Repairs {
		switch r.Param {
		case "", "corpus", "reference", "question":
			continue // texts, not parameters: there is nothing that the program could apply
		case "generate.prompt":
			swap.Prompt = true
		case "generate.model":
			swap.Model = true
		case "post_process":
			raw = true
		default:
			changes = append(changes, causes.Change{Param: r.Param, Value: r.To})
		}
		named = true
	}
	if !named {
		return nil
	}
	contexts := c.Result.Answer.Hits
	if len(changes) > 0 {
		var err error
		if contexts, err = lab.Retrieve(ctx, c.Question, changes); err != nil {
			return err
		}
	}
	item := lab.items[c.Question.ID]
	complete, right := lab.ground.suffices(contexts, item), 0
	for n := range appliedTrials {
		answer, whole := lab.generator.write(item, contexts, complete, swap, appliedFrom+n)
		if raw {
			answer = whole
		}
		right += counted(item.agrees(answer))
	}
	t.Named++
	t.Restored += counted(2*right > appliedTrials)
	return nil
}
