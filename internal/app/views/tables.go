package views

import (
	"context"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag/remote"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
)

// QuestionTable is [Views.Questions] for a file, one column for each metric.
func (v *runViews) QuestionTable(ctx context.Context, name string, q QuestionQuery) (spreadsheet.Table, error) {
	list, run, err := v.Questions(ctx, name, q)
	if err != nil {
		return spreadsheet.Table{}, err
	}
	columns := []string{"question_id", "question", "reference", "answer", "category", "theme", "tags", "critical", "state", "low_score",
		"cause", "contexts", "votes"}
	for _, s := range run.Setup.Suite {
		columns = append(columns, s.ID)
	}
	return listing.TableOf("questions", columns, list.Items, func(r QuestionRow) []any {
		row := []any{
			r.QuestionID, r.Question, r.Reference, r.Answer, r.Category, r.Theme, strings.Join(r.Tags, "; "), r.Critical,
			strings.TrimSuffix(r.State+": "+r.Failure, ": "), r.Low,
			r.Cause, r.Contexts, r.Votes,
		}
		for _, s := range run.Setup.Suite {
			row = append(row, scoreCell(r.Scores, r.Unscored, s.ID))
		}
		return row
	}), nil
}

// scoreCell is a value, or in words why there is none: never 0.
func scoreCell(scores map[string]float64, unscored map[string]string, metric string) any {
	if value, ok := scores[metric]; ok {
		return value
	}
	if why, ok := unscored[metric]; ok {
		return why
	}
	return nil
}

// ChangeTable is [Views.Changes] for a file, with both values of each metric.
func (v *compareViews) ChangeTable(ctx context.Context, baseline, candidate string, q ChangeQuery) (spreadsheet.Table, error) {
	list, runs, err := v.Changes(ctx, baseline, candidate, q)
	if err != nil {
		return spreadsheet.Table{}, err
	}
	columns := []string{"question_id", "question", "label", "detail", "metric", "why", "critical", "became_low", "match", "category",
		"theme", "answer_before", "answer_after"}
	metrics := sharedMetrics(runs)
	for _, m := range metrics {
		columns = append(columns, m+"_before", m+"_after")
	}
	return listing.TableOf("comparison", columns, list.Items, func(r ChangeRow) []any {
		why := ""
		if r.Class != "" {
			why = r.Class.Word("en")
		}
		row := []any{
			r.QuestionID, r.Question, string(r.Label), string(r.Detail), r.Metric, why, r.Critical, r.BecameLow, r.Match, r.Category,
			r.Theme, r.AnswerWas, r.AnswerIs,
		}
		for _, m := range metrics {
			row = append(row, scoreCell(r.Before, nil, m), scoreCell(r.After, nil, m))
		}
		return row
	}), nil
}

// sharedMetrics are the metrics that both runs have, in the order of the candidate's suite.
func sharedMetrics(runs [2]experiments.Run) []string {
	has := map[string]bool{}
	for _, s := range runs[0].Setup.Suite {
		has[s.ID] = true
	}
	var out []string
	for _, s := range runs[1].Setup.Suite {
		if has[s.ID] {
			out = append(out, s.ID)
		}
	}
	return out
}

// DatasetTable is [Views.DatasetQuestions] for a file, in columns that an import takes back.
func (v *libraryViews) DatasetTable(ctx context.Context, ref string, q DatasetQuery) (spreadsheet.Table, error) {
	list, _, err := v.DatasetQuestions(ctx, ref, q)
	if err != nil {
		return spreadsheet.Table{}, err
	}
	columns := []string{"question_id", "question", "lang", "reference", "answerable", "critical", "tags", "expected_urls", "evidence"}
	return listing.TableOf("questions", columns, list.Items, func(r DatasetQuestion) []any {
		quotes := make([]string, len(r.Evidence))
		for i, e := range r.Evidence {
			quotes[i] = e.String()
		}
		return []any{r.ID, r.Text, r.Lang, r.Reference, r.Answerable, r.Critical, strings.Join(r.Tags, "; "),
			strings.Join(r.ExpectedURLs, "\n"), strings.Join(quotes, "\n")}
	}), nil
}

// EndpointRow is a system that runs elsewhere, without the values of its headers, which may be keys.
type EndpointRow struct {
	Name        string   `json:"name"`
	Origin      string   `json:"origin"` // scheme and host
	Method      string   `json:"method"`
	Headers     []string `json:"headers"`   // names alone
	KeyNames    []string `json:"key_names"` // environment variables that its headers refer to
	Answer      string   `json:"answer,omitempty"`
	Contexts    string   `json:"contexts,omitempty"`
	AtMostOnce  bool     `json:"at_most_once"`
	Concurrency int      `json:"concurrency,omitempty"`
	PerMinute   int      `json:"rpm,omitempty"`
}

func endpointRow(e remote.Endpoint) EndpointRow {
	row := EndpointRow{
		Name: e.Name, Origin: originOf(e.URL), Method: e.Method, Headers: []string{}, KeyNames: app.NonNil(e.KeyNames()), Answer: e.Answer,
		Contexts:   e.Contexts,
		AtMostOnce: e.AtMostOnce, Concurrency: e.Concurrency, PerMinute: e.RPM,
	}
	for name := range e.Headers {
		row.Headers = append(row.Headers, name)
	}
	slices.Sort(row.Headers)
	return row
}

// Endpoints lists the systems that run elsewhere.
func (v *machineViews) Endpoints(ctx context.Context) ([]EndpointRow, error) {
	all, err := v.w.Store.Endpoints(ctx)
	out := []EndpointRow{}
	for _, e := range all {
		out = append(out, endpointRow(e))
	}
	return out, err
}
