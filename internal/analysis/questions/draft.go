package questions

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/stats"
	"github.com/rag-workbench/workbench/internal/text"
)

// DraftRules say what questions are drafted from a corpus.
type DraftRules struct {
	N        int    // questions wanted, a quarter of each category
	Seed     uint64 // which passages
	InFlight int    // calls at a time; 0 is 1
	Stop     <-chan struct{}
}

// The sizes of drafting. Passages are what a reader takes in at once; rounds bound what is asked in vain.
const (
	draftLeastChars = 80
	draftMostChars  = 1500
	draftRounds     = 3
)

// errDraftStopped ends drafting that somebody asked to stop.
var errDraftStopped = errors.New("drafting was asked to stop")

// DraftQuestions proposes questions with references and evidence from passages that are spread over the corpus, of all four
// categories. Every quote is found again in its passage by code, and a multi-hop question needs one from each of two: whatever
// does not hold is dropped and counted in notes. Fewer than N come back where the corpus, or the model, gives no more. They are
// to be reviewed before use.
func DraftQuestions(ctx context.Context, corpus *rag.Corpus, judge metrics.JudgeConfig, providers rag.Providers, stages rag.Stages,
	rules DraftRules) (drafts []intake.Draft, notes []string, err error) {
	j, err := openQuestionJudge(judge, providers, stages)
	if err != nil {
		return nil, nil, err
	}
	d := &drafting{judge: j, pool: newDraftPool(corpus, rules.Seed), rules: rules, seen: map[string]bool{}, dropped: map[string]int{}}
	for round := range draftRounds {
		var tasks []draftTask
		for i, c := range experiments.Categories() {
			want := (rules.N + len(experiments.Categories()) - 1 - i) / len(experiments.Categories())
			tasks = append(tasks, d.pool.tasks(c, want-d.have[i], round)...)
		}
		if len(tasks) == 0 {
			break
		}
		if err := d.work(ctx, tasks); err != nil {
			return nil, nil, err
		}
	}
	for i := range d.drafts {
		d.drafts[i].Question.ID = fmt.Sprintf("d%03d", i+1)
	}
	for _, why := range slices.Sorted(maps.Keys(d.dropped)) {
		notes = append(notes, fmt.Sprintf("%d dropped: %s", d.dropped[why], why))
	}
	if len(d.drafts) < rules.N {
		notes = append(notes, fmt.Sprintf("%d of %d questions could be drafted", len(d.drafts), rules.N))
	}
	return d.drafts, notes, nil
}

type drafting struct {
	judge   *questionJudge
	pool    *draftPool
	rules   DraftRules
	drafts  []intake.Draft
	have    [4]int // by category
	seen    map[string]bool
	dropped map[string]int
}

// draftTask is one question to be drafted.
type draftTask struct {
	category experiments.Category
	hops     experiments.Hops
	scope    experiments.Scope
	passages []draftSection
}

// work asks for the drafts, some at a time, and takes them in the order of the tasks, so that equal corpora give equal sheets.
func (d *drafting) work(ctx context.Context, tasks []draftTask) error {
	replies, errs := make([]draftReply, len(tasks)), make([]error, len(tasks))
	slots := make(chan struct{}, max(1, d.rules.InFlight))
	var flying sync.WaitGroup
	for i, t := range tasks {
		select {
		case <-d.rules.Stop:
			errs[i] = errDraftStopped
			continue
		case slots <- struct{}{}:
		}
		flying.Go(func() {
			defer func() { <-slots }()
			replies[i], errs[i] = d.judge.draft(ctx, t)
		})
	}
	flying.Wait()
	for i, t := range tasks {
		model, failed := errors.AsType[*llm.Error](errs[i])
		switch {
		case errs[i] == nil:
			d.take(t, replies[i])
		case ctx.Err() != nil || !failed || llm.Fatal(errs[i]):
			return errs[i]
		default:
			d.dropped["the model failed ("+model.Cause+")"]++
		}
	}
	return nil
}

func (j *questionJudge) draft(ctx context.Context, t draftTask) (draftReply, error) {
	data := draftData{Hops: t.hops, Scope: t.scope}
	for i, p := range t.passages {
		data.Passages = append(data.Passages, draftPassage{Number: i + 1, Title: p.title, Text: p.text})
	}
	return askQuestion[draftReply](ctx, j, questionTask{
		purpose: PurposeQuestionDraft, lang: text.Language(t.passages[0].text), data: data, schema: draftSchema, maxTokens: 2000,
	})
}

// take checks a draft and keeps it, or counts why not.
func (d *drafting) take(t draftTask, r draftReply) {
	var evidence []experiments.Evidence
	used := map[int]bool{}
	why := ""
	for _, q := range r.Quotes {
		quote := strings.TrimSpace(q.Quote)
		if q.Passage < 1 || q.Passage > len(t.passages) || quote == "" {
			why = "a quote names no passage"
			break
		}
		p := t.passages[q.Passage-1]
		at := strings.Index(p.text, quote)
		if at < 0 {
			why = "a quote is not in its passage"
			break
		}
		start := p.span.Start + utf8.RuneCountInString(p.text[:at])
		evidence = append(evidence, experiments.Evidence{
			Span: rag.Span{DocID: p.span.DocID, Start: start, End: start + utf8.RuneCountInString(quote)}, Quote: quote,
		})
		used[q.Passage] = true
	}
	question := clipTo(r.Question, 1000)
	switch {
	case !r.Usable:
		why = "the passages give no such question"
	case why != "":
	case len(evidence) == 0:
		why = "no evidence is quoted"
	case t.hops == experiments.MultiHop && len(used) < 2:
		why = "a multi-hop question rests on one passage"
	case d.seen[text.Fold(question)]:
		why = "the question is there already"
	}
	if why != "" {
		d.dropped[why]++
		return
	}
	d.seen[text.Fold(question)] = true
	d.have[slices.Index(experiments.Categories(), t.category)]++
	d.drafts = append(d.drafts, intake.Draft{Category: string(t.category), Question: experiments.Question{
		Text: question, Reference: strings.TrimSpace(r.Reference), Answerable: true, Evidence: evidence, Lang: text.Language(question),
	}})
}

// draftSection is a section of a document, cut to what is shown.
type draftSection struct {
	span     rag.Span
	number   int // within its document
	title    string
	text     string
	keywords []string
}

// draftPool hands out passages, one document after the other, in an order drawn by the seed.
type draftPool struct {
	sections []draftSection
	holding  map[string][]int // sections by keyword
	next     [4]int           // by category
}

func newDraftPool(corpus *rag.Corpus, seed uint64) *draftPool {
	byDoc := make([][]draftSection, len(corpus.Documents))
	for i, d := range corpus.Documents {
		byDoc[i] = draftSections(d, corpus)
	}
	p := &draftPool{holding: map[string][]int{}}
	order := stats.NewSplitMix64(seed).Permutation(len(byDoc))
	for depth, more := 0, true; more; depth++ {
		more = false
		for _, i := range order {
			if depth < len(byDoc[i]) {
				// A document is entered at another place each time, for what it begins with is alike in all.
				p.sections = append(p.sections, byDoc[i][(depth+i)%len(byDoc[i])])
				more = true
			}
		}
	}
	for i, s := range p.sections {
		for _, w := range s.keywords {
			p.holding[w] = append(p.holding[w], i)
		}
	}
	return p
}

func draftSections(d rag.Document, corpus *rag.Corpus) []draftSection {
	index := corpus.Index(d.ID)
	starts := append(sectionStarts(d.Text), index.Len())
	var out []draftSection
	for i := range len(starts) - 1 {
		s := draftSection{span: rag.Span{DocID: d.ID, Start: starts[i], End: min(starts[i+1], starts[i]+draftMostChars)}, number: i,
			title: d.Title}
		s.text = index.Slice(s.span.Start, s.span.End)
		if utf8.RuneCountInString(strings.TrimSpace(s.text)) < draftLeastChars {
			continue
		}
		s.keywords = keywordCandidates(s.text)
		out = append(out, s)
	}
	if len(out) == 0 && strings.TrimSpace(d.Text) != "" { // short notes one after the other: the document is the passage
		s := draftSection{span: rag.Span{DocID: d.ID, End: min(index.Len(), draftMostChars)}, title: d.Title}
		s.text = index.Slice(0, s.span.End)
		s.keywords = keywordCandidates(s.text)
		out = append(out, s)
	}
	return out
}

// tasks are up to n further tasks of a category; in later rounds those that follow on those before.
func (p *draftPool) tasks(c experiments.Category, n, round int) []draftTask {
	which := slices.Index(experiments.Categories(), c)
	t := draftTask{category: c, hops: experiments.SingleHop, scope: experiments.Specific}
	if which%2 == 1 {
		t.scope = experiments.Abstract
	}
	if which >= 2 {
		t.hops = experiments.MultiHop
	}
	if p.next[which] == 0 && round == 0 {
		p.next[which] = which * len(p.sections) / 4 // categories begin at different places
	}
	var out []draftTask
	for tried := 0; len(out) < n && tried < len(p.sections); tried++ {
		first := p.sections[p.next[which]%len(p.sections)]
		p.next[which]++
		t.passages = []draftSection{first}
		if t.hops == experiments.MultiHop {
			partner, ok := p.partner(first)
			if !ok {
				continue
			}
			t.passages = []draftSection{first, partner}
		}
		out = append(out, t)
	}
	return out
}

// partner is the section of another document, else of a distant place of the same one, that shares the rarest words.
func (p *draftPool) partner(s draftSection) (draftSection, bool) {
	score := map[int]float64{}
	for _, w := range s.keywords {
		holding := p.holding[w]
		if len(holding) > 50 {
			continue // a word of everywhere joins nothing
		}
		for _, i := range holding {
			score[i] += math.Log(float64(1+len(p.sections)) / float64(len(holding)))
		}
	}
	best, most := -1, 0.0
	for i, sc := range score {
		other := p.sections[i]
		if other.span.DocID == s.span.DocID {
			if max(other.number-s.number, s.number-other.number) < 2 {
				continue
			}
			sc /= 4
		}
		if sc > most || sc == most && i < best {
			best, most = i, sc
		}
	}
	if best < 0 {
		return draftSection{}, false
	}
	return p.sections[best], true
}
