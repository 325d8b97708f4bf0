package notebook

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
)

// notebookPrinter tells of notebooks.
type notebookPrinter struct{ *program.Program }

func notebook(p *program.Program) notebookPrinter { return notebookPrinter{p} }

// notebookResult is what --json prints.
type notebookResult struct {
	Notebook string               `json:"notebook"`
	Verdict  string               `json:"verdict,omitempty"`
	Cells    []notebooks.CellView `json:"cells"`
}

// notebookView prints where every cell stands.
func (p notebookPrinter) notebookView(n *notebooks.Notebook, v *notebooks.View) error {
	if p.Flags.JSON {
		return p.PrintJSON(notebookResult{n.Path, v.Verdict(), v.Cells})
	}
	var rows [][]string
	for _, c := range v.Cells {
		why := whyOf(p.Lang(), c)
		if c.Price != nil && c.State != notebooks.Fresh {
			why += " [" + quote(p.Lang(), c) + "]"
		}
		rows = append(rows, []string{c.Name, c.Type, c.State.Words(string(p.Lang())), shownValue(p.Lang(), c.Value), why})
	}
	p.Table([]string{"CELL", "TYPE", "STATE", "RESULT", "WHY"}, rows)
	if verdict := v.Verdict(); verdict != "" {
		p.Say("release checks: %s", document.Decided(verdict).In(string(p.Lang())))
	}
	return nil
}

// whyOf is why a cell stands where it stands.
func whyOf(l program.Language, c notebooks.CellView) string {
	said := c.WhyIn(string(l))
	if c.Error != nil {
		said = []string{c.Error.In(string(l)).Message}
		for _, further := range c.More {
			said = append(said, further.In(string(l)).Message)
		}
	}
	return l.Parts(said)
}

// shownValue is a result in a few words.
func shownValue(l program.Language, v any) string {
	switch x := v.(type) {
	case document.Source:
		return x.Ref + ", " + x.Size.In(string(l))
	case document.RunSet:
		if x.Best == nil {
			return ""
		}
		return l.Text("%s, best %s: %s", l.Many(x.Count, "run"), x.Best.ID, l.Many(x.Best.LowScores, "low score"))
	case document.Comparison:
		return l.Text("%d worse, %d better", x.Worse.Count, x.Better.Count)
	case document.CauseSet:
		return l.Text("%s diagnosed", l.Many(x.Diagnosed, "answer"))
	case document.Failures:
		return l.Many(x.Count, "low score")
	case document.Rows:
		return l.Many(x.Count, "row")
	case document.Verdict:
		return document.Decided(x.Decision).In(string(l))
	case document.Agreement:
		return l.Text("%d met of %s", x.Met, l.Many(x.Count, "target"))
	}
	return ""
}

// notebookPlan prints what is stale with its price.
func (p notebookPrinter) notebookPlan(n *notebooks.Notebook) error {
	v, err := n.Evaluate(p.Context, true)
	if err != nil {
		return err
	}
	return p.notebookView(n, v)
}

// writtenIn is the language of a page: the one asked for, else that of the locale where the notebook has it, else the notebook's first.
func writtenIn(p *program.Program, has []string) string {
	if p.Flags.Lang != "" || slices.Contains(has, p.Written()) {
		return p.Written()
	}
	return has[0]
}

// writable refuses files that a result cannot be written to, before anything is bought for it.
func writable(files []string, force bool) error {
	for _, file := range files {
		ending := strings.TrimPrefix(filepath.Ext(file), ".")
		if !slices.Contains([]string{"html", "xlsx", "ipynb", "ragsnap"}, ending) {
			return unwritten(file)
		}
		if info, err := os.Stat(filepath.Dir(file)); err != nil || !info.IsDir() {
			return problem.New(problem.Invalid, "report_file", "cannot write in %s", filepath.Dir(file)).Because(err)
		}
		if _, err := os.Stat(file); err == nil && ending == "ragsnap" && !force {
			return problem.New(problem.Conflict, "file_exists", "%s exists already", file).WithHint("choose another name, or --force")
		}
	}
	return nil
}

// unwritten says that notebooks are not written in the format of a file.
func unwritten(file string) error {
	return problem.New(problem.Invalid, "notebook_format", "%s: notebooks are not written in this format", file).
		WithHint("use .html, .xlsx, .ipynb or .ragsnap as the ending")
}

// notebookFile writes a page, a workbook or a snapshot.
func (p notebookPrinter) notebookFile(n *notebooks.Notebook, v *notebooks.View, file string, force bool) error {
	lang := writtenIn(p.Program, n.Document.Front.Lang)
	var err error
	switch {
	case strings.HasSuffix(file, ".html"):
		err = program.WriteWhole(file, func(w io.Writer) error { return n.WriteHTML(v, lang, w) })
	case strings.HasSuffix(file, ".xlsx"):
		err = program.WriteWhole(file, func(w io.Writer) error { return n.WriteXLSX(p.Context, v, lang, w) })
	case strings.HasSuffix(file, ".ipynb"):
		err = program.WriteWhole(file, func(w io.Writer) error { return n.WriteIPYNB(p.Context, v, lang, w) })
	case strings.HasSuffix(file, ".ragsnap"):
		var sealed notebooks.Snapshot
		if sealed, err = n.WriteSnapshot(context.WithoutCancel(p.Context), v, file, force); err == nil && !p.Flags.JSON {
			p.Say("wrote %s", file)
			p.Say("digest %s: whoever gets it from you by another way than the file can tell that it is yours: workbench verify FILE --digest",
				sealed.Digest)
			return nil
		}
	default:
		err = unwritten(file)
	}
	if err == nil && !p.Flags.JSON {
		p.Say("wrote %s", file)
	}
	return err
}
