package demo

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/reviews"
	"github.com/rag-workbench/workbench/internal/app/schedules"
	"github.com/rag-workbench/workbench/internal/app/validations"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
)

// demoAgreement is what the people of the demo's help desk agreed on, by language: themes and causes with an action, an owner and a due
// date each.
var demoAgreement = map[string]string{
	"en": `low_score: 2
targets:
  - {metric: low_score_share, target: 0.6, owner: Customer service, due: %[1]s}
  - {theme: baggage, metric: low_score_share, target: 0.5, owner: Customer service, due: %[1]s}
items:
  - {component: retriever, action: Search by meaning and by keyword together, priority: high, owner: Search team, due: %[1]s}
  - {component: generation, action: Try a real model instead of quoting sentences, priority: medium, owner: Search team, due: %[1]s}
agreed_by: [Customer service, Search team]
run: %[2]s
`,
	"ja": `low_score: 2
targets:
  - {metric: low_score_share, target: 0.6, owner: カスタマーサービス, due: %[1]s}
  - {theme: baggage, metric: low_score_share, target: 0.5, owner: カスタマーサービス, due: %[1]s}
items:
  - {component: retriever, action: 意味とキーワードの両方で検索する, priority: high, owner: 検索チーム, due: %[1]s}
  - {component: generation, action: 文の引用ではなく実際のモデルを試す, priority: medium, owner: 検索チーム, due: %[1]s}
agreed_by: [カスタマーサービス, 検索チーム]
run: %[2]s
`,
}

// demoWeeklyNote says what the weekly experiment is, in the language of its readers.
var demoWeeklyNote = map[string]string{
	"en": "What runs in production, evaluated every Monday.",
	"ja": "本番で動いている設定です。毎週月曜日に評価します。",
}

// demoWeekly is the experiment that the demo's schedule evaluates: the configuration after the change.
const demoWeekly = `name: airline-%[1]s-weekly
notes: %[2]s
corpus: airline-%[1]s
dataset: airline-%[1]s
analyses: [causes]
base:
  chunk: {by: chars, size: 800, overlap: 200}
  embedding: {provider: offline, model: ngram}
  retrieve: {mode: dense, k: 4}
  generate: {provider: offline, model: extractive}
`

// demoAgree records the agreement that the demo's people made on a run, where nothing was agreed yet.
func demoAgree(ctx context.Context, w *app.Workbench, lang, run string) error {
	dataset := "airline-" + lang
	if _, err := w.Whole.Agreement(ctx, dataset); !problem.Is(err, problem.NotFound) {
		return err
	}
	due := w.Options.Now().AddDate(0, 0, 28).Format(time.DateOnly)
	file, err := experiments.ParseAgreement(fmt.Appendf(nil, demoAgreement[lang], due, run))
	if err != nil {
		return err
	}
	_, _, err = reviews.SetAgreement(ctx, w, dataset, reviews.AgreementChange{File: file})
	return err
}

// demoJudge measures the offline judge, where that has not been done.
func demoJudge(ctx context.Context, w *app.Workbench) error {
	if _, known, err := validations.CardOf(ctx, w, metrics.DefaultJudge()); known || err != nil {
		return err
	}
	_, err := validations.ValidateJudge(ctx, w, validations.Validation{})
	return err
}

// demoFire plans the demo's weekly evaluation and makes one now.
func demoFire(ctx context.Context, w *app.Workbench, lang, dir string) error {
	e, _, err := w.Experiment(ctx, filepath.Join(dir, "weekly.yaml"))
	if err != nil {
		return err
	}
	name := "monday-" + lang
	if _, err := schedules.Schedule(ctx, w, name); problem.Is(err, problem.NotFound) {
		_, err = schedules.PutSchedule(ctx, w, schedules.ScheduleOrder{Name: name, Experiment: e.Name, Cron: "0 6 * * 1",
			Zone: demoZones[lang], Lang: lang}, "")
		if err != nil {
			return err
		}
	} else if err != nil {
		return err
	}
	f, err := schedules.RunNow(ctx, w, name)
	if problem.CodeOf(err) == "fire_known" || problem.CodeOf(err) == "fire_open" {
		return nil // one of this second is as good
	}
	if err != nil {
		return err
	}
	_, err = schedules.NewScheduler(w, schedules.SchedulerOptions{Log: w.Log}).WorkFire(ctx, f.ID)
	return err
}

// demoZones are where the demo's help desks are.
var demoZones = map[string]string{"en": "Europe/London", "ja": "Asia/Tokyo"}
