package notebook

import (
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/notify"
	apppeople "github.com/rag-workbench/workbench/internal/app/people"
	"github.com/rag-workbench/workbench/internal/app/studies"
	"github.com/rag-workbench/workbench/internal/notebooks"
)

type notebookCommentsCmd struct {
	File    string `arg:"" help:"Notebook."`
	All     bool   `help:"Those that are resolved too."`
	Add     string `help:"Say this about --cell, in Markdown." placeholder:"TEXT"`
	Cell    string `help:"Cell that --add is about." placeholder:"NAME"`
	Resolve string `help:"Resolve the comment of this id." placeholder:"ID"`
	Reopen  string `help:"Open the comment of this id again." placeholder:"ID"`
}

// Help explains.
func (notebookCommentsCmd) Help() string {
	return `Comments stand beside the file, in the data directory: on a cell, or on one question of a run that a cell shows. They go along when a
cell is renamed on the page. Whoever is named behind an @ gets a message, where the configuration has a channel for mentions.

Examples:
  workbench notebook comments study.rag.md
  workbench notebook comments study.rag.md --cell c1 --add "Is **q-12** worse, or is the reference wrong?"
  workbench notebook comments study.rag.md --resolve k3x9`
}

// Run lists.
func (c notebookCommentsCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		on, err := studies.CommentsOf(w, c.File)
		if err != nil {
			return err
		}
		var added studies.Comment
		if c.Add != "" || c.Cell != "" {
			if added, err = on.Add(p.Context, studies.CommentOn{Cell: c.Cell, Text: c.Add, By: apppeople.Machine().Name}); err != nil {
				return err
			}
			mentioned(p, added.Mentions)
		}
		for id, resolved := range map[string]bool{c.Resolve: true, c.Reopen: false} {
			if id != "" {
				if _, err := on.Settle(p.Context, id, apppeople.Machine().Name, resolved); err != nil {
					return err
				}
			}
		}
		list, err := on.List(p.Context)
		if err != nil {
			return err
		}
		open := []studies.Comment{}
		for _, x := range list {
			if x.ID == added.ID {
				x.Mentions = added.Mentions
			}
			if c.All || x.ResolvedAt == nil {
				open = append(open, x)
			}
		}
		if p.Flags.JSON {
			return p.PrintJSON(open)
		}
		var rows [][]string
		for _, x := range open {
			about := x.Cell
			if x.Question != "" {
				about += " · " + x.Run + " " + x.Question
			}
			state := p.Lang().Text("open")
			if x.ResolvedAt != nil {
				state = p.Lang().Text("resolved by %s", x.ResolvedBy)
			}
			rows = append(rows, []string{x.ID, about, x.By, x.At.Local().Format("2006-01-02 15:04"), state,
				strings.Join(strings.Fields(x.Text), " ")})
		}
		p.Table([]string{"ID", "ABOUT", "WRITTEN BY", "SINCE", "STATE", "COMMENT"}, rows)
		return nil
	})
}

// mentioned says who is told of a comment.
func mentioned(p *program.Program, list []notify.Mention) {
	for _, m := range list {
		switch m.State {
		case notify.MentionTold:
			p.Note("%s gets a message", m.Name)
		case notify.MentionAgain:
			p.Note("%s was told of the same words before", m.Name)
		case notify.MentionAuthor:
			p.Note("%s wrote the comment, and gets no message", m.Name)
		case notify.MentionSilent:
			p.Note("%s gets no message: the configuration has no channel for mentions", m.Name)
		default:
			p.Note("nobody who may sign in is called %s", m.Name)
		}
	}
}

// asked does so for files that somebody wants, where they want comments; it refuses files that cannot hold any.
func asked(p *program.Program, w *app.Workbench, n *notebooks.Notebook, comments bool, files []string) error {
	if !comments {
		return nil
	}
	for _, file := range files {
		if err := notebooks.TakesComments(file); err != nil {
			return err
		}
	}
	return program.WithRemarks(p.Context, w, n.Path, n)
}
