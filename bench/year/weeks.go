package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/bench/gauge"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/archive"
	"github.com/rag-workbench/workbench/internal/app/schedules"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// keeps is for how long raw replies are kept.
const keeps = 30 * 24 * time.Hour

// spent is what something took of the processor.
type spent struct{ own, server time.Duration }

func (s spent) sum() time.Duration { return s.own + s.server }

func (s spent) plus(t spent) spent { return spent{s.own + t.own, s.server + t.server} }

func (s spent) String() string {
	if s.server == 0 {
		return short(s.own)
	}
	return short(s.own) + " + " + short(s.server)
}

// short writes a time with three figures.
func short(d time.Duration) string {
	switch {
	case d >= 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Seconds())
	case d >= time.Second:
		return fmt.Sprintf("%.2f s", d.Seconds())
	case d >= 10*time.Millisecond:
		return fmt.Sprintf("%d ms", d.Milliseconds())
	}
	return fmt.Sprintf("%.1f ms", float64(d.Microseconds())/1000)
}

// timed does something and tells what it took.
func (y *year) timed(work func() error) (spent, error) {
	own, server := gauge.Own(), y.postgres.Used()
	err := work()
	return spent{gauge.Own() - own, y.postgres.Used() - server}, err
}

// weekly are the figures of one week.
type weekly struct {
	week                       int
	database, backedUp         int64 // bytes
	fire, prune, backup        spent
	home, list, compare, trend spent
}

// week lets one go by: its fires, pruning, now and then a backup; and measures what people look at where the table shows the week.
func (y *year) week(ctx context.Context, week int) error {
	shown := false
	for _, n := range y.shown() {
		shown = shown || n == week
	}
	if shown {
		if err := y.reopen(ctx); err != nil {
			return err
		}
	}
	figures := weekly{week: week}
	var last experiments.Fire
	for i := range y.experiments {
		took, fire, err := y.fire(ctx, experimentName(i))
		if err != nil {
			return err
		}
		figures.fire = figures.fire.plus(took)
		if i == 0 {
			last = fire
		}
	}
	y.fires = append(y.fires, figures.fire)
	y.clock.set(y.clock.now().Add(24 * time.Hour))
	var err error
	figures.prune, err = y.timed(func() error {
		_, err := app.Prune(ctx, y.Workbench, keeps, false)
		return err
	})
	if err != nil {
		return err
	}
	if shown || week%y.every == 0 {
		if figures.backup, figures.backedUp, err = y.backup(ctx); err != nil {
			return err
		}
	}
	if !shown {
		return nil
	}
	if err := y.looked(ctx, last, &figures); err != nil {
		return err
	}
	if figures.database, err = y.size(ctx); err != nil {
		return err
	}
	y.weeks = append(y.weeks, figures)
	return nil
}

// fire lets the next slot of a schedule come and waits for the end of its fire.
func (y *year) fire(ctx context.Context, schedule string) (took spent, f experiments.Fire, err error) {
	s, err := schedules.Schedule(ctx, y.Workbench, schedule)
	if err != nil {
		return took, f, err
	}
	y.clock.set(s.NextAt.Add(7 * time.Second))
	took, err = y.timed(func() error {
		if err := y.scheduler.Tick(ctx); err != nil {
			return err
		}
		y.scheduler.Wait()
		return nil
	})
	if err != nil {
		return took, f, err
	}
	fires, err := y.Whole.Fires(ctx, experiments.FireList{Schedule: schedule, Limit: 1})
	if err != nil {
		return took, f, err
	}
	if len(fires) != 1 || !fires[0].NominalAt.Equal(s.NextAt) || fires[0].State != experiments.FireRan {
		return took, f, fmt.Errorf("the fire of %s at %s did not run: %+v", schedule, s.NextAt, fires)
	}
	f = fires[0]
	run, err := y.Store.Run(ctx, f.RunID)
	if err != nil {
		return took, f, err
	}
	children, err := y.Whole.Runs(ctx, experiments.RunFilter{ParentID: run.ID})
	for _, c := range children {
		if c.Setup.Replicate == run.Setup.Replicate {
			y.told.retries++
		} else {
			y.told.votes++
		}
	}
	if f.Anchors != "" {
		y.told.judges++
	}
	y.told.ran, y.told.calls = y.told.ran+1, y.told.calls+f.Calls
	return took, f, err
}

// backup replaces the backup of before, so that the disk holds one.
func (y *year) backup(ctx context.Context) (took spent, bytes int64, err error) {
	file := filepath.Join(y.dir, "backup.zip")
	if err := os.Remove(file); err != nil && !errors.Is(err, os.ErrNotExist) {
		return took, 0, err
	}
	took, err = y.timed(func() error {
		_, err := archive.Backup(ctx, y.Workbench, file, "year")
		return err
	})
	if err != nil {
		return took, 0, err
	}
	info, err := os.Stat(file)
	if err != nil {
		return took, 0, err
	}
	return took, info.Size(), nil
}

// size is how many bytes the database has on the disk.
func (y *year) size(ctx context.Context) (n int64, err error) {
	if y.database != "" {
		return gauge.DatabaseSize(ctx, y.database)
	}
	for _, end := range []string{"", "-wal"} {
		info, err := os.Stat(filepath.Join(y.dir, "data", app.DatabaseFile+end))
		if err != nil {
			return 0, err
		}
		n += info.Size()
	}
	return n, nil
}

// columns are what the table shows of a week, after its number.
var columns = []struct {
	title string
	of    func(weekly) any // bytes or what was spent
}{
	{"database", func(w weekly) any { return w.database }},
	{"fires of a week", func(w weekly) any { return w.fire }},
	{"prune", func(w weekly) any { return w.prune }},
	{"backup", func(w weekly) any { return w.backup }},
	{"size of it", func(w weekly) any { return w.backedUp }},
	{"home page", func(w weekly) any { return w.home }},
	{"list of runs", func(w weekly) any { return w.list }},
	{"compare with last week", func(w weekly) any { return w.compare }},
	{"trend", func(w weekly) any { return w.trend }},
}

// print writes the table: a row for each week that it shows, and the last week by the first and by the second of them, which is the
// first with full pages.
func (y *year) print(engine string) {
	t := y.told
	fmt.Fprintf(y.out, "\n%s: %d weeks × %d experiments × %d questions; %d fires ran, with %d calls; %d runs gave votes, %d asked again after errors, "+
		"%d asked the judge again\n\n| week |",
		engine, y.options.weeks, y.experiments, y.questions, t.ran, t.calls, t.votes, t.retries, t.judges)
	for _, c := range columns {
		fmt.Fprintf(y.out, " %s |", c.title)
	}
	fmt.Fprintf(y.out, "\n|%s\n", strings.Repeat("---|", len(columns)+1))
	for _, w := range y.weeks {
		fmt.Fprintf(y.out, "| %d |", w.week)
		for _, c := range columns {
			if n, ok := c.of(w).(int64); ok {
				fmt.Fprintf(y.out, " %.1f MB |", float64(n)/1e6)
			} else {
				fmt.Fprintf(y.out, " %s |", c.of(w))
			}
		}
		fmt.Fprintln(y.out)
	}
	last := y.weeks[len(y.weeks)-1]
	for _, w := range y.weeks[:min(2, len(y.weeks)-1)] {
		fmt.Fprintf(y.out, "| %d ÷ %d |", last.week, w.week)
		for _, c := range columns {
			fmt.Fprintf(y.out, " %.2f |", amount(c.of(last))/max(amount(c.of(w)), 1e-6))
		}
		fmt.Fprintln(y.out)
	}
	n := min(4, len(y.fires))
	fmt.Fprintf(y.out, "\nfires of the last %d weeks ÷ those of the first %d: %.2f\n", n, n,
		mean(y.fires[len(y.fires)-n:])/mean(y.fires[:n]))
}

// amount is a figure as a number: bytes or seconds.
func amount(of any) float64 {
	if s, ok := of.(spent); ok {
		return s.sum().Seconds()
	}
	n, _ := of.(int64)
	return float64(n)
}

func mean(all []spent) (seconds float64) {
	for _, s := range all {
		seconds += s.sum().Seconds() / float64(len(all))
	}
	return seconds
}
