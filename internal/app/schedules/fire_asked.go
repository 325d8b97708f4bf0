package schedules

import (
	"context"
	"slices"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/traces"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/foreign"
	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// usualDays are those before its slot from which a schedule takes what was asked.
const usualDays = 7

// recent is the window that an order asks for; nil where it names none.
func (o ScheduleOrder) recent() (*experiments.Recent, error) {
	if o.Last == 0 && o.Days == 0 && o.Seed == "" {
		return nil, nil //nolint:nilnil // most schedules have none
	}
	if o.Last == 0 { // nobody who names days alone says that the dataset is left out
		return nil, wrongSchedule("last", o.Last, "days and seed choose among questions that users asked: say how many, for example --last 200")
	}
	r := experiments.Recent{Last: o.Last, Days: o.Days, Seed: o.Seed}
	if r.Days == 0 {
		r.Days = usualDays
	}
	if o.Notebook != "" {
		return nil, wrongSchedule("last", r.Last, "only an experiment evaluates what was asked; a notebook names its own questions")
	}
	return &r, traces.Window{Last: r.Last, Days: r.Days}.Validate()
}

// askedName is what the frozen questions of a schedule are called, and the log of their answers.
func askedName(schedule string) string { return schedule + "-asked" }

// asked freezes what users asked in the days before the slot as a version of a dataset, and returns the experiment over it. Where the
// experiment replays a log, the answers that users got become a version of a log. A question that the experiment's own dataset has too
// is taken from there, with its id and right answer, so that it can be compared. The window ends with the slot, whenever the fire runs.
func (fi *firing) asked(ctx context.Context, e experiments.Experiment) (experiments.Experiment, error) {
	r := fi.schedule.Recent
	if r == nil {
		return e, nil
	}
	found, err := traces.Asked(ctx, fi.w, traces.Window{Last: r.Last, Days: r.Days, Seed: r.Seed, Now: fi.fire.NominalAt})
	if err != nil {
		return e, err
	}
	own, err := fi.w.Store.Dataset(ctx, e.Definition.Dataset)
	if err != nil {
		return e, err
	}
	name := askedName(fi.schedule.Name)
	questions, known := withReferences(found, own)
	now := fi.w.Options.Now()
	ref, _, err := fi.w.Store.PutDataset(ctx, experiments.NewDataset(name, questions), now)
	if err != nil {
		return e, err
	}
	e.Definition.Dataset = ref.String()
	if e.Definition.Answers != "" {
		dataset, err := fi.w.Store.Dataset(ctx, ref.String())
		if err != nil {
			return e, err
		}
		log, _, err := found.Log(name, dataset)
		if err != nil {
			return e, err
		}
		logged, _, err := fi.w.Store.PutLog(ctx, log, now)
		if err != nil {
			return e, err
		}
		e.Definition.Answers = logged.String()
	}
	for _, n := range found.Notes {
		fi.note("%s", n)
	}
	fi.note("evaluated %s as %s; %d of them have a right answer, the others are scored by metrics that need none",
		intake.Plural(len(questions), "question"), ref, known)
	return e, nil
}

// withReferences are the questions found, with those of a dataset in the place of equal ones; known counts the ones with a right answer.
func withReferences(found *foreign.Foreign, own *experiments.Dataset) (questions []experiments.Question, known int) {
	curated := map[string]experiments.Question{}
	for _, q := range own.Questions {
		if !slices.Contains(q.Tags, experiments.DraftTag) {
			curated[text.Fold(q.Text)] = q
		}
	}
	for _, q := range found.Questions() {
		if there, ok := curated[text.Fold(q.Text)]; ok {
			q = there
		}
		if q.Reference != "" || len(q.References) > 0 {
			known++
		}
		questions = append(questions, q)
	}
	return questions, known
}

// frozen is the job of the fire's experiment over what was asked, where the schedule wants that.
func (fi *firing) frozen(ctx context.Context, e experiments.Experiment) (app.Job, error) {
	over, err := fi.asked(ctx, e)
	if err != nil {
		return app.Job{}, err
	}
	job, err := fi.w.Job(ctx, over, app.Select{})
	if err != nil || fi.schedule.Recent == nil {
		return job, err
	}
	// what counts as low was agreed for the experiment's own dataset
	job.Setup.LowScore, job.Setup.Agreement, err = fi.w.AgreedThreshold(ctx, e.Definition.Dataset, e.Definition.LowScore)
	return job, err
}

// baseline is the pinned run of the dataset that was evaluated, else, of what was asked, that of the experiment's own dataset.
func (fi *firing) baseline(ctx context.Context, e experiments.Experiment, run experiments.Run) (experiments.Baseline, error) {
	pinned, err := fi.w.Store.Baseline(ctx, run.Setup.Dataset.Name)
	if fi.schedule.Recent != nil && problem.Is(err, problem.NotFound) {
		pinned, err = fi.w.Store.Baseline(ctx, app.NameOnly(e.Definition.Dataset))
	}
	return pinned, err
}

// compared says how much of what was asked the baseline was asked too. false: nothing, and the fire goes on without a baseline.
func (fi *firing) compared(ctx context.Context, baseline string, run experiments.Run) (bool, error) {
	if fi.schedule.Recent == nil {
		return true, nil
	}
	c, _, err := fi.w.Compare(ctx, baseline, run.ID)
	if problem.Is(err, problem.NotComparable) {
		fi.note("nothing is compared: the baseline %s was asked none of these questions", baseline)
		return false, nil
	}
	if err == nil {
		fi.note("compared with the baseline: %d of %s that it was asked too", c.Matched, intake.Plural(run.Totals.Questions, "question"))
	}
	return err == nil, err
}
