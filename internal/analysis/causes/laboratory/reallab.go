// Package laboratory takes real systems apart for the diagnosis of causes: the built-in pipeline, an endpoint as far as its template
// allows, a log. It asks the judge what package causes wants to know, stands in for it offline, reads causes from a log alone, tries
// repairs on answers, and hands all of that to a run as its analyst.
//
// Which question comes next, and what follows from a reply, is decided in package causes, which knows a system only as a Lab.
package laboratory

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// LabOptions are what a lab takes a system apart with.
type LabOptions struct {
	Evaluation experiments.Evaluation // the run that is diagnosed; its setup says which system, judge and threshold
	Corpus     *rag.Corpus            // nil where the system keeps its documents to itself
	Providers  rag.Providers
	Indexes    *rag.Indexes
	Stages     rag.Stages
	Reference  *rag.Model  // the generator that stands in for a good one; nil takes [causes.DefaultReference]
	Embedders  []rag.Model // further embedders, to search evidence with and to retrieve with instead
}

// RealLab is a [causes.Lab] over the system of a run: the built-in pipeline, an endpoint as far as its template allows, or a log, of which
// nothing can be replaced. Close it when done.
type RealLab struct {
	options   LabOptions
	setup     experiments.Setup
	configs   causes.Configs
	reference *rag.Model
	judge     *causeJudge
	suites    map[causes.Corner]*metrics.Suite
	search    *evidenceSearch // nil without a corpus
	systems   *labSystems
	writer    *labWriter // of the built-in pipeline
	outside   *labOutside
}

// NewLab takes the system of a run apart. It opens nothing yet: indexes are built when something is first retrieved.
func NewLab(_ context.Context, o LabOptions) (*RealLab, error) {
	setup := o.Evaluation.Run.Setup
	l := &RealLab{options: o, setup: setup, configs: causes.Configs{Base: setup.Config}, reference: o.Reference,
		suites: map[causes.Corner]*metrics.Suite{}}
	if l.reference == nil {
		l.reference = causes.DefaultReference(l.setup.Config)
	}
	var err error
	if l.judge, err = openCauseJudge(l.setup.Judge.Model, o.Providers, o.Stages); err != nil {
		return nil, err
	}
	for corner, ids := range cornerMetrics {
		var specs []metrics.Spec
		for _, s := range l.setup.Suite {
			if slices.Contains(ids, s.ID) {
				specs = append(specs, s)
			}
		}
		if l.suites[corner], err = metrics.NewSuite(specs, l.setup.Judge, o.Providers, o.Stages); err != nil {
			return nil, err
		}
	}
	l.systems = newLabSystems(o)
	if o.Corpus != nil {
		l.search = newEvidenceSearch(o, l.setup.Config)
	}
	switch {
	case l.setup.Config.Endpoint != nil:
		l.outside = newLabOutside(l)
	case l.setup.Config.Log == nil:
		l.writer = newLabWriter(l)
	}
	return l, nil
}

// Close lets go of the indexes.
func (l *RealLab) Close() {
	l.systems.close()
	if l.search != nil {
		l.search.close()
	}
	if l.writer != nil {
		l.writer.close()
	}
}

// cornerMetrics are the metrics that decide whether an answer is still low.
var cornerMetrics = map[causes.Corner][]string{
	causes.BothLow: {"correctness", "trust"}, causes.CorrectnessLow: {"correctness"}, causes.TrustLow: {"trust"},
}

// Config implements [causes.Lab].
func (l *RealLab) Config() rag.Config { return l.setup.Config }

// Changed is [causes.ChangedConfig] of the run's configuration.
func (l *RealLab) Changed(changes []causes.Change) (rag.Config, error) {
	return l.configs.Changed(changes)
}

// Can implements [causes.Lab].
func (l *RealLab) Can() causes.LabPowers {
	c, corpus, same := l.setup.Config, l.options.Corpus != nil, l.judge.provider.Info().Deterministic
	switch {
	case c.Log != nil:
		return causes.LabPowers{Corpus: corpus, SameVerdicts: same}
	case c.Endpoint != nil:
		takes := c.Endpoint.TakesContexts() && corpus
		return causes.LabPowers{
			Corpus: corpus, Retrieval: takes, Contexts: takes, K: c.Endpoint.Accepts("retrieve.k"),
			Prompt:       c.Endpoint.Accepts("generate.prompt"),
			SameVerdicts: same,
		}
	}
	return causes.LabPowers{
		Corpus: true, Retrieval: true, K: true, Contexts: true, Prompt: true, Raw: true,
		Model: l.reference != nil && *l.reference != c.Generate.Model, SameVerdicts: same,
	}
}

// Rules are the default rules with the embedders and the reference model of this lab.
func (l *RealLab) Rules() causes.CauseRules {
	r := causes.DefaultCauseRules()
	r.Embedders, r.Reference = l.options.Embedders, l.reference
	return r
}

// Pass implements [causes.Lab] with the run's own judge and the metrics that were low.
func (l *RealLab) Pass(ctx context.Context, c causes.LabCase, answer string, contexts []rag.Hit, vote int) (bool, error) {
	scope := llm.ScopeOf(ctx)
	scope.Replicate = l.judge.replicate(vote)
	suite, ok := l.suites[c.Corner]
	if !ok {
		return false, fmt.Errorf("question %s is not low in any corner", c.Question.ID)
	}
	generated := rag.Answer{Retrieval: rag.Retrieval{Query: c.Question.Text, Hits: contexts}, Generation: rag.Generation{Text: answer}}
	scores, err := suite.Score(llm.WithScope(ctx, scope), c.Question.Sample(l.options.Corpus, generated))
	if err != nil {
		return false, err
	}
	pass := len(scores) > 0
	for _, s := range scores {
		switch s.State {
		case metrics.Scored:
			pass = pass && s.Value > l.setup.LowScore
		case metrics.NotApplicable:
			pass = pass && s.Reason == "no_reference"
		default:
			return false, &llm.Error{Cause: s.Reason,
				Message: fmt.Sprintf("%s of an answer to question %s could not be judged", s.Metric, c.Question.ID)}
		}
	}
	return pass, nil
}

// Claims implements [causes.Lab]: those of the run, where it listed them, else asked for once for each reference. A reference that is no
// sentence claims something only together with its question.
func (l *RealLab) Claims(ctx context.Context, q experiments.Question) ([]string, error) {
	if r, ok := l.options.Evaluation.Result(q.ID); ok {
		known, err := metrics.Explain(ctx, l.options.Stages, r.Scores)
		if err != nil {
			return nil, err
		}
		var claims []string
		for _, c := range known.Claims {
			if c.Of == "reference" && c.Key {
				claims = append(claims, c.Text)
			}
		}
		if len(claims) > 0 {
			return causes.WholeClaims(q, claims), nil
		}
	}
	reply, err := askCause[causeClaimsReply](ctx, l.judge, PurposeCauseClaims, q.Lang,
		causeClaimsData{Question: q.Text, Reference: q.Reference}, 0)
	return causes.WholeClaims(q, reply.Claims), err
}

// Candidates implements [causes.Lab].
func (l *RealLab) Candidates(ctx context.Context, _ experiments.Question, claim string) ([]causes.Window, error) {
	return l.search.candidates(ctx, claim)
}

// Supports implements [causes.Lab]. A verdict is remembered by the words of claim and window, so that only windows that were not judged yet
// are asked about, in one call.
func (l *RealLab) Supports(ctx context.Context, q experiments.Question, claim string, windows []causes.Window,
	vote int) ([]causes.WindowVerdict, error) {
	out := make([]causes.WindowVerdict, len(windows))
	keys := make([]string, len(windows))
	var open []int
	var texts []string
	for i, w := range windows {
		keys[i] = rag.StageKey("cause_verdict", causeReplies, l.judge.provider.Info().Kind, l.judge.provider.Info().Origin, l.judge.model,
			q.Lang, q.Text, claim, w.Text, l.judge.replicate(vote))
		body, found, err := l.options.Stages.Stage(ctx, keys[i])
		if err != nil {
			return nil, err
		}
		if found {
			var kept causeEvidenceVerdict
			if err := json.Unmarshal(body, &kept); err != nil {
				return nil, fmt.Errorf("stored verdict %s: %w", keys[i], err)
			}
			out[i] = placedVerdict(kept, w)
			continue
		}
		open = append(open, i)
		texts = append(texts, w.Text)
	}
	if len(open) == 0 {
		return out, nil
	}
	traced, trace := llm.WithTrace(ctx)
	data := causeEvidenceData{Question: q.Text, Claim: claim, Passages: causePassages(texts)}
	reply, err := askCause[causeEvidenceReply](traced, l.judge, PurposeCauseEvidence, q.Lang, data, vote)
	if err != nil {
		return nil, err
	}
	for n, i := range open {
		said := causeEvidenceVerdict{Verdict: causes.Neutral}
		for _, v := range reply.Verdicts {
			if v.Passage == n+1 && (v.Verdict == causes.Entails || v.Verdict == causes.Contradicts) {
				said = causeEvidenceVerdict{Quote: v.Quote, Verdict: v.Verdict}
				break
			}
		}
		body, err := json.Marshal(said)
		if err != nil {
			return nil, err
		}
		if err := l.options.Stages.PutStage(ctx, rag.Stage{Key: keys[i], Kind: "cause_verdict", Body: body,
			Calls: trace.Calls()}); err != nil {
			return nil, err
		}
		out[i] = placedVerdict(said, windows[i])
	}
	return out, nil
}

// placedVerdict finds the quote in its window. Words that do not stand there decide nothing.
func placedVerdict(v causeEvidenceVerdict, w causes.Window) causes.WindowVerdict {
	if v.Verdict != causes.Entails && v.Verdict != causes.Contradicts {
		return causes.WindowVerdict{Verdict: causes.Neutral}
	}
	start, end, ok := findQuote(w.Text, v.Quote)
	if !ok {
		return causes.WindowVerdict{Verdict: causes.Neutral}
	}
	return causes.WindowVerdict{Verdict: v.Verdict, Quote: rag.Span{DocID: w.DocID, Start: w.Start + start, End: w.Start + end}}
}

// findQuote returns where a quote stands in a text, in code points, letter by letter but for white space.
func findQuote(s, quote string) (start, end int, ok bool) {
	want := []rune(strings.Join(strings.Fields(quote), ""))
	if len(want) == 0 {
		return 0, 0, false
	}
	var letters []rune
	var at []int
	for i, r := range []rune(s) {
		if !strings.ContainsRune(" \t\r\n\u3000\u00a0", r) {
			letters, at = append(letters, r), append(at, i)
		}
	}
	for i := 0; i+len(want) <= len(letters); i++ {
		if slices.Equal(letters[i:i+len(want)], want) {
			return at[i], at[i+len(want)-1] + 1, true
		}
	}
	return 0, 0, false
}

// Clear implements [causes.Lab]: two readings of the question by themselves. It is unclear, or answered by another reference, when both
// say so.
func (l *RealLab) Clear(ctx context.Context, q experiments.Question, vote int) (plain bool, why string, err error) {
	unclear, other := 0, 0
	for reading := range 2 {
		reply, err := askCause[causeQuestionReply](ctx, l.judge, PurposeCauseQuestion, q.Lang,
			causeClaimsData{Question: q.Text, Reference: q.Reference}, 2*vote+reading)
		if err != nil {
			return false, "", err
		}
		if !*reply.Clear {
			unclear++
		}
		if !*reply.ReferenceAnswers && q.Reference != "" {
			other++
		}
		if reply.Missing != "" {
			why = reply.Missing
		}
	}
	switch {
	case unclear == 2:
		return false, why, nil
	case other == 2:
		return false, causes.UnclearReference + ": " + why, nil
	}
	return true, "", nil
}

// Labels implements [causes.EvidenceLab]: the evidence that the dataset names, looked up in the corpus at hand.
func (l *RealLab) Labels(q experiments.Question) []causes.EvidenceLabel {
	out := make([]causes.EvidenceLabel, 0, len(q.Evidence))
	if l.options.Corpus == nil {
		for _, e := range q.Evidence {
			out = append(out, causes.EvidenceLabel{Now: e.Span, Quote: e.Quote, Found: true})
		}
		return out
	}
	for i, now := range q.EvidenceIn(l.options.Corpus) {
		label := causes.EvidenceLabel{Now: now, Quote: q.Evidence[i].Quote, Found: now.DocID != ""}
		switch {
		case !label.Found:
			label.Now, label.Instead = causes.MovedText(l.options.Corpus, l.options.Corpus.Locate(q.Evidence[i].Span), label.Quote, q.Text)
		case label.Quote == "":
			label.Quote = l.options.Corpus.Text(now)
			label.Found = label.Quote != ""
		}
		if label.Found {
			label.Around = l.Around(label.Now)
		}
		out = append(out, label)
	}
	return out
}

// Around implements [causes.PassageLab].
func (l *RealLab) Around(place rag.Span) causes.Window {
	if l.options.Corpus == nil {
		return causes.Window{}
	}
	return causes.AroundLabel(l.options.Corpus, place)
}

// Retrieve implements [causes.Lab].
func (l *RealLab) Retrieve(ctx context.Context, q experiments.Question, changes []causes.Change) ([]rag.Hit, error) {
	config, err := l.Changed(changes)
	if err != nil {
		return nil, err
	}
	if l.outside != nil {
		return l.outside.retrieve(ctx, q, config)
	}
	found, err := l.systems.retrieve(ctx, config, q.Text)
	return found.Hits, err
}

// Generate implements [causes.Lab].
func (l *RealLab) Generate(ctx context.Context, q experiments.Question, contexts []rag.Hit, swap causes.Swap, trial int) (answer,
	raw string, err error) {
	if l.outside != nil {
		return l.outside.generate(ctx, q, contexts, swap, trial)
	}
	if l.writer == nil {
		return "", "", errors.New("a log of answers cannot be asked again")
	}
	return l.writer.write(ctx, q, contexts, swap, trial)
}
