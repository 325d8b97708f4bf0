// Command workbench evaluates retrieval-augmented generation: it registers configurations as experiments, runs them over a
// question set, compares runs question by question and writes reports. `workbench --help` lists the verbs.
//
// This package holds verbs and flags; package app holds what they do. Results go to standard output, progress and errors
// to standard error.
package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"github.com/joho/godotenv"
	"github.com/mattn/go-isatty"

	"github.com/rag-workbench/workbench/cmd/workbench/early"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/problem"
)

// version is set by the build.
var version = "development"

// Exit codes (design.md 6). "Worse" and "broken" never share one.
const (
	exitDone          = 0
	exitBroken        = 1
	exitUsage         = 2
	exitIncomplete    = 5
	exitNotComparable = 6
	exitInterrupted   = 130
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	p := program{
		stdin: os.Stdin, stdout: os.Stdout, stderr: os.Stderr, getenv: os.Getenv, now: time.Now,
		live: isTerminal(os.Stderr), interactive: isTerminal(os.Stdin),
	}
	code := p.fail(p.readDotEnv(".env"))
	if code == exitDone {
		code = p.run(ctx, os.Args[1:])
	}
	stop()
	os.Exit(code)
}

// readDotEnv lets the variables of a .env file stand in for those that the environment lacks.
func (p *program) readDotEnv(path string) error {
	values, err := godotenv.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return problem.New(problem.Invalid, "dotenv", "the file %s cannot be read", path).Because(err).WithHint("its lines are NAME=value")
	}
	environment := p.getenv
	p.getenv = func(name string) string { return envOr(environment, name, values[name]) }
	return nil
}

// isTerminal reports whether somebody sits there: the null device does not.
func isTerminal(f *os.File) bool { return isatty.IsTerminal(f.Fd()) || isatty.IsCygwinTerminal(f.Fd()) }

// program is the whole command as a value, so that tests can run it in-process.
type program struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	getenv         func(string) string
	now            func() time.Time
	wait           func(time.Duration) bool // instead of waiting, in tests; false is a signal to stop
	live           bool                     // standard error is a terminal: progress may overwrite its line
	interactive    bool                     // standard input is a terminal: questions may be asked

	ctx    context.Context
	flags  *globals
	opened *app.Workbench // while with works
}

// run parses the arguments, runs the verb and returns the exit code.
func (p *program) run(ctx context.Context, args []string) (code int) {
	var cli cli
	exited := -1
	parser, err := kong.New(&cli,
		kong.Name("workbench"),
		kong.Description(description),
		kong.Writers(p.stdout, p.stderr),
		kong.Exit(func(c int) { exited = c; panic(leave{}) }),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 120}),
		kong.ExplicitGroups(groups),
		kong.Vars{"data": envOr(p.getenv, "WORKBENCH_DATA", "./workbench-data"), "database": p.getenv("WORKBENCH_DATABASE_URL"),
			"config": p.getenv("WORKBENCH_CONFIG"), "memory": p.getenv("WORKBENCH_MEMORY")},
	)
	if err != nil {
		return p.fail(err)
	}
	p.flags = &globals{Lang: langAmong(args)}
	p.lang().translate(parser.Model.Node)
	defer func() { // --help ends parsing in the middle
		if r := recover(); r != nil {
			if _, ok := r.(leave); !ok {
				panic(r)
			}
			code = exited
		}
	}()
	parsed, err := parser.Parse(withSignedTags(args))
	if err != nil {
		return p.usage(err)
	}
	p.ctx, p.flags = ctx, &cli.globals
	if err := p.checkLang(verbOf(parsed)); err != nil {
		return p.fail(err)
	}
	early.Over()
	return p.fail(parsed.Run(p))
}

const description = "Did this change make the answers better, where, and why? Evaluates retrieval-augmented generation, offline by default."

type leave struct{}

func envOr(getenv func(string) string, name, otherwise string) string {
	if v := getenv(name); v != "" {
		return v
	}
	return otherwise
}

// usage reports a mistake in the arguments.
func (p *program) usage(err error) int {
	fmt.Fprintf(p.stderr, "workbench: %v\n", err)
	hint := "workbench --help"
	if parse, ok := errors.AsType[*kong.ParseError](err); ok && parse.Context.Command() != "" {
		hint = "workbench " + verbOf(parse.Context) + " --help"
	}
	fmt.Fprintf(p.stderr, p.lang().format("hint: %s shows the arguments with examples")+"\n", hint)
	return exitUsage
}

func verbOf(c *kong.Context) string {
	verb := ""
	for _, part := range c.Path {
		if part.Command != nil {
			if verb != "" {
				verb += " "
			}
			verb += part.Command.Name
		}
	}
	return verb
}

// fail prints an error for people and returns the exit code that belongs to it.
func (p *program) fail(err error) int {
	if err == nil {
		return exitDone
	}
	if code, ok := errors.AsType[exitError](err); ok {
		return int(code)
	}
	if p.ctx != nil && p.ctx.Err() != nil && errors.Is(err, context.Canceled) {
		fmt.Fprintln(p.stderr, "workbench: "+p.lang().format("stopped by Ctrl-C"))
		return exitInterrupted
	}
	what := problem.From(err)
	message, detail, hint := p.lang().problem(what)
	if what.Code == "internal" && hint == "" {
		hint = p.lang().format("`workbench doctor` checks what is stored; if it happens again, report it with the lines above")
	}
	fmt.Fprintf(p.stderr, "workbench: %s\n", message)
	if detail != "" {
		fmt.Fprintf(p.stderr, p.lang().format("detail: %s")+"\n", detail)
	}
	if rows, ok := what.Params["problems"].([]intake.RowProblem); ok {
		for i, r := range rows {
			if i == 0 && len(r.Candidates) == 0 && strings.Contains(message, r.Message) {
				continue // the message is about it
			}
			fmt.Fprintf(p.stderr, "  %s\n", printable(r.String()))
		}
	}
	if what.Err != nil {
		fmt.Fprintf(p.stderr, p.lang().format("cause: %v")+"\n", what.Err)
	}
	if hint != "" {
		fmt.Fprintf(p.stderr, p.lang().format("hint: %s")+"\n", hint)
	}
	if p.ctx != nil && p.ctx.Err() != nil {
		return exitInterrupted
	}
	switch what.Kind {
	case problem.Invalid, problem.NotFound, problem.Conflict:
		return exitUsage
	case problem.Incomplete:
		return exitIncomplete
	case problem.NotComparable:
		return exitNotComparable
	case problem.Unavailable, problem.Internal:
	}
	return exitBroken
}

// open opens the workbench of the global flags. The caller closes it.
func (p *program) open() (*app.Workbench, error) {
	o, err := p.options()
	if err != nil {
		return nil, err
	}
	return app.Open(p.ctx, o)
}

// options are those of the global flags.
func (p *program) options() (app.Options, error) {
	log := slog.New(slog.NewTextHandler(p.stderr, nil))
	saved, err := strconv.ParseBool(cmp.Or(p.getenv("WORKBENCH_BACKUP_DONE"), "0"))
	if err != nil {
		err = problem.New(problem.Invalid, "backup_done", "WORKBENCH_BACKUP_DONE is neither 1 nor 0").
			WithHint("set it to 1 when you have a backup to go back to")
	}
	return app.Options{
		DataDir: p.flags.Data, DatabaseURL: p.flags.Database, ConfigPath: p.flags.Config, Concurrency: p.flags.Concurrency,
		BackupDone: saved, Memory: p.flags.Memory, Pressed: p.pressed,
		Getenv: p.getenv, Now: func() time.Time { return p.now().UTC() }, Progress: p.progress, Notify: p.notice,
		Log: func(m string, args ...any) { log.Error(m, args...) },
	}, err
}

// reading opens the workbench for a verb that changes nothing, does the work and closes it. Tables of an older program are brought up to
// date first, where that is possible, and it says so.
func (p *program) reading(work func(*app.Workbench) error) error { return p.looking(true, work) }

// looking is reading that may refuse tables of an older program.
func (p *program) looking(upgrade bool, work func(*app.Workbench) error) error {
	o, err := p.options()
	if err != nil {
		return err
	}
	w, err := app.OpenReading(p.ctx, o)
	if upgrade && problem.CodeOf(err) == "database_older" {
		p.note("%s; it is brought up to date, and a copy is kept", problem.From(err).Message)
		older := err
		if w, err = p.open(); err != nil {
			return problem.From(older).Because(err)
		}
	}
	if err != nil {
		return err
	}
	p.opened = w
	defer func() { p.opened = nil }()
	return errors.Join(p.budgeted(w, work), w.Close())
}

// with opens the workbench, does the work and closes it.
func (p *program) with(work func(*app.Workbench) error) error {
	w, err := p.open()
	if err != nil {
		return err
	}
	p.opened = w
	defer func() { p.opened = nil }()
	return errors.Join(p.budgeted(w, work), w.Close())
}
