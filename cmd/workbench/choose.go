package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

// choose lets people take one of some options with the arrow keys, and returns its place. The end of input takes the chosen one.
func (p libraryPrinter) choose(in *bufio.Reader, title string, options []string) (int, error) {
	restore, err := p.keys()
	if err != nil {
		return 0, err
	}
	defer restore()
	for at, drawn := 0, false; ; drawn = true {
		p.drawChoice(title, options, at, drawn)
		key, err := readKey(in)
		switch {
		case errors.Is(err, io.EOF) || key == "enter":
			return at, nil
		case err != nil:
			return 0, err
		case key == "stop":
			return 0, problem.New(problem.Invalid, "usage", "nothing was chosen; nothing was written").
				WithHint("choose with --corpus NAME and --dataset NAME")
		case key == "up":
			at = max(0, at-1)
		case key == "down":
			at = min(len(options)-1, at+1)
		}
	}
}

func (p libraryPrinter) drawChoice(title string, options []string, at int, drawn bool) {
	var b strings.Builder
	if drawn {
		fmt.Fprintf(&b, "\x1b[%dA\r\x1b[J", len(options)+1)
	}
	b.WriteString(title + "\r\n")
	for i, o := range options {
		mark := "  "
		if i == at {
			mark = "> "
		}
		b.WriteString(mark + oneLine(o, 76) + "\r\n")
	}
	fmt.Fprint(p.stdout, b.String())
}

// ask settles what data the notebook works on where no flag says it: on a terminal people choose, otherwise the choices are named and the
// data of the demo are taken. Without data of one's own there is nothing to choose.
func (c *notebookNewCmd) ask(p *program) error {
	if c.Corpus != "" || c.Dataset != "" {
		return nil
	}
	var corpora, datasets []string
	if err := p.reading(func(w *app.Workbench) (err error) {
		if corpora, err = namesOf(w.Store.Corpora(p.ctx)); err == nil {
			datasets, err = namesOf(w.Store.Datasets(p.ctx))
		}
		return err
	}); err != nil || len(corpora) == 0 || len(datasets) == 0 {
		return nil // no database yet: the notebook says what it needs when it is run
	}
	if !p.interactive || p.flags.JSON {
		p.note("it works on the data of workbench demo; on your own with --corpus (%s) and --dataset (%s)", p.lang().list(corpora),
			p.lang().list(datasets))
		return nil
	}
	in := bufio.NewReader(p.stdin)
	at, err := p.library().choose(in, p.lang().text("Which documents? Up and down choose, Enter takes, q stops."),
		append(corpora, p.lang().text("the data of workbench demo")))
	if err != nil || at == len(corpora) {
		return err
	}
	c.Corpus = corpora[at]
	if at, err = p.library().choose(in, p.lang().text("Which questions? Up and down choose, Enter takes, q stops."), datasets); err == nil {
		c.Dataset = datasets[at]
	}
	return err
}

// namesOf are the names of registered things, each once, the newest first.
func namesOf(list []experiments.Listing, err error) ([]string, error) {
	var names []string
	seen := map[string]bool{}
	for _, l := range list {
		if !seen[l.Ref.Name] {
			seen[l.Ref.Name] = true
			names = append(names, l.Ref.Name)
		}
	}
	return names, err
}
