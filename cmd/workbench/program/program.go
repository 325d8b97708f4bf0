// Package program is what every verb of the command line shares: the program as a value with its streams, its clock and the flags of
// all verbs, how it opens a workbench, its exit codes, its two languages, and how it prints lines, tables and amounts.
//
// It knows no verb. The rooms beside it hold the verbs; cmd/workbench puts them into one tree.
package program

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"strconv"
	"time"

	"github.com/mattn/go-isatty"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Globals are the flags of every verb.
type Globals struct {
	Data        string `help:"Data directory (WORKBENCH_DATA)." default:"${data}" placeholder:"DIR"`
	Database    string `help:"PostgreSQL address instead of the SQLite file in the data directory (WORKBENCH_DATABASE_URL)." default:"${database}" placeholder:"URL"`
	Config      string `help:"Configuration file with providers and prices; default ./workbench.yaml when there is one (WORKBENCH_CONFIG)." default:"${config}" placeholder:"FILE"`
	Concurrency int    `help:"Questions worked at the same time; default one per processor offline, else twice the calls that the provider takes at once, and 8." short:"j" placeholder:"N" type:"count"`
	Memory      string `help:"Memory that search indexes may hold, such as 500MB: those that nobody uses are given up and built again when needed. Default: no limit (WORKBENCH_MEMORY)." default:"${memory}" placeholder:"SIZE"`
	JSON        bool   `help:"Print the result as JSON." name:"json"`
	Quiet       bool   `help:"No progress on standard error." short:"q"`
	Lang        string `help:"Language of what is printed and written: en or ja (report: both, too). Default by the locale." placeholder:"LANG"`
}

// IsTerminal reports whether somebody sits there: the null device does not.
func IsTerminal(f *os.File) bool { return isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()) }

// Program is the whole command as a value, so that tests can run it in-process.
type Program struct {
	Version        string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Now            func() time.Time
	Wait           func(time.Duration) bool // instead of waiting, in tests; false is a signal to stop
	Live           bool                     // standard error is a terminal: progress may overwrite its line
	Interactive    bool                     // standard input is a terminal: questions may be asked

	Context context.Context
	Flags   *Globals
	Opened  *app.Workbench // while with works
}

// EnvOr is a variable of the environment, or otherwise where it is empty.
func EnvOr(getenv func(string) string, name, otherwise string) string {
	if v := getenv(name); v != "" {
		return v
	}
	return otherwise
}

// open opens the workbench of the global flags. The caller closes it.
func (p *Program) open() (*app.Workbench, error) {
	o, err := p.Options()
	if err != nil {
		return nil, err
	}
	return app.Open(p.Context, o)
}

// Options are those of the global flags.
func (p *Program) Options() (app.Options, error) {
	log := slog.New(slog.NewTextHandler(p.Stderr, nil))
	saved, err := strconv.ParseBool(cmp.Or(p.Getenv("WORKBENCH_BACKUP_DONE"), "0"))
	if err != nil {
		err = problem.New(problem.Invalid, "backup_done", "WORKBENCH_BACKUP_DONE is neither 1 nor 0").
			WithHint("set it to 1 when you have a backup to go back to")
	}
	return app.Options{
		DataDir: p.Flags.Data, DatabaseURL: p.Flags.Database, ConfigPath: p.Flags.Config, Concurrency: p.Flags.Concurrency,
		BackupDone: saved, Memory: p.Flags.Memory, Pressed: p.pressed,
		Getenv: p.Getenv, Now: func() time.Time { return p.Now().UTC() }, Progress: p.progress, Notify: p.notice,
		Log: func(m string, args ...any) { log.Error(m, args...) },
	}, err
}

// Reading opens the workbench for a verb that changes nothing, does the work and closes it. Tables of an older program are brought up to
// date first, where that is possible, and it says so.
func (p *Program) Reading(work func(*app.Workbench) error) error { return p.Looking(true, work) }

// Looking is reading that may refuse tables of an older program.
func (p *Program) Looking(upgrade bool, work func(*app.Workbench) error) error {
	o, err := p.Options()
	if err != nil {
		return err
	}
	w, err := app.OpenReading(p.Context, o)
	if upgrade && problem.CodeOf(err) == "database_older" {
		p.Note("%s; it is brought up to date, and a copy is kept", problem.From(err).Message)
		older := err
		if w, err = p.open(); err != nil {
			return problem.From(older).Because(err)
		}
	}
	return p.worked(w, err, work)
}

// Showing opens the workbench for a verb that keeps what it computes on the way, where it can be kept: a place that cannot be written to is
// read as it is.
func (p *Program) Showing(work func(*app.Workbench) error) error {
	if w, err := p.open(); problem.CodeOf(err) != "database_file" {
		return p.worked(w, err, work)
	}
	return p.Looking(false, work)
}

// With opens the workbench, does the work and closes it.
func (p *Program) With(work func(*app.Workbench) error) error {
	w, err := p.open()
	return p.worked(w, err, work)
}

// worked does the work in a workbench that was opened, unless that failed, and closes it.
func (p *Program) worked(w *app.Workbench, err error, work func(*app.Workbench) error) error {
	if err != nil {
		return err
	}
	p.Opened = w
	defer func() { p.Opened = nil }()
	return errors.Join(p.budgeted(w, work), w.Close())
}
