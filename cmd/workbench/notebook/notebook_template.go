package notebook

import (
	"maps"
	"os"
	"path/filepath"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/studies"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/problem"
)

// templatesBeside is the folder of a team's own templates for a notebook.
func templatesBeside(file string) string {
	return filepath.Join(filepath.Dir(file), studies.TemplateFolder)
}

// gallery is where the template is, without the data.
func (c notebookNewCmd) gallery(p *program.Program) studies.Gallery {
	return studies.Gallery{From: c.From, Slots: maps.Clone(c.Slot), Lang: p.Flags.Lang, Dir: templatesBeside(c.File)}
}

// text is what the notebook begins with. The data of the demo need not be there yet.
func (c notebookNewCmd) text(p *program.Program) (body []byte, err error) {
	g := c.gallery(p)
	if g.Slots == nil {
		g.Slots = map[string]string{}
	}
	for name, v := range map[string]string{"corpus": c.Corpus, "dataset": c.Dataset, "endpoint": c.Endpoint} {
		if v != "" {
			g.Slots[name] = v
		}
	}
	if len(g.Slots) == 0 {
		return g.Read(p.Context, nil)
	}
	err = p.Reading(func(w *app.Workbench) error {
		body, err = g.Read(p.Context, w)
		return err
	})
	return body, err
}

// quote says what running the notebook would make and cost.
func (c notebookNewCmd) quote(p *program.Program, body []byte) error {
	return p.Reading(func(w *app.Workbench) error {
		q, err := studies.Quoted(p.Context, w, studies.EngineOf(w, filepath.Dir(c.File), p.Version), body)
		if err != nil {
			return err
		}
		l := p.Lang()
		p.Say("it makes %s with %s; %s", l.Many(q.Runs, "run"), l.Many(q.Answers, "answer"), quote(l, notebooks.CellView{Price: &q.Price}))
		if len(q.Later) > 0 {
			p.Say("priced when these have run: %s", strings.Join(q.Later, ", "))
		}
		return nil
	})
}

type notebookTemplatesCmd struct {
	Dir string `arg:"" optional:"" help:"Folder of notebooks, whose folder templates has a team's own." default:"." placeholder:"DIR"`
}

// Run lists the templates.
func (c notebookTemplatesCmd) Run(p *program.Program) error {
	list, err := studies.GalleryOf(filepath.Join(c.Dir, studies.TemplateFolder))
	if err != nil {
		return err
	}
	if p.Flags.JSON {
		return p.PrintJSON(list)
	}
	var rows [][]string
	for _, e := range list {
		var slots []string
		for _, s := range e.Slots {
			name := s.Name
			if s.Optional {
				name = "[" + name + "]"
			}
			slots = append(slots, name)
		}
		title := e.Title.In(string(p.Lang()))
		if e.Wrong != nil {
			title = e.Wrong.Detail
		}
		rows = append(rows, []string{e.ID, strings.Join(slots, " "), title})
	}
	p.Table([]string{"TEMPLATE", "SLOTS", "TITLE"}, rows)
	return nil
}

type notebookTemplateCmd struct {
	File string `arg:"" help:"Notebook."`
	Name string `help:"Name of the template; default that of the notebook." placeholder:"NAME"`
}

// Help shows examples.
func (notebookTemplateCmd) Help() string {
	return `The registered corpora, datasets and endpoints that the notebook names become slots; everything else stays. The template lies in the folder
templates beside the notebook.

Examples:
  workbench notebook template study.rag.md --name chunks
  workbench notebook new next.rag.md --from chunks --corpus manual --dataset faq`
}

// Run saves a template.
func (c notebookTemplateCmd) Run(p *program.Program) error {
	text, err := os.ReadFile(c.File)
	if err != nil {
		return problem.New(problem.NotFound, "notebook_file", "cannot read %s", c.File).Because(err)
	}
	name := c.Name
	if name == "" {
		name = strings.TrimSuffix(filepath.Base(c.File), app.NotebookEnding)
	}
	dir := templatesBeside(c.File)
	e, err := studies.SaveTemplate(dir, name, text)
	if err != nil {
		return err
	}
	if p.Flags.JSON {
		return p.PrintJSON(e)
	}
	p.Say("wrote %s", filepath.Join(dir, name+app.NotebookEnding))
	return nil
}
