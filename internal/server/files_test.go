package server

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/server/api"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// sent uploads a form and decodes the reply, which must have this status.
func sent[T any](c *client, path string, want int, parts ...part) T {
	c.t.Helper()
	var out T
	status, body := c.upload(path, parts...)
	if err := json.Unmarshal([]byte(body), &out); err != nil || status != want {
		c.t.Fatalf("%s = %d, want %d: %s %v", path, status, want, body, err)
	}
	return out
}

func TestLoggedAnswersFromAFileToARun(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	w := small(t)
	c := serve(t, Options{Workbench: w, Parser: parseHere, TempDir: dir})
	dataset, err := w.Store.Dataset(t.Context(), "airline-en")
	if err != nil {
		t.Fatal(err)
	}
	var log strings.Builder
	for _, q := range dataset.Questions[:3] {
		line, err := json.Marshal(map[string]any{"id": q.ID, "user_input": q.Text, "Antwort": q.Reference,
			"contexts": []string{"On domestic flights a Lite ticket includes cabin baggage only."}})
		if err != nil {
			t.Fatal(err)
		}
		log.Write(append(line, '\n'))
	}
	form := func(extra ...part) []part {
		return append(extra, part{field: "dataset", content: "airline-en"}, part{field: "columns", content: `{"Antwort":"answer"}`},
			part{"file", "bot-may.jsonl", log.String()})
	}
	dry := sent[api.AnswersImported](c, api.AnswersPath, 200, form(part{field: "dry_run", content: "true"})...)
	if dry.Applied || dry.Answers != 3 || dry.Experiment != "" || len(dry.Missing) != len(dataset.Questions)-3 ||
		len(dry.Report.Columns) != 4 || len(dry.Fields) == 0 {
		t.Fatalf("dry: %+v", dry)
	}
	c.refused("GET", "/experiments/bot-may", "", 404)
	stored := sent[api.AnswersImported](c, api.AnswersPath, 200, form(part{field: "corpus", content: "airline-en"})...)
	if !stored.Applied || stored.String() != "bot-may@1" || !stored.Created || stored.Experiment != "bot-may" || stored.Revision != 1 ||
		stored.Dataset != "airline-en@1" {
		t.Errorf("stored: %+v", stored)
	}
	again := sent[api.AnswersImported](c, api.AnswersPath, 200, form(part{field: "corpus", content: "airline-en"})...)
	if again.Created || again.String() != "bot-may@1" {
		t.Errorf("again: %+v", again)
	}
	run := c.finished("bot-may")
	var rows listing.Listed[views.QuestionRow]
	c.get("/runs/"+run.RunID+"/questions?sort=order", &rows)
	if rows.Items[0].Answer != dataset.Questions[0].Reference || rows.Items[0].Contexts != 1 || rows.Items[3].State != "failed" {
		t.Errorf("replayed: %+v", rows.Items[:4])
	}
	if files := left(t, dir); len(files) != 0 {
		t.Errorf("left behind: %v", files)
	}
}

func TestLoggedAnswersThatAreRefused(t *testing.T) {
	t.Parallel()
	w := small(t)
	c := serve(t, Options{Workbench: w, Parser: parseHere, TempDir: t.TempDir()})
	const sheet = "question,answer\nWhat is this?,An answer.\n"
	dataset := part{field: "dataset", content: "airline-en"}
	file := part{"file", "log.csv", sheet}
	for name, test := range map[string]struct {
		parts       []part
		status      int
		code, field string
	}{
		"no file":        {[]part{dataset}, 422, "upload_files", "file"},
		"no dataset":     {[]part{file}, 422, "upload_dataset", "dataset"},
		"no such":        {[]part{{field: "dataset", content: "nobody"}, file}, 404, "dataset_unknown", "dataset"},
		"a path":         {[]part{{field: "dataset", content: "/etc/passwd"}, file}, 404, "", "dataset"},
		"no such corpus": {[]part{dataset, {field: "corpus", content: "nowhere"}, file}, 404, "", "corpus"},
		"no such model":  {[]part{dataset, {field: "model", content: "http://evil.example/x"}, file}, 422, "provider_unknown", "model"},
		"no model":       {[]part{dataset, {field: "model", content: "gpt"}, file}, 422, "experiment_field", "model"},
		"a taken name":   {[]part{dataset, {field: "name", content: "k1"}, file}, 409, "experiment_exists", "name"},
		"no name":        {[]part{dataset, {field: "name", content: "../x"}, file}, 422, "", "name"},
		"no choice":      {[]part{dataset, {field: "dry_run", content: "maybe"}, file}, 422, "upload_field", "dry_run"},
		"no columns":     {[]part{dataset, {field: "columns", content: "[1]"}, file}, 422, "upload_columns", "columns"},
		"another field":  {[]part{dataset, {field: "url", content: "x"}, file}, 422, "upload_field", "url"},
		"wrong rows":     {[]part{dataset, file}, 422, "dataset_rows", ""},
	} {
		p := sent[requests.Problem](c, api.AnswersPath, test.status, test.parts...)
		if p.Status != test.status || test.code != "" && p.Code != test.code || p.Field != test.field {
			t.Errorf("%s: %+v", name, p)
		}
	}
	if _, err := w.Store.Log(t.Context(), "log"); err == nil {
		t.Error("something was stored")
	}
}

func TestTwoFilesOfScores(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	c := serve(t, Options{Workbench: fresh(t), Parser: parseHere, TempDir: dir})
	var before, after strings.Builder
	before.WriteString("id,faithfulness,latency\n")
	after.WriteString("id,faithfulness,latency\n")
	for i := range 20 {
		fmt.Fprintf(&before, "q%d,0.9,%d\n", i, 100+i)
		fmt.Fprintf(&after, "q%d,%g,%d\n", i, map[bool]float64{true: 0.2, false: 0.9}[i == 7], 100+i)
	}
	both := []part{{"baseline", "scores.csv", before.String()}, {"candidate", "scores.csv", after.String()}}
	got := sent[compare.FileComparison](c, api.ScoresPath, 200,
		append(both, part{field: "metrics", content: `["faithfulness"]`}, part{field: "deterministic", content: "true"})...)
	if got.Baseline != "baseline/scores.csv" || got.Matched != 20 || len(got.Metrics) != 1 || got.Metrics[0].Counts.Worse != 1 ||
		got.Questions[0].ID != "q7" || got.Questions[0].Label != compare.Worse {
		t.Errorf("compared: %+v", got.Metrics)
	}
	unsure := sent[compare.FileComparison](c, api.ScoresPath, 200,
		append(both, part{field: "lower", content: `["latency"]`}, part{field: "deltas", content: `{"latency":5}`})...)
	if len(unsure.Metrics) != 2 || unsure.Metrics[0].Counts.NeedsCheck != 1 || !unsure.Metrics[1].LowerIsBetter ||
		unsure.Metrics[1].Delta != 5 {
		t.Errorf("compared: %+v", unsure.Metrics)
	}
	for name, test := range map[string]struct {
		parts  []part
		status int
		field  string
	}{
		"one file":      {both[:1], 422, "candidate"},
		"the other":     {both[1:], 422, "baseline"},
		"twice":         {append(both[:2:2], part{"baseline", "b.csv", before.String()}), 422, "baseline"},
		"elsewhere":     {append(both[:2:2], part{"../x", "b.csv", before.String()}), 422, ""},
		"another field": {append(both[:2:2], part{field: "path", content: "/etc/passwd"}), 422, "path"},
		"no list":       {append(both[:2:2], part{field: "metrics", content: "faithfulness"}), 422, "metrics"},
		"no metric":     {append(both[:2:2], part{field: "metrics", content: `["beauty"]`}), 422, ""},
		"no scores":     {[]part{both[0], {"candidate", "b.csv", "id,faithfulness\nq1,much\nq2,1\n"}}, 422, "candidate"},
		"nothing alike": {[]part{both[0], {"candidate", "b.csv", "id,faithfulness\nz,1\n"}}, 409, ""},
	} {
		p := sent[requests.Problem](c, api.ScoresPath, test.status, test.parts...)
		if p.Status != test.status || p.Field != test.field || strings.Contains(p.Detail, dir) {
			t.Errorf("%s: %+v", name, p)
		}
	}
	if files := left(t, dir); len(files) != 0 {
		t.Errorf("left behind: %v", files)
	}
	if status, _ := serve(t, Options{Workbench: fresh(t), TempDir: t.TempDir()}).
		upload(api.ScoresPath, both...); status != http.StatusServiceUnavailable {
		t.Errorf("without a parser: %d", status)
	}
}
