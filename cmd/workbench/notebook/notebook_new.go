package notebook

import (
	"bufio"

	"github.com/rag-workbench/workbench/cmd/workbench/printing"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
)

// ask settles what data the notebook works on where no flag says it: on a terminal people choose. Otherwise the corpus and the dataset are
// taken where there is one of each and the template asks for no more; else the choices are named and the data of the demo are taken.
// Without data of one's own there is nothing to choose.
func (c *notebookNewCmd) ask(p *program.Program) error {
	if c.Corpus != "" || c.Dataset != "" || c.Slot["corpus"] != "" || c.Slot["dataset"] != "" {
		return nil
	}
	var corpora, datasets []string
	if err := p.Reading(func(w *app.Workbench) (err error) {
		if corpora, err = namesOf(w.Store.Corpora(p.Context)); err == nil {
			datasets, err = namesOf(w.Store.Datasets(p.Context))
		}
		return err
	}); err != nil || len(corpora) == 0 || len(datasets) == 0 {
		return nil // no database yet: the notebook says what it needs when it is run
	}
	if !p.Interactive || p.Flags.JSON {
		if len(corpora) == 1 && len(datasets) == 1 && c.gallery(p).OnePair() {
			c.Corpus, c.Dataset = corpora[0], datasets[0]
			p.Note("it works on the corpus %s and the dataset %s: there is no other", c.Corpus, c.Dataset)
			return nil
		}
		p.Note("it works on the data of workbench demo; on your own with --corpus (%s) and --dataset (%s)", p.Lang().List(corpora),
			p.Lang().List(datasets))
		return nil
	}
	in := bufio.NewReader(p.Stdin)
	at, err := printing.Choose(p, in, p.Lang().Text("Which documents? Up and down choose, Enter takes, q stops."),
		append(corpora, p.Lang().Text("the data of workbench demo")))
	if err != nil || at == len(corpora) {
		return err
	}
	c.Corpus = corpora[at]
	if at, err = printing.Choose(p, in, p.Lang().Text("Which questions? Up and down choose, Enter takes, q stops."), datasets); err == nil {
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
