package views

import (
	"context"
	"strings"
	"unicode"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// AnswerDetail is one question of a run with everything that its scores rest on.
type AnswerDetail struct {
	RunID       string                      `json:"run_id"`
	State       experiments.RunState        `json:"state"` // of the run
	Threshold   float64                     `json:"threshold"`
	Offline     bool                        `json:"offline"`
	Row         QuestionRow                 `json:"row"`
	Question    experiments.Question        `json:"question"`
	Result      experiments.Result          `json:"result"` // the first vote, contexts with their texts
	Votes       []experiments.Result        `json:"votes"`  // all votes, the first included
	Contexts    []ContextDetail             `json:"contexts"`
	Claims      []ClaimDetail               `json:"claims"` // of the answer
	Explanation metrics.Explanation         `json:"explanation"`
	Diagnosis   *causes.Diagnosis           `json:"diagnosis,omitempty"` // why it is low, where that was looked for
	Labels      *experiments.QuestionLabels `json:"labels,omitempty"`    // category, theme and keywords, where the questions were analysed
	ThemeName   *listing.Word               `json:"theme_name,omitempty"`
	Baseline    *AnswerDetail               `json:"baseline,omitempty"` // the same question in the baseline, where one was named
}

// ContextDetail is one retrieved chunk with what is marked in it.
type ContextDetail struct {
	Rank     int     `json:"rank"` // 1 is best
	rag.Span         // its place in the corpus
	Title    string  `json:"title,omitempty"`  // of the document
	Source   string  `json:"source,omitempty"` // address or file of the document
	Score    float64 `json:"score"`
	Text     string  `json:"text"`
	Marks    []Mark  `json:"marks"`    // quotes that the judge found in it
	Evidence []Mark  `json:"evidence"` // the parts that hold marked evidence of the question
}

// Mark is a part of a text, in Unicode code points from its beginning.
type Mark struct {
	Start   int    `json:"start"`
	End     int    `json:"end"`
	Claim   int    `json:"claim,omitempty"`   // number of the claim that the quote is about
	Of      string `json:"of,omitempty"`      // whose claim: "answer" or "reference"
	Verdict string `json:"verdict,omitempty"` // "supported" or "contradicted"
}

// ClaimDetail is one claim of the answer with what supports it.
type ClaimDetail struct {
	Number    int    `json:"number"`
	Text      string `json:"text"`
	Place     *Mark  `json:"place,omitempty"`     // where it stands in the answer; absent where the judge put it in other words
	Supported bool   `json:"supported"`           // by some context
	Contexts  []int  `json:"contexts"`            // ranks of the contexts that support it
	Reference string `json:"reference,omitempty"` // what the reference says of it: supported, contradicted or neither
}

// Answer returns one question of a run; baseline, which may be "", names a run whose answer is put beside it.
func (v *runViews) Answer(ctx context.Context, name, question, baseline string) (AnswerDetail, error) {
	run, err := v.find(ctx, name)
	if err != nil {
		return AnswerDetail{}, err
	}
	d, err := v.answer(ctx, run, question)
	if err != nil || baseline == "" {
		return d, err
	}
	c, err := v.comparison(ctx, baseline, run.ID)
	if err != nil {
		return d, err
	}
	other, err := v.answer(ctx, c.Comparison.Baseline, c.inBaseline(question))
	if err == nil {
		d.Baseline = &other
	}
	return d, ignoreNotFound(err)
}

func (v *runViews) answer(ctx context.Context, run experiments.Run, question string) (AnswerDetail, error) {
	l, err := v.evaluation(ctx, run)
	if err != nil {
		return AnswerDetail{}, err
	}
	at, ok := l.first[question]
	if !ok {
		return AnswerDetail{}, noQuestion(question, run)
	}
	d := AnswerDetail{
		RunID: run.ID, State: run.State, Threshold: run.Setup.LowScore, Offline: run.Setup.ByOffline(), Question: l.Questions[at],
		Result: l.Results[at],
		Row:    l.row(l.Questions[at], l.standing[question]),
		Votes:  []experiments.Result{}, Contexts: []ContextDetail{}, Claims: []ClaimDetail{},
	}
	for _, r := range l.Results {
		if r.QuestionID == question {
			d.Votes = append(d.Votes, r)
		}
	}
	if found, ok := l.known.diagnoses[question]; ok {
		d.Diagnosis = &found
	}
	if labels, ok := l.known.labels[question]; ok {
		d.Labels, d.ThemeName = &labels, l.known.theme(labels.Theme)
	}
	if d.Explanation, err = app.Explain(ctx, v.w, d.Result.Scores); err != nil {
		return d, err
	}
	if d.Result.Answer == nil && d.Result.Retrieved == nil {
		return d, nil
	}
	corpus, err := v.corpusOf(ctx, run.Setup)
	if err != nil {
		return d, err
	}
	d.mark(corpus)
	return d, nil
}

// hits are the contexts of the answer, or of a question that failed what was retrieved all the same.
func (d *AnswerDetail) hits() []rag.Hit {
	if d.Result.Answer == nil {
		return d.Result.Retrieved.Hits
	}
	return d.Result.Answer.Hits
}

// mark finds the quotes, the evidence and the claims in the texts.
func (d *AnswerDetail) mark(corpus *rag.Corpus) {
	var evidence []rag.Span
	if corpus != nil {
		evidence = d.Question.EvidenceIn(corpus)
	}
	for i, h := range d.hits() {
		c := ContextDetail{Rank: i + 1, Span: h.Span, Score: h.Score, Text: h.Text, Marks: []Mark{}, Evidence: []Mark{}}
		if corpus != nil {
			if doc, ok := corpus.Document(h.DocID); ok {
				c.Title, c.Source = doc.Title, doc.Source
			}
		}
		for _, e := range evidence {
			if h.Overlap(e) > 0 {
				c.Evidence = append(c.Evidence, Mark{Start: max(e.Start, h.Start) - h.Start, End: min(e.End, h.End) - h.Start})
			}
		}
		d.Contexts = append(d.Contexts, c)
	}
	for _, claim := range d.Explanation.Claims {
		for _, verdict := range claim.Verdicts {
			if verdict.Against != "context" || verdict.Quote == "" || verdict.Context > len(d.Contexts) {
				continue
			}
			c := &d.Contexts[verdict.Context-1]
			if m := find(c.Text, verdict.Quote); m != nil {
				m.Claim, m.Of, m.Verdict = claim.Number, claim.Of, verdict.Verdict
				c.Marks = append(c.Marks, *m)
			}
		}
		if claim.Of == "answer" && d.Result.Answer != nil {
			d.Claims = append(d.Claims, claimDetail(claim, d.Result.Answer.Text))
		}
	}
}

func claimDetail(claim metrics.ExplainedClaim, answer string) ClaimDetail {
	c := ClaimDetail{Number: claim.Number, Text: claim.Text, Place: find(answer, claim.Text), Contexts: []int{}}
	for _, v := range claim.Verdicts {
		switch {
		case v.Against == "context" && v.Verdict == "supported":
			c.Supported = true
			c.Contexts = append(c.Contexts, v.Context)
		case v.Against == "reference":
			c.Reference = v.Verdict
		}
	}
	return c
}

// find returns where part stands in s, without regard to case and white space; nil when it does not.
func find(s, part string) *Mark {
	whole, places := squeezed(s)
	wanted, _ := squeezed(part)
	if len(wanted) == 0 {
		return nil
	}
	at := strings.Index(string(whole), string(wanted))
	if at < 0 {
		return nil
	}
	first := len([]rune(string(whole)[:at]))
	return &Mark{Start: places[first], End: places[first+len(wanted)-1] + 1}
}

// squeezed is s without white space and in lower case, with the place in s of each code point.
func squeezed(s string) (out []rune, places []int) {
	for i, r := range []rune(s) {
		if !unicode.IsSpace(r) {
			out, places = append(out, unicode.ToLower(r)), append(places, i)
		}
	}
	return out, places
}

// Past is what another run said to the same question.
type Past struct {
	Run         app.RunRow `json:"run"`
	Correctness *float64   `json:"correctness"` // null: not scored
	Trust       *float64   `json:"trust"`
	Low         bool       `json:"low"`
	Answer      string     `json:"answer"`
	Same        bool       `json:"same"` // word for word the answer of the run asked for
}

// pastRuns bounds the history of a question: further back nobody looks, and each run has to be read.
const pastRuns = 10

// History returns what the finished runs on the same dataset said to a question, the newest first. Runs of other sweeps than that
// of the run asked for are left out, since they are many and tell nothing about time.
func (v *runViews) History(ctx context.Context, name, question string) ([]Past, error) {
	run, err := v.find(ctx, name)
	if err != nil {
		return nil, err
	}
	own, err := v.answer(ctx, run, question)
	if err != nil {
		return nil, err
	}
	runs, err := v.w.Store.Runs(ctx, experiments.RunFilter{Dataset: run.Setup.Dataset.Name, State: experiments.Finished,
		Kind: experiments.KindEvaluate})
	if err != nil {
		return nil, err
	}
	baselines, err := v.baselines(ctx)
	if err != nil {
		return nil, err
	}
	out := []Past{}
	for _, r := range runs {
		if r.ParentID != "" || r.SweepID != run.SweepID && r.SweepID != "" && !baselines[r.ID] || len(out) == pastRuns {
			continue
		}
		p, ok, err := v.past(ctx, r, own)
		if err != nil {
			return nil, err
		}
		if p.Run = app.RunRowOf(r, baselines); ok {
			out = append(out, p)
		}
	}
	return out, nil
}

// past reads one question of a run.
func (v *runViews) past(ctx context.Context, run experiments.Run, own AnswerDetail) (Past, bool, error) {
	reading := context.WithoutCancel(ctx)
	all, err := v.pasts.Get(run.ID+" "+run.Chain, v.w.Options.Now(), func() (map[string]Past, error) { return v.readPasts(reading, run) })
	if err != nil {
		return Past{}, false, err
	}
	p, ok := all[own.Question.ID]
	p.Same = own.Result.Answer != nil && own.Result.Answer.Text == p.Answer
	return p, ok, nil
}

// readPasts reads what a run said to every question: the store has no smaller question to ask.
func (v *runViews) readPasts(ctx context.Context, run experiments.Run) (map[string]Past, error) {
	results, err := v.w.Store.Results(ctx, run.ID)
	if err != nil {
		return nil, err
	}
	out := make(map[string]Past, len(results))
	standing, _ := experiments.Standing(results)
	for _, r := range standing {
		p := Past{Low: r.Low(run.Setup.LowRule())}
		if c, ok := r.Value("correctness"); ok {
			p.Correctness = &c
		}
		if t, ok := r.Value("trust"); ok {
			p.Trust = &t
		}
		if r.Answer != nil {
			p.Answer = r.Answer.Text
		}
		out[r.QuestionID] = p
	}
	return out, nil
}

// ignoreNotFound is err, or nil where something is only not there.
func ignoreNotFound(err error) error {
	if problem.Is(err, problem.NotFound) {
		return nil
	}
	return err
}
