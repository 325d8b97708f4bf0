package sharing

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/people"
	"github.com/rag-workbench/workbench/internal/app/reporting"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/reports"
)

// How long a link works, in days.
const (
	DefaultDays = 14
	MaxDays     = 90
)

// maxPageBytes bounds what one link keeps in each language.
const maxPageBytes = 8 << 20

// languages are those that every page is kept in.
var languages = []string{"en", "ja"}

// Sharing makes, lists, revokes and opens links. It is safe for concurrent use.
type Sharing struct {
	Workbench *app.Workbench
	People    *people.People // writes down who opened what
	Views     *views.Views
	Version   string // of the program, for the pages
	Now       func() time.Time
	// Notebook is a notebook with the state of its cells, by the name that people give
	Notebook func(ctx context.Context, name string, params []string) (*notebooks.Notebook, *notebooks.View, error)
	// Comments puts what people say about a notebook into it
	Comments func(ctx context.Context, name string, n *notebooks.Notebook) error
}

// Ask says what is to be shared, and how.
type Ask struct {
	Kind      string              // a Share… constant of experiments
	Beside    []string            // runs beside a baseline, at most [views.MostBeside]
	Candidate string              // run id, its beginning, or an experiment's name
	Baseline  string              // of a comparison; "" takes the pinned one
	Notebook  string              // name
	Params    []string            // of the notebook, as cell.name=value
	Texts     bool                // with the texts of questions, answers and passages
	Comments  bool                // with what people say about the cells of the notebook
	Days      int                 // 1 to MaxDays; 0 is DefaultDays
	Limits    reporting.GateAsked // of the release check of a comparison; nothing else may have any
}

// page writes what is shared in one language.
type page func(lang string, frame *reports.Frame, w *bytes.Buffer) error

// Create makes a link and returns its secret, of which only a hash is kept. Problems: days, share_kind, share_limits, run_unfinished,
// page_large, and those of reports and notebooks.
func (s Sharing) Create(ctx context.Context, by people.Actor, ask Ask) (experiments.Share, string, error) {
	days := cmp.Or(ask.Days, DefaultDays)
	if days < 1 || days > MaxDays {
		return experiments.Share{}, "", problem.New(problem.Invalid, "share_days", "a link works for 1 to %d days", MaxDays).
			With("field", "days").With("max", MaxDays).WithHint("make another one when it has expired")
	}
	now := s.Now().UTC()
	share := experiments.Share{ID: people.NewID()[:16], Kind: ask.Kind, Texts: ask.Texts, MadeBy: by.Name, CreatedAt: now,
		ExpiresAt: now.Add(time.Duration(days) * 24 * time.Hour), Pages: map[string][]byte{}}
	write, err := s.written(ctx, ask, &share)
	if err != nil {
		return experiments.Share{}, "", err
	}
	for _, lang := range languages {
		var body bytes.Buffer
		if err := write(lang, reports.SharedFrame(lang, now, share.ExpiresAt, share.Texts), &body); err != nil {
			return experiments.Share{}, "", err
		}
		if body.Len() > maxPageBytes {
			return experiments.Share{}, "", problem.New(problem.Invalid, "page_large", "the page is larger than %d MiB", maxPageBytes>>20).
				WithHint("share it without texts, or send it as a file")
		}
		share.Pages[lang] = body.Bytes()
	}
	secret := people.NewSecret("wbp_")
	share.Hash = people.HashOf(secret)
	return share, secret, s.Workbench.Whole.CreateShare(ctx, share)
}

// written finds what is to be shared, says in the link what that is, and returns what writes it.
func (s Sharing) written(ctx context.Context, ask Ask, share *experiments.Share) (page, error) {
	rules, err := ask.Limits.Rules()
	if err != nil {
		return nil, err
	}
	if len(rules.Limits()) > 0 && (ask.Kind == experiments.ShareBeside || ask.Kind == experiments.ShareNotebook) {
		return nil, problem.New(problem.Invalid, "share_limits", "limits of the release check are those of a comparison of two runs").
			With("field", "min").WithHint("leave them out; a notebook has limits in its gate and report cells")
	}
	switch ask.Kind {
	case experiments.ShareComparison:
		return s.report(ctx, ask.Baseline, ask.Candidate, ask.Limits, share)
	case experiments.ShareBeside:
		return s.beside(ctx, ask, share)
	case experiments.ShareRun:
		return s.report(ctx, ask.Candidate, ask.Candidate, ask.Limits, share)
	case experiments.ShareNotebook:
		return s.notebook(ctx, ask, share)
	}
	return nil, problem.New(problem.Invalid, "share_kind", "%q cannot be shared", ask.Kind).With("field", "kind").
		WithHint("share a comparison, runs side by side, a run or a notebook")
}

// report is the report about a run, or about a run and its baseline.
func (s Sharing) report(ctx context.Context, baseline, candidate string, limits reporting.GateAsked, share *experiments.Share) (page,
	error) {
	r, err := reporting.Report(ctx, s.Workbench, baseline, candidate, "en", s.Version, limits)
	if err != nil {
		return nil, err
	}
	run := r.Candidate.Run
	share.Title, share.Runs = named(run), []string{run.ID}
	if r.Baseline != nil {
		share.Title = pair(r.Baseline.Run, run)
		share.Runs = []string{r.Baseline.Run.ID, run.ID}
	} else if share.Kind == experiments.ShareComparison {
		return nil, problem.New(problem.Invalid, "share_alone", "run %s is compared with no other run", run.ID).With("run", run.ID).
			WithHint("name the run before, pin a baseline, or share the run alone")
	}
	if run.State != experiments.Finished {
		return nil, problem.New(problem.Conflict, "run_unfinished", "run %s is %s", run.ID, run.State).With("run", run.ID).
			WithHint("a link shows what is settled: share it when the run has finished")
	}
	r.NoTexts = !share.Texts
	return func(lang string, frame *reports.Frame, w *bytes.Buffer) error {
		shown := r
		shown.Lang, shown.Frame = lang, frame
		return shown.WriteHTML(w)
	}, nil
}

// named is a run as people tell it from others.
func named(run experiments.Run) string {
	if params := experiments.Describe(run.Params); params != "" {
		return run.Setup.Experiment + " (" + params + ")"
	}
	return run.Setup.Experiment
}

// pair are two runs, the earlier one first.
func pair(a, b experiments.Run) string {
	from, to := experiments.Describe(a.Params), experiments.Describe(b.Params)
	if name := b.Setup.Experiment; a.Setup.Experiment == name && from != "" && to != "" && from != to {
		return name + " (" + from + " → " + to + ")"
	}
	return named(a) + " → " + named(b)
}

// notebook is a notebook in reading mode.
func (s Sharing) notebook(ctx context.Context, ask Ask, share *experiments.Share) (page, error) {
	n, v, err := s.Notebook(ctx, ask.Notebook, ask.Params)
	if err != nil {
		return nil, err
	}
	if !share.Texts {
		v = v.WithoutTexts()
	}
	if ask.Comments {
		if err := s.Comments(ctx, ask.Notebook, n); err != nil {
			return nil, err
		}
	}
	share.Notebook, share.Title = n.Name(), cmp.Or(n.Document.Front.Title.In("en"), n.Name())
	share.Runs = append([]string{}, n.RunIDs()...)
	return func(lang string, frame *reports.Frame, w *bytes.Buffer) error {
		return n.WriteShared(v, lang, frame, w)
	}, nil
}

// List lists the links that have not expired, newest first. They hold no secrets.
func (s Sharing) List(ctx context.Context) ([]experiments.Share, error) {
	list, err := s.Workbench.Whole.Shares(ctx)
	out := []experiments.Share{}
	for _, x := range list {
		if s.Now().Before(x.ExpiresAt) {
			out = append(out, x)
		}
	}
	return out, err
}

// Revoke ends a link at once, on every server. It may be revoked already.
func (s Sharing) Revoke(ctx context.Context, id string) (experiments.Share, error) {
	return s.Workbench.Whole.RevokeShare(ctx, id, s.Now().UTC())
}

// Open is the page behind a secret in "en" or "ja"; ok is false when there is none, whatever the reason. The first opening is written
// into the audit log, and then the tenth, the hundredth and so on.
func (s Sharing) Open(ctx context.Context, secret, lang, address string) (body []byte, ok bool, err error) {
	share, ok, err := s.Workbench.Whole.OpenShare(ctx, people.HashOf(secret), lang, s.Now().UTC())
	if err != nil || !ok {
		return nil, false, err
	}
	if round(share.Opened) {
		by := people.Actor{Kind: people.ActorNobody, Address: address}
		err = s.People.Record(ctx, by, experiments.AuditEntry{Action: "share.open", Target: Told(share),
			Detail: fmt.Sprintf("opened %d×", share.Opened)})
	}
	return share.Pages[lang], true, err
}

// round reports whether n is 1, 10, 100, ….
func round(n int) bool {
	for n >= 10 && n%10 == 0 {
		n /= 10
	}
	return n == 1
}

// Told is a link as the audit log names it.
func Told(s experiments.Share) string {
	texts := "without texts"
	if s.Texts {
		texts = "with texts"
	}
	return fmt.Sprintf("%s %s %q, %s, until %s", s.ID, s.Kind, s.Title, texts, s.ExpiresAt.UTC().Format("2006-01-02 15:04"))
}

// PathPrefix is what the addresses of shared pages begin with, behind that of the server.
const PathPrefix = "/shared/"

// Path is where the page of a secret is shown. The secret stands in the path, because the page has no script that could read it from
// behind a #; the page links nowhere and sends no referrer.
func Path(secret string) string { return PathPrefix + secret }
