package studies

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/notebooks/templates"
	"github.com/rag-workbench/workbench/internal/problem"
)

// TemplateFolder is the folder beside notebooks that holds a team's own templates, NAME.rag.md each. One with the name of a template
// that ships with the program takes its place.
const TemplateFolder = "templates"

// Gallery is a template with what fills its slots: the data of workbench demo where no corpus and no dataset are named.
type Gallery struct {
	From  string            // name of the template
	Slots map[string]string // by name; a slot that is missing takes its default
	Lang  string            // to begin with, "en" or "ja"; "" is "en"
	Dir   string            // in which a team's own templates lie; "" has none
}

// template finds the template: a team's own before one that ships with the program.
func (g Gallery) template() (templates.Template, error) {
	own := ownTemplates(g.Dir)
	if slices.Contains(own, g.From) {
		return readTemplate(g.Dir, g.From)
	}
	t, err := templates.GalleryTemplate(g.From)
	if problem.Is(err, problem.NotFound) {
		err = templates.Unknown(g.From, append(own, templates.Gallery()...))
	}
	return t, err
}

// ownTemplates are the names of a team's own templates, in order.
func ownTemplates(dir string) []string {
	var out []string
	if dir == "" {
		return out
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return out // there are none
	}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), app.NotebookEnding)
		if ok && e.Type().IsRegular() && app.NotebookName(name) {
			out = append(out, name)
		}
	}
	slices.Sort(out)
	return out
}

func readTemplate(dir, name string) (templates.Template, error) {
	raw, err := os.ReadFile(filepath.Join(dir, name+app.NotebookEnding)) //nolint:gosec // a name of the folder's list
	if err != nil || len(raw) > document.MaxBytes {
		return templates.Template{}, problem.New(problem.Invalid, "template", "the template %s cannot be read", name).Because(err)
	}
	return templates.Parse(name, raw)
}

// Read is the text of the notebook. w is not needed for the data of the demo. What does not fit a slot, or is not registered, is a Problem
// with the field that has it.
func (g Gallery) Read(ctx context.Context, w *app.Workbench) ([]byte, error) {
	t, err := g.template()
	if err != nil {
		return nil, problem.From(err).With("field", "from")
	}
	values, err := g.values(ctx, w, &t)
	if err != nil {
		return nil, err
	}
	text, err := t.Fill(values)
	if err != nil {
		return nil, problem.From(err).With("field", "from")
	}
	return text, nil
}

// OnePair reports whether the template works on one corpus and one dataset, called so, and no more.
func (g Gallery) OnePair() bool {
	t, err := g.template()
	if err != nil {
		return false // Read says why
	}
	var data []string
	for _, s := range t.Slots {
		if s.Type == templates.CorpusSlot || s.Type == templates.DatasetSlot {
			data = append(data, s.Name)
		}
	}
	slices.Sort(data)
	return slices.Equal(data, []string{"corpus", "dataset"})
}

// values are what fills the template.
func (g Gallery) values(ctx context.Context, w *app.Workbench, t *templates.Template) (map[string]string, error) {
	own := false
	for name, v := range g.Slots {
		s, ok := t.Slot(name)
		if !ok {
			return nil, problem.New(problem.Invalid, "slot_unknown", "the template %s has no slot %q", g.From, name).With("field", name).
				WithHint("slots: %s", strings.Join(slotNames(t), ", "))
		}
		if v == "" {
			continue
		}
		if err := s.Check(v); err != nil {
			return nil, err
		}
		own = own || s.Type == templates.CorpusSlot || s.Type == templates.DatasetSlot
	}
	var out map[string]string
	if own {
		facts, err := g.facts(ctx, w)
		if err != nil {
			return nil, err
		}
		out = facts
	} else {
		out = t.OnDemo(g.Lang)
	}
	for _, s := range t.Slots {
		data := s.Type == templates.CorpusSlot || s.Type == templates.DatasetSlot
		switch v := g.Slots[s.Name]; {
		case v != "":
			if err := registeredSlot(ctx, w, s, v); err != nil {
				return nil, err
			}
			out[s.Name] = v
		case !own || !data:
			out[s.Name] = s.Default
		}
		if out[s.Name] == "" && !s.Optional {
			return nil, problem.New(problem.Invalid, "notebook_data", "a notebook of the template %s needs a %s", g.From, s.Name).
				With("field", s.Name).
				WithHint("name one with --%s, or choose it; without any, data of workbench demo are taken where it can", s.Name)
		}
	}
	return out, nil
}

func slotNames(t *templates.Template) []string {
	var out []string
	for _, s := range t.Slots {
		out = append(out, s.Name)
	}
	return out
}

// registeredSlot refuses a name under which nothing is registered.
func registeredSlot(ctx context.Context, w *app.Workbench, s templates.TemplateSlot, v string) error {
	var err error
	switch s.Type {
	case templates.CorpusSlot:
		_, err = w.Store.Corpus(ctx, v)
	case templates.DatasetSlot:
		_, err = w.Store.Dataset(ctx, v)
	case templates.EndpointSlot:
		_, err = w.Store.Endpoint(ctx, v)
	case templates.TextSlot, templates.IntegerSlot, templates.ChoiceSlot:
	}
	if err != nil {
		return problem.From(err).With("field", s.Name)
	}
	return nil
}

// facts are what a template may ask about the corpus and the dataset: see [notebooks.TemplateFacts].
func (g Gallery) facts(ctx context.Context, w *app.Workbench) (map[string]string, error) {
	out := templates.LanguageFacts(g.Lang)
	if name := g.Slots["corpus"]; name != "" {
		corpus, err := w.Store.Corpus(ctx, name)
		if err != nil {
			return nil, problem.From(err).With("field", "corpus")
		}
		if corpus.Version > 1 {
			before := experiments.Ref{Name: corpus.Name, Version: corpus.Version - 1}.String()
			if _, err := w.Store.Corpus(ctx, before); err == nil {
				out["before"] = before
			}
		}
	}
	if name := g.Slots["dataset"]; name != "" {
		dataset, err := w.Store.Dataset(ctx, name)
		if err != nil {
			return nil, problem.From(err).With("field", "dataset")
		}
		if slices.ContainsFunc(dataset.Questions, hasTheme) {
			out["themes"] = "yes"
		}
		switch _, err := w.Store.Baseline(ctx, dataset.Name); {
		case err == nil:
			out["pinned"] = "yes"
		case !problem.Is(err, problem.NotFound):
			return nil, err
		}
	}
	return out, nil
}

func hasTheme(q experiments.Question) bool {
	return slices.ContainsFunc(q.Tags, func(tag string) bool { return strings.HasPrefix(tag, "theme:") })
}

// Quote is what running a notebook would make and cost, before anything is written.
type Quote struct {
	Runs    int              `json:"runs"`    // that its run cells make
	Answers int              `json:"answers"` // questions of these runs, over all votes
	Price   notebooks.Price  `json:"price"`   // of what can be priced now
	Later   []string         `json:"later"`   // cells whose price is known when others have run
	Text    string           `json:"text"`
	Wrong   *NotebookProblem `json:"problem,omitempty"` // of a cell that would not start
}

// Quoted says what running a text would make and cost. e finds what the text names.
func Quoted(ctx context.Context, w *app.Workbench, e notebooks.Engine, text []byte) (Quote, error) {
	out := Quote{Text: string(text), Later: []string{}, Price: notebooks.Price{Priced: true, Currency: w.Config.Currency}}
	n := notebooks.Draft("draft"+app.NotebookEnding, "notebook", text, notebooks.Lock{}, e, w.Options.Now)
	v, err := n.Evaluate(ctx, true)
	if err != nil {
		return out, err
	}
	for _, p := range n.Wrong {
		out.fault(p)
	}
	for _, c := range v.Cells {
		if c.Error != nil {
			out.fault(c.Error)
		}
		schema, _ := document.SchemaOf(c.Type)
		switch {
		case c.Price != nil:
			out.Price = out.Price.Plus(*c.Price)
			if c.Type == "run" {
				out.Runs += c.Price.Runs
				out.Answers += c.Price.Runs * n.Asked(v, c.Name)
			}
		case schema.Paid:
			out.Later = append(out.Later, c.Name)
		}
	}
	return out, nil
}

func (q *Quote) fault(p *problem.Problem) {
	if q.Wrong == nil {
		wrong := notebookProblem(p)
		q.Wrong = &wrong
	}
}

// Quote is [Quoted] over the notebooks of a server.
func (s *Notebooks) Quote(ctx context.Context, g Gallery) (Quote, error) {
	g.Dir = s.templates()
	text, err := g.Read(ctx, s.w)
	if err != nil {
		return Quote{}, err
	}
	return Quoted(ctx, s.w, s.engine, text)
}

func (s *Notebooks) templates() string { return filepath.Join(s.dir, TemplateFolder) }

// GalleryEntry is a template that new notebooks are made of.
type GalleryEntry struct {
	ID    string                   `json:"id"`
	Title document.Words           `json:"title"`
	Doc   document.Words           `json:"doc"` // Markdown of its first note
	Cells int                      `json:"cells"`
	Types []string                 `json:"types"` // of its cells, each once
	Slots []templates.TemplateSlot `json:"slots"`
	Own   bool                     `json:"own"`               // of the team, not of the program
	Wrong *NotebookProblem         `json:"problem,omitempty"` // why an own template cannot be used
}

// Gallery lists the templates: a team's own first.
func (s *Notebooks) Gallery() ([]GalleryEntry, error) { return GalleryOf(s.templates()) }

// GalleryOf lists the templates, a team's own of a folder first. One of these with a mistake says which.
func GalleryOf(dir string) ([]GalleryEntry, error) {
	out := []GalleryEntry{}
	own := ownTemplates(dir)
	for _, name := range own {
		t, err := readTemplate(dir, name)
		var e GalleryEntry
		if err == nil {
			e, err = entryOf(t)
		}
		if err != nil {
			wrong := notebookProblem(problem.From(err))
			e = GalleryEntry{ID: name, Types: []string{}, Slots: []templates.TemplateSlot{}, Wrong: &wrong}
		}
		e.Own = true
		out = append(out, e)
	}
	for _, name := range templates.Gallery() {
		if slices.Contains(own, name) {
			continue
		}
		t, err := templates.GalleryTemplate(name)
		if err != nil {
			return nil, err
		}
		e, err := entryOf(t)
		if err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

func entryOf(t templates.Template) (GalleryEntry, error) {
	e := GalleryEntry{ID: t.Name, Types: []string{}, Slots: orEmpty(t.Slots)}
	text, err := t.Fill(t.Shown())
	if err != nil {
		return e, err
	}
	d, err := document.Parse(TemplateFolder+"/"+t.Name, text)
	if err != nil {
		return e, err
	}
	e.Title, e.Cells = d.Front.Title, len(d.Cells())
	for _, c := range d.Cells() {
		if !slices.Contains(e.Types, c.Type) {
			e.Types = append(e.Types, c.Type)
		}
		if fields := c.Resolved(); c.Type == "note" && e.Doc == (document.Words{}) {
			e.Doc.EN, _ = fields["en"].(string)
			e.Doc.JA, _ = fields["ja"].(string)
		}
	}
	return e, nil
}

// SaveTemplate writes a text as a template of the team under a name that is free in dir, which is made. What the text names of registered
// corpora, datasets and endpoints becomes slots.
func SaveTemplate(dir, name string, text []byte) (GalleryEntry, error) {
	if !app.NotebookName(name) {
		return GalleryEntry{}, problem.New(problem.Invalid, "template_name", "%q is no name for a template", name).With("field", "name").
			WithHint("use letters, digits, - and _, at most 64")
	}
	raw, err := templates.AsTemplate(name, text)
	if err != nil {
		return GalleryEntry{}, err
	}
	t, err := templates.Parse(name, raw)
	if err != nil {
		return GalleryEntry{}, err
	}
	path := filepath.Join(dir, name+app.NotebookEnding)
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return GalleryEntry{}, problem.New(problem.Conflict, "template_exists", "there is a template %q already", name).
			With("field", "name").WithHint("choose another name")
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return GalleryEntry{}, problem.New(problem.Unavailable, "notebook_folder", "the folder of templates cannot be made").Because(err)
	}
	e, err := entryOf(t)
	if err == nil {
		e.Own, err = true, notebooks.WriteFile(path, raw)
	}
	return e, err
}

// SaveTemplate makes a template of a notebook as it lies on disk.
func (s *Notebooks) SaveTemplate(notebook, name string) (GalleryEntry, error) {
	f, err := s.file(notebook)
	if err != nil {
		return GalleryEntry{}, err
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	e, err := SaveTemplate(s.templates(), name, f.text)
	if err != nil {
		return e, s.pathless(err)
	}
	return e, nil
}
