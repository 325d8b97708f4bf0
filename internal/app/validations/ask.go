package validations

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// deletionVotes is how many votes decide on each sentence of an ideal context (science.md 2.1).
const deletionVotes = 3

// examination asks a judge what its validation needs.
type examination struct {
	workbench   *app.Workbench
	judge       metrics.JudgeConfig
	info        llm.Info
	setup       experiments.Setup
	providers   rag.Providers
	stages      *app.Memory // replies read once; what was bought is in the ledger
	concurrency int
	runID       string
	stop        <-chan struct{}
	guess       bool // a plan: replies are stand-ins
	tell        func(stage string, done, total int)

	mu     sync.Mutex
	suites map[string]*metrics.Suite // by metrics, joined
}

// examine asks everything and makes the card.
func (e *examination) examine(ctx context.Context, m material, v Validation) (validation.JudgeCard, error) {
	card := validation.JudgeCard{
		Judge: e.judge.String(), PromptVersion: e.judge.PromptVersion(), MeasuredAt: e.workbench.Options.Now().
			UTC(), Offline: e.setup.Offline,
		Deterministic: e.info.Deterministic, Source: describe(v, m), Items: len(m.items), Replicates: v.Replicates,
		Protocols: map[string]validation.Protocol{}, Datasets: []validation.DatasetScore{},
	}
	if err := e.protocols(ctx, &card, m.items, v); err != nil {
		return card, err
	}
	for _, set := range m.sets {
		score, err := e.labelled(ctx, set)
		if err != nil {
			return card, err
		}
		card.Datasets = append(card.Datasets, score)
	}
	card.Settle()
	return card, nil
}

func (e *examination) protocols(ctx context.Context, card *validation.JudgeCard, items []validation.JudgeItem, v Validation) error {
	if len(v.Protocols) == 0 || len(items) == 0 {
		return nil
	}
	wants := func(id string) bool { return slices.Contains(v.Protocols, id) }
	var built, why []map[validation.Condition]string
	if wants("J1") || wants("J4") {
		var err error
		if built, why, err = e.deletions(ctx, items); err != nil {
			return err
		}
	}
	bands := validation.Assemble(items, built, why)
	for _, p := range []struct {
		id     string
		ask    []validation.Judgement
		result func(validation.Judged) validation.Protocol
	}{
		{"J1", validation.BandJudgements(bands, v.Replicates),
			func(j validation.Judged) validation.Protocol { return validation.Bands(bands, v.Replicates, j) }},
		{"J2", validation.PairJudgements(items), func(j validation.Judged) validation.Protocol { return validation.Pairs(items, j) }},
		{"J4", validation.RepeatJudgements(bands), func(j validation.Judged) validation.Protocol { return validation.Repeats(bands, j) }},
		{"J6", validation.BiasJudgements(bands), func(j validation.Judged) validation.Protocol { return validation.Biases(bands, j) }},
		{"J7", validation.AttackJudgements(bands), func(j validation.Judged) validation.Protocol { return validation.Attacks(bands, j) }},
	} {
		if !wants(p.id) {
			continue
		}
		judged, err := e.ask(ctx, p.id, p.ask)
		if err != nil {
			return err
		}
		protocol := p.result(judged)
		protocol.MeasuredAt = card.MeasuredAt
		card.Protocols[p.id] = protocol
	}
	return nil
}

// ask scores judgements, equal ones once.
func (e *examination) ask(ctx context.Context, stage string, list []validation.Judgement) (validation.Judged, error) {
	byKey := map[string]validation.Judgement{}
	var order []string
	for _, j := range list {
		known, ok := byKey[j.Key()]
		if !ok {
			order = append(order, j.Key())
			known = j
			known.Metrics = nil
		}
		for _, metric := range j.Metrics {
			if !slices.Contains(known.Metrics, metric) {
				known.Metrics = append(known.Metrics, metric)
			}
		}
		byKey[j.Key()] = known
	}
	judged := validation.Judged{}
	var mu sync.Mutex
	err := e.each(ctx, stage, len(order), func(ctx context.Context, i int) error {
		j := byKey[order[i]]
		suite, err := e.suite(j.Metrics...)
		if err != nil {
			return err
		}
		scores, err := suite.Score(e.scoped(ctx, j.Sample.QuestionID, j.Replicate), j.Sample)
		if err != nil {
			return err
		}
		values := map[string]float64{}
		for _, s := range scores {
			if s.State == metrics.Scored {
				values[s.Metric] = s.Value
			}
		}
		mu.Lock()
		judged[j.Key()] = values
		mu.Unlock()
		return nil
	})
	return judged, err
}

func (e *examination) scoped(ctx context.Context, question string, replicate int) context.Context {
	return llm.WithScope(ctx, llm.Scope{RunID: e.runID, QuestionID: question, Stage: "judge", Replicate: replicate})
}

// each works n things, several at a time. After the first error, and when somebody asks for it, nothing further is begun and what
// is in flight is brought to its end, because it is paid for. It returns the first error.
func (e *examination) each(ctx context.Context, stage string, n int, work func(ctx context.Context, i int) error) error {
	slots := make(chan struct{}, max(1, e.concurrency))
	var flying sync.WaitGroup
	var mu sync.Mutex
	var first error
	done := 0
	fail := func(err error) bool {
		mu.Lock()
		defer mu.Unlock()
		if first == nil {
			first = err
		}
		return first != nil
	}
	for i := range n {
		select {
		case <-e.stop:
			fail(app.ErrStopAsked)
		case <-ctx.Done():
			fail(ctx.Err())
		case slots <- struct{}{}:
		}
		if fail(nil) {
			break
		}
		flying.Go(func() {
			defer func() { <-slots }()
			if fail(work(ctx, i)) {
				return
			}
			mu.Lock()
			defer mu.Unlock()
			if done++; e.tell != nil {
				e.tell(stage, done, n)
			}
		})
	}
	flying.Wait()
	return first
}

// suite is the suite of some metrics, made once.
func (e *examination) suite(names ...string) (*metrics.Suite, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	key := strings.Join(names, " ")
	if s, ok := e.suites[key]; ok {
		return s, nil
	}
	specs, err := metrics.Resolve(names)
	if err != nil {
		return nil, err
	}
	s, err := metrics.NewSuite(specs, e.judge, e.providers, e.stages)
	if err == nil {
		e.suites[key] = s
	}
	return s, err
}

// deletions builds the contexts that need the judge: missing, half and contradicting, or why there are none.
func (e *examination) deletions(ctx context.Context, items []validation.JudgeItem) (built,
	why []map[validation.Condition]string, err error) {
	built, why = make([]map[validation.Condition]string, len(items)), make([]map[validation.Condition]string, len(items))
	err = e.each(ctx, "deletion", len(items), func(ctx context.Context, i int) error {
		var err error
		built[i], why[i], err = e.deletion(ctx, items[i])
		return err
	})
	return built, why, err
}

// deletion removes every sentence on which, by any vote, a key claim of the answer rests, and then checks that what is left holds
// no key claim.
func (e *examination) deletion(ctx context.Context, item validation.JudgeItem) (built, why map[validation.Condition]string, err error) {
	built, why = map[validation.Condition]string{}, map[validation.Condition]string{}
	lost := func(reason string, conditions ...validation.Condition) {
		for _, c := range conditions {
			why[c] = reason
		}
	}
	all := []validation.Condition{validation.MissingContext, validation.HalfContext, validation.ContradictingContext}
	sample := metrics.Sample{QuestionID: item.ID, Question: item.Question, Lang: item.Lang, Reference: item.Answer, Answerable: true}
	d, claims, err := e.votes(ctx, sample, item.Ideal)
	switch {
	case err != nil && (ctx.Err() != nil || llm.Fatal(err) || llm.CauseOf(err) == "internal"):
		return built, why, err
	case err != nil:
		lost("the judge failed: "+llm.CauseOf(err), all...)
		return built, why, nil
	case len(claims) == 0:
		lost("the judge finds no claim in the answer", all...)
		return built, why, nil
	}
	missing, removed := d.Without(len(claims))
	switch {
	case removed == 0:
		lost("no sentence was found to hold a key claim", all...)
		return built, why, nil
	case missing == "":
		lost("nothing is left after the deletion", validation.MissingContext)
	default:
		held, err := e.holds(ctx, sample, claims, missing)
		if err != nil {
			return built, why, err
		}
		if held {
			lost("what is left still holds a key claim", validation.MissingContext)
		} else {
			built[validation.MissingContext] = missing
		}
	}
	half, _ := d.Without(len(claims) / 2)
	if len(claims) < 2 || half == missing || half == "" || half == strings.Join(d.Sentences, "\n") {
		lost("the key claims cannot be halved", validation.HalfContext)
	} else {
		built[validation.HalfContext] = half
	}
	if other, ok := d.Contradicting(item.Lang); ok {
		built[validation.ContradictingContext] = other
	} else {
		lost("a sentence could not be turned into its contrary", validation.ContradictingContext)
	}
	return built, why, nil
}

// votes asks on which sentences of a context each key claim of the reference rests: the judge in three perturbed replicates, and
// the offline judge besides, which costs nothing and errs elsewhere.
func (e *examination) votes(ctx context.Context, sample metrics.Sample, context string) (validation.Deletion, []string, error) {
	d := validation.Deletion{Sentences: validation.SentencesOf(context)}
	suite, err := e.suite("context_recall")
	if err != nil {
		return d, nil, err
	}
	claims, err := suite.KeyClaims(e.scoped(ctx, sample.QuestionID, 0), sample)
	if err != nil {
		return d, nil, err
	}
	d.Entails = make([][]bool, len(claims))
	for i := range d.Entails {
		d.Entails[i] = make([]bool, len(d.Sentences))
	}
	vote := func(suite *metrics.Suite, replicate int) error {
		verdicts, err := suite.Verdicts(e.scoped(ctx, sample.QuestionID, replicate), sample, claims, d.Sentences)
		for i, row := range verdicts {
			for k, verdict := range row {
				d.Entails[i][k] = d.Entails[i][k] || verdict == "supported" || e.guess && !e.info.Free && k%3 == 0
			}
		}
		return err
	}
	for r := range deletionVotes {
		if err := vote(suite, r); err != nil {
			return d, nil, err
		}
	}
	if e.setup.Offline {
		return d, claims, nil
	}
	second, err := e.lexical()
	if err == nil {
		err = vote(second, 0)
	}
	return d, claims, err
}

// lexical is the offline judge as a second voice.
func (e *examination) lexical() (*metrics.Suite, error) {
	specs, err := metrics.Resolve([]string{"context_recall"})
	if err != nil {
		return nil, err
	}
	return metrics.NewSuite(specs, metrics.DefaultJudge(), e.workbench.Providers, e.stages)
}

// holds reports whether any of three votes says that a text holds one of the claims. A judge that fails here has not shown that
// it does not.
func (e *examination) holds(ctx context.Context, sample metrics.Sample, claims []string, left string) (bool, error) {
	suite, err := e.suite("context_recall")
	if err != nil {
		return false, err
	}
	for r := range deletionVotes {
		verdicts, err := suite.Verdicts(e.scoped(ctx, sample.QuestionID, r), sample, claims, []string{left})
		if err != nil {
			if ctx.Err() != nil || llm.Fatal(err) || llm.CauseOf(err) == "internal" {
				return true, err
			}
			return true, nil
		}
		for _, row := range verdicts {
			if slices.Contains(row, "supported") {
				return true, nil
			}
		}
	}
	return false, nil
}

// labelled measures the judge on a labelled set.
func (e *examination) labelled(ctx context.Context, set validation.LabelledSet) (validation.DatasetScore, error) {
	if set.Kind != "entailment" {
		judged, err := e.ask(ctx, set.Name, validation.LabelledJudgements(set))
		return validation.Agreement(set, judged, nil), err
	}
	verdicts := map[string]string{}
	suite, err := e.suite("context_recall")
	if err != nil {
		return validation.DatasetScore{}, err
	}
	var mu sync.Mutex
	err = e.each(ctx, set.Name, len(set.Items), func(ctx context.Context, i int) error {
		item := set.Items[i]
		sample := metrics.Sample{QuestionID: fmt.Sprintf("%s/%s", set.Name, item.ID), Lang: langOf("", item.Hypothesis)}
		rows, err := suite.Verdicts(e.scoped(ctx, sample.QuestionID, 0), sample, []string{item.Hypothesis}, []string{item.Premise})
		if err != nil {
			if ctx.Err() != nil || llm.Fatal(err) || llm.CauseOf(err) == "internal" {
				return err
			}
			return nil // lost
		}
		mu.Lock()
		verdicts[item.ID] = rows[0][0]
		mu.Unlock()
		return nil
	})
	return validation.Agreement(set, nil, verdicts), err
}
