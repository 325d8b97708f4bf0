package questions

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// QuestionSource is what the question analysis works with besides the run's setup.
type QuestionSource struct {
	Corpus    *rag.Corpus // where evidence lies; nil when there is none at hand
	Providers rag.Providers
	Stages    rag.Stages
	Find      FindEvidence // looks for evidence where the dataset has none; nil leaves hops to the wording
	Close     func()       // lets go of what Find holds; may be nil
}

// QuestionSpec is the one column of a run of kind questions: its value is the confidence of the labels.
func QuestionSpec() metrics.Spec {
	return metrics.Spec{
		ID: experiments.FindingMetric(experiments.KindQuestions), Version: QuestionVersion, Group: "analysis", Max: 1, NeedsJudge: true,
		TitleEN: "Question labels", TitleJA: "質問の分類",
		MeaningEN: "How sure category and theme of the question are.", MeaningJA: "質問のカテゴリとテーマの確度。",
	}
}

// OpenQuestions returns the analyst of a run of kind questions: it gives each question category, theme, keywords and the labels of
// further taxonomies, with three votes for every closed choice. The taxonomies are those frozen in the run's setup. Its findings
// are [experiments.QuestionLabels] whose Keywords are candidates still; [QuestionReportOf] settles them.
func OpenQuestions(run experiments.Run, s QuestionSource) (experiments.Analyst, error) {
	a := &questionAnalyst{source: s}
	if run.Setup.Analysis == nil {
		return nil, errors.New("run " + run.ID + " has no analysis in its setup")
	}
	for _, t := range run.Setup.Analysis.Taxonomies {
		switch t.ID {
		case experiments.ThemeTaxonomy:
			a.themes = t
		case experiments.CategoryTaxonomy: // holds gold labels only
		default:
			a.further = append(a.further, t)
		}
	}
	if len(a.themes.Labels) == 0 {
		return nil, problem.New(problem.Invalid, "themes_missing", "run %s names no themes to assign questions to", run.ID).
			WithHint("`workbench questions` proposes them first")
	}
	if v := run.Setup.Analysis.Version; v != QuestionVersion {
		return nil, problem.New(problem.Conflict, "analysis_version",
			"run %s was begun with version %s of the question analysis; this program has version %s", run.ID, v, QuestionVersion).
			WithHint("go on with the program that began it, or start the analysis again")
	}
	var err error
	a.judge, err = openQuestionJudge(run.Setup.Judge, s.Providers, s.Stages)
	return a, err
}

type questionAnalyst struct {
	source  QuestionSource
	judge   *questionJudge
	themes  experiments.Taxonomy
	further []experiments.Taxonomy
}

// Close lets go of what the search for evidence holds.
func (a *questionAnalyst) Close() {
	if a.source.Close != nil {
		a.source.Close()
	}
}

// Finding labels one question.
func (a *questionAnalyst) Finding(ctx context.Context, q experiments.Question) (experiments.Finding, error) {
	l := experiments.QuestionLabels{
		QuestionID: q.ID, Keywords: []string{}, TaxonomyTheme: a.themes.String(), TextDigest: digestOf(q.Text),
		Votes: map[string][]string{},
	}
	v, err := a.judge.category(ctx, q)
	if err != nil {
		return experiments.Finding{}, err
	}
	l.Scope, l.Quality, l.Votes = v.scope, v.quality, v.votes
	l.Keywords = append(l.Keywords, v.keywords...)
	l.Confidence = v.scopeShare
	known, err := a.hops(ctx, q, &l)
	if err != nil {
		return experiments.Finding{}, err
	}
	if !known {
		l.Hops, l.HopsBy = v.hops, HopsByText
		l.Confidence = min(l.Confidence, v.hopsShare)
	}
	l.Category = experiments.CategoryOf(l.Hops, l.Scope)
	if !known {
		l.Category = l.Category.Guessed()
	}
	theme, err := a.judge.assign(ctx, q, a.themes)
	if err != nil {
		return experiments.Finding{}, err
	}
	l.Theme = theme.labels[0]
	if len(theme.labels) > 1 {
		l.SecondTheme = theme.labels[1]
	}
	l.Votes[experiments.ThemeTaxonomy] = theme.votes
	l.Confidence = min(l.Confidence, theme.share)
	for _, t := range a.further {
		if err := a.label(ctx, q, t, &l); err != nil {
			return experiments.Finding{}, err
		}
	}
	return experiments.Finding{Body: l, Confidence: l.Confidence}, nil
}

// label assigns a question under a further taxonomy. Where a question carries one label, that is the primary one.
func (a *questionAnalyst) label(ctx context.Context, q experiments.Question, t experiments.Taxonomy, l *experiments.QuestionLabels) error {
	found, err := a.judge.assign(ctx, q, t)
	if err != nil {
		return err
	}
	if l.Labels == nil {
		l.Labels = map[string][]string{}
	}
	l.Labels[t.ID] = append([]string{}, found.labels...)
	if !t.Multi {
		l.Labels[t.ID] = found.labels[:1]
	}
	l.Votes[t.ID] = found.votes
	return nil
}

// hops decides the hops by evidence: what the dataset has, else what is found. known is false where neither decides.
func (a *questionAnalyst) hops(ctx context.Context, q experiments.Question, l *experiments.QuestionLabels) (known bool, err error) {
	if !q.Answerable {
		no := false
		l.Answerable = &no
	}
	if len(q.Evidence) > 0 {
		yes := true
		l.Answerable = &yes
		l.Hops, known = HopsOf(q, a.source.Corpus)
		l.HopsBy = HopsByEvidence
		return known, nil
	}
	if a.source.Find == nil || a.source.Corpus == nil || !q.Answerable || q.Reference == "" {
		return false, nil // without a reference nobody knows what to look for
	}
	spans, found, err := a.source.Find(ctx, q)
	if err != nil {
		return false, err
	}
	l.Answerable = &found
	l.Hops, known = hopsOfSpans(spans, a.source.Corpus)
	l.HopsBy = HopsByEvidence
	if l.Hops == experiments.SingleHop && !a.speaksOf(q, spans) {
		return false, nil
	}
	return known && found, nil
}

// sectionShare is the share of a question's content words that the section of found evidence must hold.
const sectionShare = .7

// speaksOf reports whether the section in which evidence was found speaks of what the question names. A short reference such as a
// name is held by many a section; one that knows nothing of the rest of the question does not answer it alone.
func (a *questionAnalyst) speaksOf(q experiments.Question, spans []rag.Span) bool {
	index := a.source.Corpus.Index(spans[0].DocID)
	starts := append(sectionStarts(index.String()), index.Len())
	first, last := index.Len(), 0
	for _, s := range spans {
		at, found := slices.BinarySearch(starts, s.Start)
		if !found {
			at--
		}
		first, last = min(first, starts[at]), max(last, starts[min(at+1, len(starts)-1)])
	}
	document, _ := a.source.Corpus.Document(spans[0].DocID)
	section := newRecognised(document.Title + "\n" + index.Slice(first, last))
	words := keywordCandidates(q.Text)
	held := 0
	for _, w := range words {
		if section.holds(labelWord.Of(w)) {
			held++
		}
	}
	return float64(held) >= sectionShare*float64(len(words))
}

// digestOf is the SHA-256 of a question's wording, the first 16 hexadecimal digits.
func digestOf(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}
