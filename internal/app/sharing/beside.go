package sharing

import (
	"bytes"
	"context"
	"fmt"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/reports"
	"github.com/rag-workbench/workbench/internal/stats"
)

// mostQuestions are the questions on a page of runs side by side: those first on which the runs disagree most.
const mostQuestions = 100

// beside are runs side by side, each compared with the first.
func (s Sharing) beside(ctx context.Context, ask Ask, share *experiments.Share) (page, error) {
	view, err := s.Views.Beside(ctx, ask.Baseline, ask.Beside)
	if err != nil {
		return nil, err
	}
	query := views.BesideQuery{Page: listing.Page{Limit: mostQuestions}}
	questions, err := s.Views.BesideQuestions(ctx, ask.Baseline, ask.Beside, query)
	if err != nil {
		return nil, err
	}
	b := besidePage{view: view, questions: questions.Items, texts: share.Texts, version: s.Version}
	share.Runs = []string{view.Baseline.RunID}
	for _, r := range view.Runs {
		share.Runs = append(share.Runs, r.Run.RunID)
	}
	share.Title = fmt.Sprintf("%s +%d", view.Baseline.Experiment, len(view.Runs))
	return func(lang string, frame *reports.Frame, w *bytes.Buffer) error {
		return b.in(lang, frame).WriteHTML(w)
	}, nil
}

// besidePage is what a page of runs side by side shows.
type besidePage struct {
	view      views.BesideView
	questions []views.BesideRow
	texts     bool
	version   string
}

// in is the page in one language.
func (b besidePage) in(lang string, frame *reports.Frame) reports.TablesPage {
	say := func(en, ja string) string {
		if lang == "ja" {
			return ja
		}
		return en
	}
	head := []string{"", say("Baseline", "比較の基準") + "\n" + b.view.Baseline.Experiment + "\n" + b.view.Baseline.RunID}
	offline := b.view.Baseline.Offline
	for _, r := range b.view.Runs {
		head = append(head, r.Run.Experiment+"\n"+r.Run.RunID)
		offline = offline || r.Run.Offline
	}
	asked := append([]string{say("Question", "質問")}, head[2:]...)
	return reports.TablesPage{
		Lang: lang, Frame: frame, Offline: offline, Title: say("Runs side by side", "実行を並べて比較"),
		Subtitle:  b.view.Baseline.Dataset.String() + " · RAG Workbench " + b.version,
		Sentences: []string{b.view.Words.In(lang)},
		Tables: []reports.PageTable{
			{Title: say("Runs", "実行"), Head: head, Rows: b.figures(lang, say("Low scores", "低スコア回答"))},
			{
				Title: say(fmt.Sprintf("Questions: verdicts differ on %d of %d", b.view.Disagreed, b.view.Questions),
					fmt.Sprintf("質問：%d件中%d件で判定が分かれています", b.view.Questions, b.view.Disagreed)),
				Head: asked, Rows: b.verdicts(lang),
			},
		},
	}
}

// lowOf is how many answers are low of those of which it can be told.
func lowOf(lang string, low, rated int) string {
	switch {
	case rated > 0:
		return fmt.Sprintf("%d / %d", low, rated)
	case lang == "ja":
		return "判断できません"
	}
	return "cannot be told"
}

// figures are the rows of the table of runs: low scores, means with their changes, verdicts, and parameters that differ.
func (b besidePage) figures(lang, low string) [][]string {
	lows := []string{low, "–"}
	for i, r := range b.view.Runs {
		lows = append(lows, lowOf(lang, r.LowAfter, r.RatedAfter))
		if i == 0 {
			lows[1] = lowOf(lang, r.LowBefore, r.RatedBefore)
		}
	}
	rows := [][]string{lows}
	for _, metric := range b.view.Metrics {
		row, decimals := []string{titleOf(metric, lang), "–"}, 2
		for _, r := range b.view.Runs { // one baseline stands beside them all
			if m, ok := r.Changes[metric]; ok {
				decimals = max(decimals, stats.DecimalsBeside(m.Baseline, m.Candidate, decimals))
			}
		}
		for _, r := range b.view.Runs {
			m, ok := r.Changes[metric]
			if !ok {
				row = append(row, "–")
				continue
			}
			row[1] = stats.Fixed(m.Baseline, decimals)
			cell := fmt.Sprintf("%s (%s)", stats.Fixed(m.Candidate, decimals),
				stats.Signed(stats.Difference(m.Baseline, m.Candidate), decimals))
			if m.CI != nil {
				cell += "\n" + stats.Signed(m.CI[0], 2) + " … " + stats.Signed(m.CI[1], 2)
			}
			row = append(row, cell)
		}
		rows = append(rows, row)
	}
	for _, label := range []compare.Label{compare.Worse, compare.Mixed, compare.NeedsCheck, compare.NoChange, compare.Better} {
		row := []string{label.Word(lang), ""}
		for _, r := range b.view.Runs {
			row = append(row, fmt.Sprint(r.Labels.Of(label)))
		}
		rows = append(rows, row)
	}
	for _, name := range b.view.Parameters.Differing {
		row := []string{name, written(b.view.Parameters.Runs[b.view.Baseline.RunID][name])}
		for _, r := range b.view.Runs {
			row = append(row, written(b.view.Parameters.Runs[r.Run.RunID][name]))
		}
		rows = append(rows, row)
	}
	return rows
}

// verdicts are the rows of the table of questions. Without texts a question is known by its id.
func (b besidePage) verdicts(lang string) [][]string {
	var rows [][]string
	for _, q := range b.questions {
		row := []string{q.QuestionID}
		if b.texts {
			row[0] += "\n" + q.Question
		}
		for _, cell := range q.Cells {
			word := "–"
			if cell.Label != "" {
				word = cell.Label.Word(lang)
			}
			row = append(row, word)
		}
		rows = append(rows, row)
	}
	return rows
}

// titleOf is the name of a metric; of one that only an experiment file knows, its id.
func titleOf(metric, lang string) string {
	spec, ok := metrics.Find(metric)
	switch {
	case !ok:
		return metric
	case lang == "ja":
		return spec.TitleJA
	}
	return spec.TitleEN
}

func written(value string) string {
	if value == "" {
		return "–"
	}
	return value
}
