// Command year lets a year of weekly runs go by and measures whether the workbench is as quick in the last week as in the first. It
// prints Markdown tables.
//
//	go run ./bench/year                                            on SQLite
//	scripts/with-postgres.sh go run ./bench/year                   on PostgreSQL too
//	go run ./bench/year -weeks 3 -questions 5
//
// Every Monday three schedules fire, each over 500 questions. Two experiments buy their answers and scores from a server of models in
// a process of its own, which words answers anew, fails some requests once and some for a while, spoils some answers and turns some
// verdicts round: so there are retries, runs that ask again after errors, checks of what is in doubt and judges that are checked. The
// third uses the offline models. Replies older than 30 days are pruned every week, and there is a backup every fourth week.
// The clock is injected. The first run of each experiment is its baseline, of the week before the first.
//
// Processor time is user and system time of this process; on PostgreSQL that of the server stands behind a plus. The server of models is
// not counted.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"

	"github.com/rag-workbench/workbench/bench/gauge"
)

// options say what is simulated.
type options struct {
	weeks, questions, experiments, bought int
	every                                 int    // weeks between backups
	rounds                                int    // in which a page is measured
	folder                                string // where everything lies
	models                                string // base URL of the server of models
	postgres                              string // URL of a server whose user may create databases; "" leaves PostgreSQL out
	sqlite                                bool
	out                                   io.Writer
	note                                  func(format string, args ...any) // what is under way
}

func main() {
	o := options{out: os.Stdout, note: func(format string, args ...any) { fmt.Fprintf(os.Stderr, format+"\n", args...) }}
	flag.IntVar(&o.weeks, "weeks", 52, "weeks that go by")
	flag.IntVar(&o.questions, "questions", 500, "questions of an experiment")
	flag.IntVar(&o.experiments, "experiments", 3, "experiments, each with a schedule")
	flag.IntVar(&o.bought, "bought", 2, "how many of them buy their calls")
	flag.IntVar(&o.every, "backup-every", 4, "weeks between two backups")
	flag.IntVar(&o.rounds, "rounds", 5, "rounds of 20 in which a page is measured; the least counts")
	flag.StringVar(&o.folder, "keep", "", "folder that keeps what is made; default a temporary one")
	flag.StringVar(&o.postgres, "postgres", os.Getenv("WORKBENCH_TEST_POSTGRES"), "URL of a server whose user may create databases")
	flag.BoolVar(&o.sqlite, "sqlite", true, "measure SQLite")
	models := flag.Bool("models", false, "be the server of models; the command starts itself so")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	work := func() error { return measure(ctx, o) }
	if *models {
		work = func() error { return serveModels(ctx) }
	}
	if err := work(); err != nil {
		fmt.Fprintln(os.Stderr, "year:", err)
		os.Exit(1)
	}
}

// measure plays the year on every engine that is there.
func measure(ctx context.Context, o options) error {
	done, err := o.place()
	if err != nil {
		return err
	}
	defer done()
	address, stop, err := startModels(ctx)
	if err != nil {
		return err
	}
	defer stop()
	o.models = address
	if o.sqlite {
		if err := o.play(ctx, "SQLite", ""); err != nil {
			return fmt.Errorf("SQLite: %w", err)
		}
	}
	if o.postgres == "" {
		o.note("PostgreSQL is left out: no server is named; scripts/with-postgres.sh starts one")
		return nil
	}
	database, err := gauge.FreshDatabase(ctx, o.postgres, "year_"+strconv.Itoa(os.Getpid()))
	if err == nil {
		err = o.play(ctx, "PostgreSQL", database)
	}
	if err != nil {
		return fmt.Errorf("PostgreSQL: %w", err)
	}
	return nil
}

// place makes the folder.
func (o *options) place() (done func(), err error) {
	if o.folder != "" {
		if o.folder, err = filepath.Abs(o.folder); err != nil {
			return nil, err
		}
		return func() {}, os.MkdirAll(o.folder, 0o700)
	}
	if o.folder, err = os.MkdirTemp("", "year"); err != nil {
		return nil, err
	}
	return func() { _ = os.RemoveAll(o.folder) }, nil
}

// play lets the weeks go by on one engine and prints its table.
func (o options) play(ctx context.Context, engine, database string) (err error) {
	y, err := o.open(ctx, strings.ToLower(engine), database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, y.Close()) }()
	if err := y.pass(ctx, engine); err != nil {
		return err
	}
	y.print(engine)
	return nil
}

// pass lets the weeks go by.
func (y *year) pass(ctx context.Context, engine string) error {
	for week := 1; week <= y.options.weeks; week++ {
		if err := y.week(ctx, week); err != nil {
			return fmt.Errorf("week %d: %w", week, err)
		}
		y.note("%s, week %d of %d: fires %s", engine, week, y.options.weeks, y.fires[week-1])
	}
	return nil
}

// shown are the weeks that the table has a row for: the first, the last and the quarters.
func (o options) shown() []int {
	weeks := []int{1}
	for quarter := 1; quarter <= 4; quarter++ {
		if n := o.weeks * quarter / 4; n > weeks[len(weeks)-1] {
			weeks = append(weeks, n)
		}
	}
	return weeks
}
