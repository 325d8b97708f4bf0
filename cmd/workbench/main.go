// Command workbench evaluates retrieval-augmented generation: it registers configurations as experiments, runs them over a
// question set, compares runs question by question and writes reports. `workbench --help` lists the verbs.
//
// This package holds verbs and flags; package app holds what they do. Results go to standard output, progress and errors
// to standard error.
package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/alecthomas/kong"
	"github.com/joho/godotenv"

	"github.com/rag-workbench/workbench/cmd/workbench/early"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/cmd/workbench/runs"
	"github.com/rag-workbench/workbench/internal/problem"
)

// version is set by the build.
var version = "development"

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	p := program.Program{
		Version: version, Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Now: time.Now,
		Live: program.IsTerminal(os.Stderr), Interactive: program.IsTerminal(os.Stdin),
	}
	code := p.Fail(readDotEnv(&p, ".env"))
	if code == program.ExitDone {
		code = run(ctx, &p, os.Args[1:])
	}
	stop()
	os.Exit(code)
}

// readDotEnv lets the variables of a .env file stand in for those that the environment lacks.
func readDotEnv(p *program.Program, path string) error {
	values, err := godotenv.Read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return problem.New(problem.Invalid, "dotenv", "the file %s cannot be read", path).Because(err).WithHint("its lines are NAME=value")
	}
	environment := p.Getenv
	p.Getenv = func(name string) string { return program.EnvOr(environment, name, values[name]) }
	return nil
}

// run parses the arguments, runs the verb and returns the exit code.
func run(ctx context.Context, p *program.Program, args []string) (code int) {
	args = asVerbs(args)
	return runOf(ctx, p, args, treeFor(args))
}

// runOf is run with as much of the tree of verbs as is told.
func runOf(ctx context.Context, p *program.Program, args []string, verbs tree) (code int) {
	exited := -1
	parser, err := kong.New(verbs.verbs, slices.Concat(program.Values(), []kong.Option{
		kong.Name("workbench"),
		kong.Description(description),
		kong.Writers(p.Stdout, p.Stderr),
		kong.Exit(func(c int) { exited = c; panic(leave{}) }),
		kong.Help(helpIn(p)),
		kong.ConfigureHelp(kong.HelpOptions{Compact: true, WrapUpperBound: 120}),
		kong.ExplicitGroups(groups),
		kong.Vars{"data": program.EnvOr(p.Getenv, "WORKBENCH_DATA", "./workbench-data"), "database": p.Getenv("WORKBENCH_DATABASE_URL"),
			"config": p.Getenv("WORKBENCH_CONFIG"), "memory": p.Getenv("WORKBENCH_MEMORY")},
	})...)
	if err != nil {
		return p.Fail(err)
	}
	list(parser.Model.Node, verbs.listed)
	p.Flags = &program.Globals{Lang: langAmong(args)}
	defer func() { // --help ends parsing in the middle
		if r := recover(); r != nil {
			if _, ok := r.(leave); !ok {
				panic(r)
			}
			code = exited
		}
	}()
	parsed, err := parser.Parse(runs.WithSignedTags(args))
	if err != nil {
		return usage(p, err)
	}
	if flag := emptyAmong(parsed, args); flag != nil {
		return emptied(p, verbOf(parsed), flag)
	}
	p.Context, p.Flags = ctx, verbs.flags
	if err := checkLang(p, verbOf(parsed)); err != nil {
		return p.Fail(err)
	}
	early.Over()
	return p.Fail(parsed.Run(p))
}

const description = "Did this change make the answers better, where, and why? Evaluates retrieval-augmented generation, offline by default."

type leave struct{}

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
