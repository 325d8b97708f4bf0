package notebook

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/analysis/compare"
	"github.com/rag-workbench/workbench/internal/app"
	apppeople "github.com/rag-workbench/workbench/internal/app/people"
	"github.com/rag-workbench/workbench/internal/app/studies"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// historyOf is what the notebook in a file was.
func historyOf(p *program.Program, w *app.Workbench, file string) studies.History {
	return studies.History{W: w, Engine: studies.EngineOf(w, filepath.Dir(file), p.Version)}
}

type notebookLogCmd struct {
	File string `arg:"" help:"Notebook."`
	Name string `help:"Give version --version this name; an empty one takes the name away." clears:"" placeholder:"TEXT"`
	N    int    `help:"Version that --name is for." name:"version" placeholder:"N"`
}

// Help explains.
func (notebookLogCmd) Help() string {
	return `Every text that was saved or run is a version: here, on the page, and by another program. What one author saves within ten minutes is
one version, unless it was run or has a name. Versions are kept for a year, the newest 1,000 of a notebook.

Examples:
  workbench notebook log study.rag.md
  workbench notebook log study.rag.md --version 7 --name "as agreed"`
}

// Run lists.
func (c notebookLogCmd) Run(p *program.Program) error {
	return p.Showing(func(w *app.Workbench) error {
		h := historyOf(p, w, c.File)
		if c.N > 0 {
			if _, err := h.Name(p.Context, c.File, c.N, c.Name); err != nil {
				return err
			}
		}
		list, err := h.Versions(p.Context, c.File)
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(list)
		}
		var rows [][]string
		for _, v := range list {
			rows = append(rows, []string{strconv.Itoa(v.Number), v.At.Local().Format("2006-01-02 15:04"), v.By, origin(p.Lang(), v),
				strings.Join(v.Params, " "), v.Name})
		}
		p.Table([]string{"VERSION", "SINCE", "BY", "HOW", "PARAMETERS", "NAME"}, rows)
		return nil
	})
}

// origin says where a version comes from.
func origin(l program.Language, v experiments.NotebookVersion) string {
	how := map[string]string{experiments.VersionSaved: l.Text("saved"), experiments.VersionDisk: l.Text("changed on disk"),
		experiments.VersionRestored: l.Text("restored")}[v.Origin]
	if v.Ran {
		how += l.Text(", run")
	}
	return how
}

type notebookDiffCmd struct {
	Before  string `arg:"" help:"Notebook, or FILE@N for its version N."`
	After   string `arg:"" optional:"" help:"The same; default the file of the first as it is now, beside the text before it."`
	Results bool   `help:"List the cells whose results differ too."`
}

// Help explains.
func (notebookDiffCmd) Help() string {
	return `The texts are compared as diff -u does. With --results the cells of both are computed over what their locks knew: headline values that
differ, and of comparisons the questions whose verdict differs. Nothing is bought.

Examples:
  workbench notebook diff study.rag.md                  what changed since the version before
  workbench notebook diff study.rag.md@3 --results      version 3 and now
  workbench notebook diff old.rag.md study.rag.md`
}

// Run compares.
func (c notebookDiffCmd) Run(p *program.Program) error {
	fileA, a, err := versionArg(c.Before)
	if err != nil {
		return err
	}
	fileB, b, err := versionArg(c.After)
	if err != nil {
		return err
	}
	if a == 0 && b == 0 && fileB != "" && !c.Results {
		return diffTexts(p, fileA, fileB)
	}
	return p.Showing(func(w *app.Workbench) error {
		h := historyOf(p, w, fileA)
		var d studies.NotebookDiff
		switch {
		case fileB != "" && fileB != fileA:
			if a != 0 || b != 0 {
				return problem.New(problem.Invalid, "version_file", "versions are those of one file").
					WithHint("workbench notebook diff %s@1 %s@2", fileA, fileA)
			}
			d, err = h.DiffFiles(p.Context, fileA, fileB, c.Results)
		case fileB == "" && a == 0:
			if a, err = previous(p, h, fileA); err == nil {
				d, err = h.Diff(p.Context, fileA, a, 0, c.Results)
			}
		default:
			d, err = h.Diff(p.Context, fileA, a, b, c.Results)
		}
		if err != nil {
			return err
		}
		return notebookDiff(p, d, c.Results)
	})
}

// diffTexts compares two files, without a data directory: Git calls it so.
func diffTexts(p *program.Program, before, after string) error {
	a, err := os.ReadFile(before) //nolint:gosec // the user's own file
	if err == nil {
		var b []byte
		if b, err = os.ReadFile(after); err == nil { //nolint:gosec // the user's own file
			return notebookDiff(p, studies.NotebookDiff{Text: text.Unified(before, after, string(a), string(b))}, false)
		}
	}
	return problem.New(problem.NotFound, "notebook_file", "a notebook cannot be read").Because(err).WithHint("check both paths")
}

// previous is the newest version with another text than the file.
func previous(p *program.Program, h studies.History, file string) (int, error) {
	list, err := h.Versions(p.Context, file)
	if err != nil {
		return 0, err
	}
	for _, v := range list {
		if v.Digest != list[0].Digest {
			return v.Number, nil
		}
	}
	return 0, problem.New(problem.NotFound, "version_unknown", "%s has no version before this one", file).
		WithHint("`workbench notebook log %s` lists them", file)
}

// versionArg takes FILE@N apart; a file alone has version 0.
func versionArg(arg string) (file string, number int, err error) {
	file, n, ok := strings.Cut(arg, "@")
	if _, statErr := os.Stat(arg); !ok || statErr == nil { // a name may hold the sign
		return arg, 0, nil
	}
	if number, err = strconv.Atoi(n); err != nil || number < 1 {
		return "", 0, problem.New(problem.Invalid, "version_number", "%q is no version", n).WithHint("write FILE@N, such as %s@3", file)
	}
	return file, number, nil
}

// notebookDiff prints a difference.
func notebookDiff(p *program.Program, d studies.NotebookDiff, results bool) error {
	if p.Flags.JSON {
		return p.PrintJSON(d)
	}
	if d.Text == "" {
		p.Say("the texts are equal")
	} else if _, err := p.Stdout.Write([]byte(d.Text)); err != nil {
		return err
	}
	if !results {
		return nil
	}
	if len(d.Results) == 0 {
		p.Say("no result differs")
		return nil
	}
	lang := string(p.Lang())
	var rows [][]string
	var asked []string
	for _, c := range d.Results {
		rows = append(rows, []string{c.Cell, changeKind(p.Lang(), c), c.Before.In(lang), c.After.In(lang)})
		for _, q := range c.Questions {
			asked = append(asked, c.Cell+": "+q.Question+": "+compare.Label(q.Before).Word(lang)+" → "+compare.Label(q.After).Word(lang))
		}
	}
	p.Table([]string{"CELL", "CHANGE", "BEFORE", "AFTER"}, rows)
	for _, line := range asked {
		p.Say("%s", line)
	}
	return nil
}

// changeKind says what became of a cell.
func changeKind(l program.Language, c notebooks.CellChange) string {
	switch {
	case c.Kind == "added":
		return l.Text("new")
	case c.Kind == "removed":
		return l.Text("removed")
	case c.Was != c.Is:
		return c.Was.Words(string(l)) + " → " + c.Is.Words(string(l))
	}
	return l.Text("changed")
}

type notebookRestoreCmd struct {
	File    string `arg:"" help:"Notebook."`
	Version int    `arg:"" help:"Number of a version, as notebook log lists them."`
}

// Help explains.
func (notebookRestoreCmd) Help() string {
	return `The text of the version takes the place of the file, as a version of its own: nothing is lost. Results of that time come back with it and
are not bought again.

Example:
  workbench notebook restore study.rag.md 7`
}

// Run restores.
func (c notebookRestoreCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		v, err := historyOf(p, w, c.File).Revert(p.Context, c.File, c.Version, apppeople.Machine().Name)
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(v)
		}
		p.Say("%s is version %d again, as version %d", c.File, c.Version, v.Number)
		return nil
	})
}
