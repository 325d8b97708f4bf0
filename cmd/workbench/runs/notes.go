package runs

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	apppeople "github.com/rag-workbench/workbench/internal/app/people"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/problem"
)

type runsNoteCmd struct {
	ID   string `arg:"" name:"run" help:"Run or sweep id, its beginning, or an experiment's name."`
	Text string `arg:"" help:"What is to stand beside it, in place of the note that does; \"\" takes that away."`
}

// Run writes.
func (c runsNoteCmd) Run(p *program.Program) error {
	return changeNotes(p, c.ID, experiments.NoteChange{Note: &c.Text})
}

type runsTagCmd struct {
	ID   string   `arg:"" name:"run" help:"Run or sweep id, its beginning, or an experiment's name."`
	Tags []string `arg:"" passthrough:"" help:"+a or a gives the tag a, -b takes the tag b away. Flags stand before them."`
}

// WithSignedTags says of the first tag with a minus, in the arguments of `runs tag RUN`, that no flags follow: the parser would take it
// for one.
func WithSignedTags(args []string) []string {
	verb := slices.Index(args, "tag")
	if verb < 1 || args[verb-1] != "runs" || slices.Contains(args, "--") {
		return args
	}
	for i := verb + 2; i < len(args); i++ {
		if arg := args[i]; len(arg) > 1 && arg[0] == '-' && arg[1] != '-' {
			return slices.Insert(slices.Clone(args), i, "--")
		}
	}
	return args
}

// Run tags.
func (c runsTagCmd) Run(p *program.Program) error {
	var change experiments.NoteChange
	for _, tag := range c.Tags {
		if tag == "--" {
			continue // what withSignedTags put there
		}
		if gone, ok := strings.CutPrefix(tag, "-"); ok {
			change.Remove = append(change.Remove, gone)
		} else {
			change.Add = append(change.Add, strings.TrimPrefix(tag, "+"))
		}
	}
	return changeNotes(p, c.ID, change)
}

// changeNotes changes what stands beside a run, and says how to take that back.
func changeNotes(p *program.Program, id string, c experiments.NoteChange) error {
	return p.With(func(w *app.Workbench) error {
		by := apppeople.Machine()
		changed, err := app.ChangeNotes(p.Context, w, id, c, by.Name)
		if err != nil {
			return err
		}
		if err := recorded(p, w, "runs.notes", changed.RunID+" "+app.Told(c)); err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(changed)
		}
		p.Say("beside run %s:", changed.RunID)
		writtenBeside(p, changed.Notes)
		for _, line := range backCommands(changed) {
			p.Note("undo: %s", line)
		}
		return nil
	})
}

// recorded writes into the audit log what was done.
func recorded(p *program.Program, w *app.Workbench, action, target string) error {
	people := apppeople.PeopleAt(w, func() time.Time { return p.Now().UTC() })
	return people.Record(p.Context, apppeople.Machine(), experiments.AuditEntry{Action: action, Target: target})
}

// writtenBeside prints what people wrote beside a run.
func writtenBeside(p *program.Program, n experiments.Notes) {
	p.Say("tags: %s", cmp.Or(program.Printable(strings.Join(n.Tags, ", ")), "-"))
	p.Say("note: %s", cmp.Or(program.Printable(n.Note), "-"))
}

// backCommands are the commands that take a change back.
func backCommands(c app.NotesChanged) []string {
	var lines []string
	if c.Back.Note != nil {
		lines = append(lines, "workbench runs note "+c.RunID+" "+shellWord(*c.Back.Note))
	}
	if tags := slices.Concat(signed("+", c.Back.Add), signed("-", c.Back.Remove)); len(tags) > 0 {
		lines = append(lines, "workbench runs tag "+c.RunID+" "+strings.Join(tags, " "))
	}
	return lines
}

func signed(sign string, tags []string) []string {
	out := make([]string, len(tags))
	for i, tag := range tags {
		out[i] = shellWord(sign + tag)
	}
	return out
}

// shellWord is a text as a shell reads it back as one word.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r > 127 || strings.ContainsRune("+-_./:=@%", r)
	}
	if s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !plain(r) }) {
		return program.Printable(s)
	}
	return "'" + strings.ReplaceAll(program.Printable(s), "'", `'\''`) + "'"
}

type runsViewsCmd struct {
	Save    string `help:"Save a view of this name; --query says what it shows." placeholder:"NAME"`
	Query   string `help:"What stands behind the ? of the address of the page of runs, such as 'tag=prod&group=sweep'." placeholder:"TEXT"`
	Remove  string `help:"Take the view of this name away." placeholder:"NAME"`
	Restore string `help:"Put the view of this name back." placeholder:"NAME"`
}

// Run lists saved views, or changes them.
func (c runsViewsCmd) Run(p *program.Program) error {
	named := 0
	for _, name := range []string{c.Save, c.Remove, c.Restore} {
		if name != "" {
			named++
		}
	}
	if named > 1 || (c.Query != "" && c.Save == "") {
		return problem.New(problem.Invalid, "usage", "--save, --remove and --restore exclude each other, and --query belongs to --save").
			WithHint("workbench runs views --save production --query 'tag=prod&group=sweep'")
	}
	if named == 0 {
		return p.Reading(func(w *app.Workbench) error { return listViews(p, w) })
	}
	return p.With(func(w *app.Workbench) error {
		var err error
		action, name := "views.save", c.Save
		switch {
		case c.Remove != "":
			action, name, err = "views.remove", c.Remove, w.Whole.RemoveRunView(p.Context, c.Remove, p.Now().UTC())
		case c.Restore != "":
			action, name = "views.restore", c.Restore
			_, err = w.Whole.RestoreRunView(p.Context, c.Restore)
		default:
			_, err = app.SaveView(p.Context, w, experiments.RunView{Name: c.Save, Query: c.Query}, apppeople.Machine().Name)
		}
		if err == nil {
			err = recorded(p, w, action, name)
		}
		if err != nil {
			return err
		}
		if c.Remove != "" {
			p.Note("undo: %s", "workbench runs views --restore "+shellWord(c.Remove))
		}
		return listViews(p, w)
	})
}

func listViews(p *program.Program, w *app.Workbench) error {
	list, err := w.Whole.RunViews(p.Context)
	if err != nil {
		return err
	}
	if p.Flags.JSON {
		return p.PrintJSON(list)
	}
	if len(list) == 0 {
		p.Say("no view is saved; the page of runs saves what it shows")
		return nil
	}
	rows := make([][]string, len(list))
	for i, v := range list {
		rows[i] = []string{program.Printable(v.Name), program.Printable(v.MadeBy), program.DayOf(v.SavedAt), program.Printable(v.Query)}
	}
	p.Table([]string{"VIEW", "SAVED BY", "ON", "SHOWS"}, rows)
	return nil
}
