package serve

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/frontend"
	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/analysis/progress"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/app/notify"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/stats"
)

// NotifyCmd is the verb notify.
type NotifyCmd struct {
	Test    notifyTestCmd    `cmd:"" help:"Send a test message to a channel."`
	List    notifyListCmd    `cmd:"" help:"List the channels and the newest messages with what was tried."`
	Deliver notifyDeliverCmd `cmd:"" help:"Send the messages that are due, once; a server does so all the time."`
}

type notifyTestCmd struct {
	Channel string `arg:"" help:"Name of a channel of the configuration."`
}

// Help shows an example.
func (notifyTestCmd) Help() string {
	return `Channels stand in the configuration file (docs/notifications.md describes every field):

  notifications:
    channels:
      ops:  {kind: slack, url_env: SLACK_URL, lang: ja}               # or teams; the variable holds the webhook's address
      hook: {kind: webhook, url_env: HOOK_URL, secret_env: HOOK_KEY}  # generic JSON, signed with HMAC-SHA256
      mail: {kind: mail, host: smtp.example.org, user: bench, password_env: MAIL_KEY, from: bench@example.org, to: [owner@example.org]}
    digest: {channel: mail, day: 1, zone: Asia/Tokyo}                 # once a month, of all schedules

Examples:
  workbench notify test ops
  workbench notify test mail --json

A message that does not arrive ends with exit code 1; it is not sent again.`
}

// Run sends and says what came of it.
func (c notifyTestCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		n, err := notify.TestChannel(p.Context, w, c.Channel)
		if err != nil {
			return err
		}
		row := notify.NoticeRowOf(n)
		if p.Flags.JSON {
			if err := p.PrintJSON(row); err != nil {
				return err
			}
		}
		if row.State == experiments.NoticeDelivered {
			if !p.Flags.JSON {
				p.Say("delivered to %s", c.Channel)
			}
			return nil
		}
		var said any = row.State
		code := string(row.State)
		if len(row.Attempts) > 0 {
			last := row.Attempts[len(row.Attempts)-1].Outcome
			said, code = problem.Both(last.EN, last.JA), last.Code
		}
		return problem.New(problem.Unavailable, "channel_test", "the test message to %s was not delivered: %s", c.Channel, said).
			With("channel", c.Channel).With("outcome", code).
			WithHint("`workbench notify list` shows what the channel needs")
	})
}

type notifyListCmd struct {
	Channel  string `help:"Only messages to this channel." placeholder:"NAME"`
	Schedule string `help:"Only messages of this schedule." placeholder:"NAME"`
	N        int    `help:"The newest N messages." short:"n" default:"20" placeholder:"N" type:"count"`
}

// Help shows an example.
func (notifyListCmd) Help() string {
	return `Examples:
  workbench notify list
  workbench notify list --channel mail -n 100 --json

Messages wait until a server or worker sends them, or until workbench notify deliver.`
}

// Run lists.
func (c notifyListCmd) Run(p *program.Program) error {
	if c.N < 1 {
		return problem.New(problem.Invalid, "limit", "-n is %d; it must be 1 or more", c.N)
	}
	return p.Reading(func(w *app.Workbench) error {
		messages, err := notify.NoticeRows(p.Context, w, experiments.NoticeFilter{Channel: c.Channel, Schedule: c.Schedule},
			listing.Page{Limit: c.N})
		if err != nil {
			return err
		}
		channels := notify.ChannelRows(w)
		if p.Flags.JSON {
			return p.PrintJSON(map[string]any{"channels": channels, "notices": messages.Items})
		}
		if len(channels) == 0 {
			p.Say("no channels: `workbench notify test --help` shows how to add one")
		}
		rows := make([][]string, len(channels))
		for i, r := range channels {
			ready := p.Lang().Format("ready")
			if !r.Ready {
				ready = p.Lang().Text("not ready: %s", r.Missing)
			}
			rows[i] = []string{r.Name, r.Kind, r.Lang, ready}
		}
		if len(rows) > 0 {
			p.Table([]string{"CHANNEL", "KIND", "LANG", "STATE"}, rows)
		}
		rows = rows[:0]
		for _, m := range messages.Items {
			last := ""
			if n := len(m.Attempts); n > 0 {
				last = m.Attempts[n-1].Outcome.In(string(p.Lang()))
			}
			rows = append(rows, []string{m.CreatedAt.Format("2006-01-02 15:04"), m.Channel,
				p.Lang().Word("schedules.messageStates", string(m.State)),
				strconv.Itoa(len(m.Attempts)), m.Title.In(string(p.Lang())), last})
		}
		if len(rows) > 0 {
			p.Table([]string{"AT (UTC)", "CHANNEL", "STATE", "TRIES", "MESSAGE", "LAST TRY"}, rows)
		}
		return nil
	})
}

type notifyDeliverCmd struct{}

// Run sends what is due.
func (notifyDeliverCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		made, err := notify.NewNotifier(w).Deliver(p.Context)
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(map[string]int{"attempts": made})
		}
		p.Say("%d attempts made", made)
		return nil
	})
}

// serveNotices delivers the messages of schedules until the program is interrupted; the function it returns waits for the end of that.
func serveNotices(p *program.Program, w *app.Workbench) (wait func()) {
	ctx, stop := context.WithCancel(p.Context)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		_ = notify.NewNotifier(w).Serve(ctx) // it returns nil: what goes wrong is logged and tried again
	}()
	return func() { stop(); <-ended }
}

// TrendCmd is the verb trend.
type TrendCmd struct {
	Name string `arg:"" help:"Name of a schedule, or of an experiment."`
	N    int    `help:"The newest N points." short:"n" default:"52" placeholder:"N"`
}

// Help shows an example.
func (TrendCmd) Help() string {
	return `A line for each fire of a schedule, or each run of an experiment: means with their 95% intervals, low scores, causes, and what changed.

Examples:
  workbench trend weekly
  workbench trend faq -n 12 --json`
}

// Run prints the series.
func (c TrendCmd) Run(p *program.Program) error {
	if c.N < 1 || c.N > views.MostTrendPoints {
		return problem.New(problem.Invalid, "limit", "-n is %d; it must be from 1 to %d", c.N, views.MostTrendPoints)
	}
	return p.With(func(w *app.Workbench) error {
		t, err := views.NewViews(w).Trend(p.Context, c.Name, c.N)
		if err != nil {
			return err
		}
		view := findings.ViewTrend(t)
		if p.Flags.JSON {
			return p.PrintJSON(view)
		}
		if len(t.Points) == 0 {
			p.Say("%s has no finished run yet", c.Name)
			return nil
		}
		schedulesOf(p).trend(view)
		return nil
	})
}

// trend prints a series as a table.
func (p schedulePrinter) trend(t findings.TrendView) {
	deciding := t.Deciding[:min(2, len(t.Deciding))]
	header := []string{"AT (UTC)", "RUN"}
	for _, metric := range deciding {
		header = append(header, p.Lang().Heading(metric))
	}
	header = append(header, "LOW", "CAUSES", "WORSE", "CHECK", "NOTES")
	rows := make([][]string, len(t.Points))
	offline := false
	for i, point := range t.Points {
		id, low, worse, causes, means := "-", "-", "-", []string{}, slices.Repeat([]string{"-"}, len(deciding))
		if r := point.Run; r != nil {
			offline, id = offline || r.Offline, r.RunID
			for k, metric := range deciding {
				means[k] = p.interval(r.Metrics[metric])
			}
			if r.Scored > 0 {
				low = fmt.Sprintf("%d/%d", r.Low, r.Scored)
			}
			for _, c := range r.Causes {
				causes = append(causes, fmt.Sprintf("%s %d", c.Component.Word(string(p.Lang())), c.N))
			}
		}
		if point.Baseline != "" {
			worse = p.Lang().Text("%d (%d new)", point.Worse, point.NewlyWorse)
		}
		rows[i] = slices.Concat([]string{point.At.UTC().Format("2006-01-02 15:04"), id}, means,
			[]string{low, cmp.Or(p.Lang().List(causes), "-"), worse, cmp.Or(p.decision(point.Gate), "-"), p.trendNotes(point)})
	}
	p.Table(header, rows)
	if t.More > 0 {
		p.Say("%d older points are not shown (-n)", t.More)
	}
	if t.Caution != nil {
		p.caution(t.Caution)
	} else if offline {
		p.Say("%s", findings.OfflineJudge(string(p.Lang())))
	}
}

// trendNotes says what else there is to know about a point.
func (p schedulePrinter) trendNotes(point progress.TrendPoint) string {
	var notes []string
	if point.State != experiments.FireRan {
		notes = append(notes, p.Lang().Word(fireStates, string(point.State)))
	}
	if point.IsBaseline {
		notes = append(notes, p.Lang().Format("baseline"))
	}
	if point.NewBaseline {
		notes = append(notes, p.Lang().Format("other baseline than before"))
	}
	if point.Drift != "" {
		notes = append(notes, p.Lang().Text("judge changed: %s", p.drift(point.Drift)))
	}
	for _, c := range point.Changes {
		if c == progress.ChangedLimits {
			lang := string(p.Lang())
			notes = append(notes, p.Lang().Text("limits of the release check changed: %s → %s", point.Limits.From.In(lang),
				point.Limits.To.In(lang)))
			continue
		}
		if p.Lang() == program.Japanese {
			notes = append(notes, frontend.Words("ja", "trend.happened."+string(c)))
		} else {
			notes = append(notes, "other "+strings.ReplaceAll(string(c), "_", " "))
		}
	}
	if point.Reason != "" {
		notes = append(notes, p.reason(point.Reason, ""))
	}
	return p.joined(notes)
}

// interval is a mean with its interval.
func (p schedulePrinter) interval(v progress.TrendValue) string {
	switch {
	case v.N == 0:
		return "-"
	case v.CI95 == nil:
		return stats.Fixed(v.Mean, 2)
	}
	return p.Lang().Text("%s (%s to %s)", stats.Fixed(v.Mean, 2), stats.Fixed(v.CI95[0], 2), stats.Fixed(v.CI95[1], 2))
}
