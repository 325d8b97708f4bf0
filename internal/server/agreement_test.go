package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/app/reviews"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/reports/reviewform"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/server/api"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// finished starts an experiment of [small] and waits for its end.
func (c *client) finished(experiment string) app.RunRow {
	c.t.Helper()
	var run app.RunRow
	c.send("POST", "/runs", fmt.Sprintf(`{"experiment":%q,"limit":12}`, experiment), 202, &run)
	c.finish(run.RunID)
	return run
}

func TestAnAgreementFromNothingToProgress(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: small(t)})
	const path = "/datasets/airline-en/agreement"
	var view views.AgreementView
	c.get(path, &view)
	if view.Newest != nil || len(view.History) != 0 || len(view.Components) == 0 {
		t.Errorf("before: %+v", view)
	}
	if p := c.refused("GET", path+"/progress", "", 404); p.Code != "run_unknown" {
		t.Errorf("progress without a run: %+v", p)
	}
	run := c.finished("k1")

	for body, field := range map[string]string{
		`{"agreed_by":[]}`: "agreed_by", `{"agreed_by":["CS"],"low_score":5}`: "low_score",
		`{"agreed_by":["CS"],"agreed_on":"soon"}`:                                                                      "agreed_on",
		`{"agreed_by":["CS"],"targets":[{"metric":"beauty","target":1}]}`:                                              "targets[0].metric",
		`{"agreed_by":["CS"],"targets":[{"metric":"correctness","target":4},{"metric":"trust","target":4,"due":"x"}]}`: "targets[1].due",
		`{"agreed_by":["CS"],"items":[{"component":"retriever"}]}`:                                                     "items[0].action",
		`{"agreed_by":["CS"],"items":[{"theme":"x","out_of_scope":true}]}`:                                             "items[0].why",
		`{"agreed_by":["CS"],"items":[{"component":"moon","action":"look up"}]}`:                                       "items[0].component",
		`{"agreed_by":["CS"],"items":[{"questions":["no such"],"action":"look up"}]}`:                                  "items[0].questions",
		`{"agreed_by":["CS"],"items":[{"theme":"x","action":"a","priority":"soon"}]}`:                                  "items[0].priority",
		`{"agreed_by":["CS"],"nonsense":1}`:                                                                            "body.nonsense",
	} {
		if p := c.refused("PUT", path, body, 422); p.Field != strings.TrimPrefix(field, "body.") {
			t.Errorf("%s blames %q (%s), want %q", body, p.Field, p.Detail, field)
		}
	}

	body := fmt.Sprintf(`{"low_score":3,"agreed_by":["CS (lead)"],"run":%q,"based_on":0,
		"targets":[{"metric":"low_score_share","target":0,"owner":"CS","due":"2026-11-19"},{"metric":"correctness","target":1}],
		"items":[{"component":"retriever","action":"raise k","priority":"high","due":"2026-12-01"},{"theme":"legal","out_of_scope":true,"why":"not ours"}]}`, run.RunID)
	c.send("PUT", path, body, 200, &view)
	if view.Newest == nil || view.Newest.Version != 1 || view.Newest.AgreedOn != "2026-11-20" || view.Newest.RunID != run.RunID ||
		view.Newest.Targets[0].Was == nil {
		t.Fatalf("first version: %+v", view.Newest)
	}
	if p := c.refused("PUT", path, `{"agreed_by":["IT"],"note":"late","based_on":0}`, 409); p.Code != "agreement_newer" {
		t.Errorf("an edit of an older version: %+v", p)
	}
	view = views.AgreementView{} // absent fields would keep what they held
	c.send("PUT", path, `{"agreed_by":["IT"],"note":"again","based_on":1}`, 200, &view)
	if view.Newest.Version != 2 || len(view.History) != 2 || len(view.Newest.Targets) != 2 || view.Newest.RunID != "" ||
		view.Newest.LowScore != 3 {
		t.Errorf("second version: %+v", view.Newest)
	}

	var standing views.AgreementStanding
	c.get(path+"/progress", &standing)
	if standing.Run.RunID != run.RunID || standing.Today != "2026-11-20" || standing.Met+standing.Missed+standing.NotMeasured != 2 ||
		standing.Progress.LowScore != 3 {
		t.Errorf("standing: %+v", standing)
	}
	if standing.Missed != 1 || fmt.Sprint(standing.OverdueTargets) != "[0]" || len(standing.OverdueItems) != 0 {
		t.Errorf("met %d, missed %d, overdue %v %v", standing.Met, standing.Missed, standing.OverdueTargets, standing.OverdueItems)
	}
	var list api.ItemsOf[views.AgreementRow]
	c.get("/agreements", &list)
	if len(list.Items) != 1 || list.Items[0].Version != 2 || list.Items[0].NextDue != "2026-11-19" || list.Items[0].OutOfScope != 1 {
		t.Errorf("list: %+v", list.Items)
	}
	c.refused("GET", "/datasets/nobody/agreement", "", 404)
	c.refused("GET", path+"/progress?run=nothing", "", 404)
}

// filledIn is a workbook with the review columns of a run, filled in with what fill says of each question.
func (c *client) filledIn(run string, fill func(at int) map[string]string) string {
	c.t.Helper()
	e, err := c.server.Workbench.Evaluation(c.t.Context(), run)
	if err != nil {
		c.t.Fatal(err)
	}
	columns := reviewform.Columns()
	table := spreadsheet.Table{Name: "Low", Rows: func(yield func([]any) error) error {
		for i, r := range e.Results {
			cells := reviewform.HiddenCells(run, e.Questions[i], r)
			for key, value := range fill(i) {
				cells[key] = value
			}
			row := make([]any, len(columns))
			for at, column := range columns {
				row[at] = cells[column.Key]
			}
			if err := yield(row); err != nil {
				return err
			}
		}
		return nil
	}}
	for _, column := range columns {
		table.Columns = append(table.Columns, column.Heading("ja"))
	}
	var out bytes.Buffer
	if err := table.Write(&out, "xlsx"); err != nil {
		c.t.Fatal(err)
	}
	return out.String()
}

func TestReviewsFromAWorkbookToFigures(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := serve(t, Options{Workbench: small(t), Parser: parseHere, TempDir: dir})
	run := c.finished("k1").RunID
	sheet := c.filledIn(run, func(at int) map[string]string {
		switch at {
		case 0:
			return map[string]string{reviewform.Verdict: "誤り", reviewform.Reference: "Another reference."}
		case 1:
			return map[string]string{reviewform.Verdict: "maybe"}
		case 2, 3:
			return map[string]string{reviewform.Verdict: "correct", reviewform.Correctness: "5"}
		}
		return nil
	})
	send := func(parts ...part) reviews.ImportedReviews {
		t.Helper()
		status, body := c.upload(api.ReviewsPath, append(parts, part{"file", "back.xlsx", sheet})...)
		var got reviews.ImportedReviews
		if err := json.Unmarshal([]byte(body), &got); err != nil || status != 200 {
			t.Fatalf("%d %s %v", status, body, err)
		}
		return got
	}
	dry := send(part{field: "reviewer", content: "CS"}, part{field: "dry_run", content: "true"})
	if dry.Applied || dry.New != 3 || dry.LeftOut != 1 || len(dry.Conflicts) != 1 || len(dry.References) != 1 {
		t.Fatalf("dry run: %+v", dry)
	}
	if k := dry.Conflicts[0]; k.Sheet != "Low" || k.Row != 3 || !strings.HasPrefix(k.Column, "A ") ||
		k.Code != reviews.ConflictCode(reviewform.NotAChoice) {
		t.Errorf("conflict: %+v", k)
	}
	var view views.ReviewsView
	if c.get("/runs/"+run+"/reviews", &view); view.Figures.Reviews != 0 {
		t.Errorf("a dry run stored %d reviews", view.Figures.Reviews)
	}
	if done := send(part{field: "reviewer", content: "CS"}, part{field: "apply_references", content: "true"}); !done.Applied ||
		done.New != 3 || len(done.Datasets) != 1 || done.Datasets[0].String() != "airline-en@2" {
		t.Errorf("applied: %+v", done)
	}
	if again := send(part{field: "reviewer", content: "CS"}); again.New != 0 || again.Known != 3 {
		t.Errorf("again: %+v", again)
	}
	c.get("/runs/"+run+"/reviews", &view)
	if view.Figures.Reviews != 3 || len(view.Figures.Labels) != 3 || view.Figures.Labels[0].Verdict != experiments.IncorrectAnswer ||
		fmt.Sprint(view.Figures.Reviewers) != "[CS]" {
		t.Errorf("figures: %+v", view.Figures)
	}
	if files := left(t, dir); len(files) != 0 {
		t.Errorf("uploads left %v", files)
	}
	for name, parts := range map[string][]part{
		"no file": {{field: "reviewer", content: "CS"}}, "no workbook": {{"file", "a.xlsx", "text"}},
		"another field": {{field: "name", content: "x"}, {"file", "a.xlsx", sheet}},
		"no choice":     {{field: "dry_run", content: "perhaps"}, {"file", "a.xlsx", sheet}},
	} {
		if status, body := c.upload(api.ReviewsPath, parts...); status != 422 {
			t.Errorf("%s: %d %s", name, status, body)
		}
	}
}

func TestAReviewFromThePage(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: small(t)})
	run := c.finished("k1").RunID
	var rows listing.Listed[views.QuestionRow]
	c.get("/runs/"+run+"/questions", &rows)
	path, question := "/runs/"+run+"/reviews", rows.Items[0].QuestionID
	var done reviews.ImportedReviews
	c.send("POST", path, fmt.Sprintf(`{"question_id":%q,"reviewer":"CS","verdict":"correct","trust":4}`, question), 200, &done)
	if done.New != 1 || !done.Applied {
		t.Errorf("first: %+v", done)
	}
	c.send("POST", path, fmt.Sprintf(`{"question_id":%q,"reviewer":"CS","verdict":"incorrect"}`, question), 200, &done)
	if done.Changed != 1 {
		t.Errorf("a changed mind: %+v", done)
	}
	for body, want := range map[string]struct {
		status int
		code   string
	}{
		fmt.Sprintf(`{"question_id":%q,"reviewer":"CS","verdict":"correct","trust":4}`, question):       {409, "review_older_review"},
		fmt.Sprintf(`{"question_id":%q,"reviewer":"CS","verdict":"correct","shown":"other"}`, question): {409, "review_answer_changed"},
		`{"question_id":"nothing","reviewer":"CS","verdict":"correct"}`:                                 {404, "review_question_unknown"},
		fmt.Sprintf(`{"question_id":%q,"reviewer":" ","verdict":"correct"}`, question):                  {422, "review_field"},
		fmt.Sprintf(`{"question_id":%q,"reviewer":"CS"}`, question):                                     {422, "review_field"},
		fmt.Sprintf(`{"question_id":%q,"reviewer":"CS","cause":"the moon"}`, question):                  {422, "review_field"},
		fmt.Sprintf(`{"question_id":%q,"reviewer":"CS","trust":6}`, question):                           {422, "request_invalid"},
	} {
		if p := c.refused("POST", path, body, want.status); p.Code != want.code {
			t.Errorf("%s: %s %s, want %s", body, p.Code, p.Detail, want.code)
		}
	}
	var view views.ReviewsView
	if c.get(path, &view); view.Figures.Reviews != 1 || view.Figures.Labels[0].Reviews[0].Revision != 2 {
		t.Errorf("figures: %+v", view.Figures)
	}
}

func TestReportsInEveryFormatAndLanguage(t *testing.T) {
	t.Parallel()
	w := demoed(t)
	c := serve(t, Options{Workbench: w.workbench})
	made := 0
	for _, arms := range []string{"baseline=" + w.before().ID + "&candidate=" + w.after().ID, "candidate=" + w.after().ID} {
		for _, format := range []string{"xlsx", "html", "md", "jsonl", "csv"} {
			for _, lang := range []string{"en", "ja", "both"} {
				if made++; made%4 != 0 && os.Getenv("WORKBENCH_SLOW_TESTS") != "1" {
					continue // four and three are coprime, so every language and every format has its turn
				}
				status, header, body := c.do("GET", requests.Prefix+"/comparisons/report."+format+"?lang="+lang+"&"+arms, "")
				if status != 200 || len(body) < 500 || !strings.Contains(header.Get("Content-Disposition"), "-"+lang+"."+format) ||
					header.Get("Content-Type") != requests.FileTypes[format] {
					t.Errorf("report.%s in %s = %d, %d bytes, %v", format, lang, status, len(body), header)
				}
			}
		}
	}
	c.refused("GET", "/comparisons/report.html?lang=fr&candidate="+w.after().ID, "", 422)
}

// TestOfferedCategoriesAreTaken: the form offers each category that an agreement may name, also after an analysis that only guessed the
// hops of some questions, and no other.
func TestOfferedCategoriesAreTaken(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: small(t)})
	run := c.finished("k1")
	var made struct{ Job api.Job }
	c.send("POST", "/runs/"+run.RunID+"/analyse-questions", `{}`, 202, &made)
	c.done(made.Job.ID)
	const path = "/datasets/airline-en/agreement"
	var view views.AgreementView
	c.get(path, &view)
	if len(view.Themes) == 0 {
		t.Error("the analysis is not there")
	}
	for _, want := range experiments.Categories() {
		if !slices.Contains(view.Categories, string(want)) {
			t.Errorf("%s is not offered: %v", want, view.Categories)
		}
	}
	for _, category := range view.Categories {
		c.send("PUT", path, fmt.Sprintf(`{"agreed_by":["CS"],"targets":[{"metric":"correctness","target":1,"category":%q}]}`, category), 200, &view)
	}
	p := c.refused("PUT", path, `{"agreed_by":["CS"],"targets":[{"metric":"correctness","target":1,"category":"multi_hop_specific_guessed"}]}`, 422)
	if p.Field != "targets[0].category" {
		t.Errorf("%+v", p)
	}
}
