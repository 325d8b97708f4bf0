package views

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/stats"
)

// ballot is every vote that was cast on one question of a run, by metric; the test counts it by itself.
type ballot map[string]map[string][]float64 // metric → question → values

func (b ballot) cast(r experiments.Result) {
	for _, s := range r.Scores {
		if s.State == metrics.Scored {
			if b[s.Metric] == nil {
				b[s.Metric] = map[string][]float64{}
			}
			b[s.Metric][r.QuestionID] = append(b[s.Metric][r.QuestionID], s.Value)
		}
	}
}

// mean is the mean over the questions of the mean of their votes, and over how many.
func (b ballot) mean(metric string) (float64, int) {
	sum := 0.0
	for _, votes := range b[metric] {
		of := 0.0
		for _, v := range votes {
			of += v
		}
		sum += of / float64(len(votes))
	}
	return sum / float64(len(b[metric])), len(b[metric])
}

// low counts the questions whose mean correctness or trust is at or below the threshold.
func (b ballot) low(threshold float64) int {
	low := map[string]bool{}
	for _, metric := range []string{"correctness", "trust"} {
		for q, votes := range b[metric] {
			of := 0.0
			for _, v := range votes {
				of += v
			}
			low[q] = low[q] || of/float64(len(votes)) <= threshold
		}
	}
	n := 0
	for _, is := range low {
		if is {
			n++
		}
	}
	return n
}

// voted stores a finished run of this setup with random scores, one in five missing, and adds them to the ballot.
func voted(t *testing.T, w *apptest.World, random *rand.Rand, like experiments.Run, b ballot) experiments.Run {
	t.Helper()
	ctx := t.Context()
	now := w.Options.Now()
	run, err := w.Store.CreateRun(ctx, experiments.Run{Kind: experiments.KindEvaluate, ParentID: like.ParentID, SweepID: like.SweepID,
		Params: like.Params, Setup: like.Setup, CreatedAt: now}, like.Setup.Questions)
	if err == nil {
		_, err = w.Store.ClaimRun(ctx, run.ID, "me", now, now.Add(-time.Hour))
	}
	if err != nil {
		t.Fatal(err)
	}
	var results []experiments.Result
	for _, id := range like.Setup.Questions {
		r := experiments.Result{QuestionID: id}
		for _, s := range like.Setup.Suite {
			score := metrics.Score{Metric: s.ID, Version: s.Version, State: metrics.Scored, Value: float64(1 + random.IntN(5))}
			if random.IntN(5) == 0 {
				score = metrics.Score{Metric: s.ID, Version: s.Version, State: metrics.Errored, Reason: "provider_down"}
			}
			r.Scores = append(r.Scores, score)
		}
		results = append(results, r)
		b.cast(r)
	}
	if err = w.Store.SaveResults(ctx, run.ID, results, nil, now); err == nil {
		totals := experiments.Total(results, experiments.UsualLow(2))
		err = w.Store.FinishRun(ctx, run.ID, "me", totals, experiments.Chain(results), w.Options.Now())
	}
	if err != nil {
		t.Fatal(err)
	}
	return run
}

// further casts up to four more votes on some questions of a run.
func further(t *testing.T, w *apptest.World, random *rand.Rand, run experiments.Run, b ballot) (children []experiments.Run) {
	t.Helper()
	for replicate := range random.IntN(5) {
		child := experiments.Run{ParentID: run.ID, Setup: run.Setup}
		child.Setup.Replicate, child.Setup.Questions = replicate+1, nil
		for i := range apptest.AskedQuestions {
			if random.IntN(3) > 0 || i == 0 {
				child.Setup.Questions = append(child.Setup.Questions, fmt.Sprint("q", i))
			}
		}
		children = append(children, voted(t, w, random, child, b))
	}
	return children
}

// TestEveryDoorGivesTheMeanOfTheVotes: lists, pages, trends, sweeps, comparisons, questions and reports say of the same runs the same
// means, those that the test adds up from the votes that it cast.
func TestEveryDoorGivesTheMeanOfTheVotes(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			random := rand.New(rand.NewPCG(seed, 7)) //nolint:gosec // a seed
			w := apptest.NewWorld(t, "")
			e, jobs := w.Swept(t, "name: asked\nsuite: [correctness, trust]\nbase: {retrieve: {mode: bm25, k: 1}}\n"+
				"sweep: {retrieve.k: [1, 2, 3]}\n")
			sweep, runs, err := w.Sweep(t.Context(), e, jobs)
			if err != nil {
				t.Fatal(err)
			}
			ballots := map[string]ballot{}
			for _, run := range runs {
				b := castIn(t, w, run)
				further(t, w, random, run, b)
				ballots[run.ID] = b
			}
			alone := runs[0]
			alone.SweepID, alone.Params = "", nil
			for i := range apptest.AskedQuestions {
				alone.Setup.Questions = append(alone.Setup.Questions, fmt.Sprint("q", i))
			}
			for range 4 {
				b := ballot{}
				run := voted(t, w, random, alone, b)
				if children := further(t, w, random, run, b); len(children) > 1 {
					b = dropped(t, w, run, children[1])
				}
				ballots[run.ID] = b
			}
			doors := doorsOf(t, w, sweep, ballots)
			for door, means := range doors {
				for id, b := range ballots {
					for _, metric := range []string{"correctness", "trust"} {
						got, known := means[id+" "+metric]
						if want, _ := b.mean(metric); known && math.Abs(got-want) > 1e-9 {
							t.Errorf("%s says %s of %s is %v, and the votes %v", door, metric, id, got, want)
						}
					}
				}
				if len(means) == 0 {
					t.Errorf("%s says nothing", door)
				}
			}
			found, err := w.Whole.Check(t.Context())
			for _, f := range found {
				if f.Invariant == "V4" {
					t.Error(f.Subject, f.Message)
				}
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}

// dropped deletes a child and counts the votes that are left.
func dropped(t *testing.T, w *apptest.World, run, child experiments.Run) ballot {
	t.Helper()
	if err := w.Store.DeleteRun(t.Context(), child.ID); err != nil {
		t.Fatal(err)
	}
	left, err := w.Store.Runs(t.Context(), experiments.RunFilter{ParentID: run.ID})
	if err != nil {
		t.Fatal(err)
	}
	return castIn(t, w, append(left, run)...)
}

// castIn are the votes that are stored in runs.
func castIn(t *testing.T, w *apptest.World, runs ...experiments.Run) ballot {
	t.Helper()
	b := ballot{}
	for _, r := range runs {
		results, err := w.Store.Results(t.Context(), r.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, vote := range results {
			b.cast(vote)
		}
	}
	return b
}

// doorsOf are the means that each door gives, by run and metric.
func doorsOf(t *testing.T, w *apptest.World, sweep experiments.Run, ballots map[string]ballot) map[string]map[string]float64 {
	t.Helper()
	ctx, v := t.Context(), NewViews(w.Workbench)
	doors := map[string]map[string]float64{}
	tell := func(door, id, metric string, mean float64) {
		if doors[door] == nil {
			doors[door] = map[string]float64{}
		}
		doors[door][id+" "+metric] = mean
	}
	totals := func(door, id string, of *experiments.Totals) {
		for metric, m := range of.Scores {
			tell(door, id, metric, m.Mean)
			if _, n := ballots[id].mean(metric); n != m.N || of.Questions != len(apptest.AskedQuestions) {
				t.Errorf("%s says n = %d of %d, and %d were scored", door, m.N, of.Questions, n)
			}
		}
		if low := ballots[id].low(2); of.LowScoreCount != low {
			t.Errorf("%s says %d low scores of %s, and the votes %d", door, of.LowScoreCount, id, low)
		}
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	trend, err := v.ExperimentTrend(ctx, "asked", 0)
	must(err)
	for _, p := range trend.Points {
		for metric, m := range p.Run.Metrics {
			tell("trend", p.Run.RunID, metric, m.Mean)
		}
	}
	view, err := v.Sweep(ctx, sweep.ID)
	must(err)
	for _, p := range view.Runs {
		totals("sweep", p.Run.RunID, p.Run.Totals)
	}
	for _, m := range view.Maps {
		for _, c := range m.Cells {
			tell("heat map", c.RunID, m.Metric, c.Mean)
		}
	}
	for id := range ballots {
		detail, err := v.Run(ctx, id)
		must(err)
		totals("page", id, detail.Row.Totals)
		totals("run", id, detail.Run.Totals)
		run, err := w.FindRun(ctx, id)
		must(err)
		totals("command line", id, run.Totals)
		for metric, m := range app.Summarize(run).Scores {
			tell("summary", id, metric, m.Mean)
		}
		c, _, err := w.Compare(ctx, id, id)
		must(err)
		for metric, m := range c.Metrics {
			tell("comparison", id, metric, m.Candidate)
		}
		questions, _, err := v.Questions(ctx, id, QuestionQuery{Page: listing.Page{Limit: 100}})
		must(err)
		for _, metric := range []string{"correctness", "trust"} {
			sum, n := 0.0, 0.0
			for _, q := range questions.Items {
				if value, ok := q.Scores[metric]; ok {
					sum, n = sum+value, n+1
				}
			}
			tell("questions", id, metric, sum/n)
		}
		report, err := reporting.Report(ctx, w.Workbench, "", id, "en", "test", reporting.GateAsked{})
		must(err)
		var text bytes.Buffer
		must(report.WriteMarkdown(&text))
		for _, title := range []string{"correctness", "trust"} {
			mean, _ := ballots[id].mean(title)
			up, down := stats.Fixed(mean+1e-9, 2), stats.Fixed(mean-1e-9, 2) // the same but for sums in another order
			if !strings.Contains(text.String(), up) && !strings.Contains(text.String(), down) {
				t.Errorf("the report of %s does not say %s of %s", id, up, title)
			}
		}
	}
	list, err := v.Runs(ctx, RunQuery{Page: listing.Page{Limit: 100, Sort: "-correctness"}})
	must(err)
	for _, row := range list.Items {
		if ballots[row.RunID] != nil {
			totals("list", row.RunID, row.Totals)
		}
	}
	if !slices.IsSortedFunc(list.Items, func(a, b app.RunRow) int { return a.Mean("correctness").Compare(b.Mean("correctness"), true) }) {
		t.Error("the list is not in the order of the means that it shows")
	}
	return doors
}
