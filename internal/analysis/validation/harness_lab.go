package validation

import (
	"context"
	"fmt"
	"sync"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
)

// harnessLab is a system taken apart whose retrieval is real and whose generator and judge are scripted. It implements [causes.Lab] and
// shares no number with the procedure that is tested on it.
type harnessLab struct {
	ground    *harnessGround
	config    rag.Config
	items     map[string]*harnessItem
	generator harnessWriter
	judge     harnessJudge
	recall    float64 // share of the places that decide a claim which the search for evidence finds at all

	mu    sync.Mutex
	asked map[string]int // calls by question
}

// scienceRecall is how often the search for evidence finds a place that is there (science.md 9), on top of what the real search
// misses.
const scienceRecall = .98

func newHarnessLab(ground *harnessGround, config rag.Config, items []*harnessItem, seed uint64, flip float64) *harnessLab {
	lab := &harnessLab{
		ground: ground, config: config, items: map[string]*harnessItem{}, recall: scienceRecall, asked: map[string]int{},
		generator: harnessWriter{seed: seed, rates: scienceRates, config: config}, judge: harnessJudge{seed: seed, flip: flip},
	}
	for _, i := range items {
		lab.items[i.question.ID] = i
	}
	return lab
}

// calls is how many calls of models were asked for about a question so far.
func (l *harnessLab) calls(questionID string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.asked[questionID]
}

func (l *harnessLab) ask(item *harnessItem, calls int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.asked[item.question.ID] += calls
}

func (l *harnessLab) item(q experiments.Question) (*harnessItem, error) {
	if i, ok := l.items[q.ID]; ok {
		return i, nil
	}
	return nil, fmt.Errorf("the harness has no question %q", q.ID)
}

// Config implements [causes.Lab].
func (l *harnessLab) Config() rag.Config { return l.config }

// Can implements [causes.Lab]: everything can be replaced.
func (l *harnessLab) Can() causes.LabPowers {
	return causes.LabPowers{Corpus: true, Retrieval: true, K: true, Contexts: true, Prompt: true, Model: true, Raw: true}
}

// Pass implements [causes.Lab] with one call.
func (l *harnessLab) Pass(_ context.Context, c causes.LabCase, answer string, _ []rag.Hit, vote int) (bool, error) {
	item, err := l.item(c.Question)
	if err != nil {
		return false, err
	}
	l.ask(item, 1)
	return l.judge.pass(item, answer, vote), nil
}

// Claims implements [causes.Lab] with one call, which never errs.
func (l *harnessLab) Claims(_ context.Context, q experiments.Question) ([]string, error) {
	item, err := l.item(q)
	if err != nil {
		return nil, err
	}
	l.ask(item, 1)
	claims := make([]string, len(item.claims))
	for i, c := range item.claims {
		claims[i] = c.text
	}
	return claims, nil
}

// Candidates implements [causes.Lab] by a real search, which takes no calls. A place that decides the claim is overlooked with the
// probability of the recipe.
func (l *harnessLab) Candidates(ctx context.Context, q experiments.Question, claim string) ([]causes.Window, error) {
	item, err := l.item(q)
	if err != nil {
		return nil, err
	}
	all, err := l.ground.candidates(ctx, claim)
	if err != nil {
		return nil, err
	}
	truth := item.claimOf(claim)
	out := make([]causes.Window, 0, len(all))
	for _, w := range all {
		decides := truth.verdict(w).Verdict != "neutral"
		if decides && chance(l.judge.seed, "overlooked", item.question.ID, claim, w.Span) >= l.recall {
			continue
		}
		out = append(out, w)
	}
	return out, nil
}

// Supports implements [causes.Lab] with a call for every ten windows.
func (l *harnessLab) Supports(_ context.Context, q experiments.Question, claim string, windows []causes.Window,
	vote int) ([]causes.WindowVerdict, error) {
	item, err := l.item(q)
	if err != nil {
		return nil, err
	}
	verdicts, calls := l.judge.supports(item, claim, windows, vote)
	l.ask(item, calls)
	return verdicts, nil
}

// Clear implements [causes.Lab] with two calls: two readings that are compared.
func (l *harnessLab) Clear(_ context.Context, q experiments.Question, vote int) (plain bool, why string, err error) {
	item, err := l.item(q)
	if err != nil {
		return false, "", err
	}
	l.ask(item, 2)
	if l.judge.clear(item, vote) {
		return true, "", nil
	}
	return false, "it does not say of what", nil
}

// Retrieve implements [causes.Lab] by the real retrieval of the changed configuration. The rewriter "damage" drops what the question is
// about.
func (l *harnessLab) Retrieve(ctx context.Context, q experiments.Question, changes []causes.Change) ([]rag.Hit, error) {
	item, err := l.item(q)
	if err != nil {
		return nil, err
	}
	c, err := changed(l.config, changes)
	if err != nil {
		return nil, err
	}
	found, err := l.ground.retrieve(ctx, itemQuery(&c, item), c)
	return found.Hits, err
}

// itemQuery is what is searched for, and takes a rewriter that is scripted out of the configuration.
func itemQuery(c *rag.Config, item *harnessItem) string {
	if c.Rewrite.Mode == "damage" && item.query != "" {
		c.Rewrite.Mode = "none"
		return item.query
	}
	return item.question.Text
}

// Generate implements [causes.Lab] with one call.
func (l *harnessLab) Generate(_ context.Context, q experiments.Question, contexts []rag.Hit, swap causes.Swap, trial int) (answer,
	raw string, err error) {
	item, err := l.item(q)
	if err != nil {
		return "", "", err
	}
	l.ask(item, 1)
	answer, raw = l.generator.write(item, contexts, l.ground.suffices(contexts, item), swap, trial)
	return answer, raw, nil
}

// Labels implements [causes.EvidenceLab] for the questions whose evidence was labelled in an earlier version of the corpus.
func (l *harnessLab) Labels(q experiments.Question) []causes.EvidenceLabel {
	corpus := l.ground.corpus
	var out []causes.EvidenceLabel
	for i, now := range q.EvidenceIn(corpus) {
		label := causes.EvidenceLabel{Now: now, Quote: q.Evidence[i].Quote, Found: now.DocID != ""}
		if !label.Found {
			label.Now = corpus.Locate(q.Evidence[i].Span)
			label.Instead = corpus.Text(label.Now)
		}
		out = append(out, label)
	}
	return out
}
