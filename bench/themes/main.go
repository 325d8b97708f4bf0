// Command themes prints what the question analysis makes of real question sets, to be read as a manager would: the themes of each set
// with two of their questions, and of 30 questions drawn from all sets of a language the theme and the keywords.
//
//	go run ./bench/themes [-sets cdc_covid_faq,…] [-judge provider/model] [-questions 30] [SHARED]
//
// SHARED is the folder that holds data/; the default is $WORKBENCH_SHARED, else ../shared.
package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/stats"
	"github.com/rag-workbench/workbench/internal/text"
)

func main() {
	sets := flag.String("sets", "cdc_covid_faq,covid_qa,clapnq,wikieval,chroma_chunking,nta_tax_qa,mof_invoice_faq,jaquad,niilc",
		"folders of data/, by comma")
	judge := flag.String("judge", "offline/lexical", "who names and assigns, as provider/model")
	drawn := flag.Int("questions", 30, "questions of each language to draw")
	flag.Parse()
	b := bench{shared: cmp.Or(flag.Arg(0), os.Getenv("WORKBENCH_SHARED"), "../shared"), judge: *judge,
		drawn: map[string][]string{}}
	if err := b.run(context.Background(), strings.Split(*sets, ","), *drawn); err != nil {
		fmt.Fprintln(os.Stderr, "themes:", err)
		os.Exit(1)
	}
}

type bench struct {
	shared, judge string
	drawn         map[string][]string // lines of questions with their labels, by language
}

func (b bench) run(ctx context.Context, sets []string, drawn int) (err error) {
	dir, err := os.MkdirTemp("", "themes-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	w, err := app.Open(ctx, app.Options{DataDir: dir, Getenv: os.Getenv, Now: time.Now})
	if err != nil {
		return err
	}
	defer w.Close()
	for _, set := range sets {
		if err := b.set(ctx, w, set); err != nil {
			return err
		}
	}
	for _, lang := range []string{"en", "ja"} {
		lines := b.drawn[lang]
		if len(lines) == 0 {
			continue
		}
		fmt.Printf("\n# %d questions, %s\n\n", min(drawn, len(lines)), lang)
		for n, i := range stats.NewSplitMix64(1).Permutation(len(lines))[:min(drawn, len(lines))] {
			fmt.Printf("%2d. %s\n", n+1, lines[i])
		}
	}
	return nil
}

// set analyses the questions of a folder and prints their themes.
func (b bench) set(ctx context.Context, w *app.Workbench, set string) error {
	folder := filepath.Join(b.shared, "data", set)
	corpus := ""
	if _, err := os.Stat(filepath.Join(folder, "corpus.jsonl")); err == nil {
		if _, err := w.ImportCorpus(ctx, filepath.Join(folder, "corpus.jsonl"), set, false); err != nil {
			return err
		}
		corpus = set
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if _, _, err := w.ImportDataset(ctx, filepath.Join(folder, "questions.jsonl"), set, corpus, nil); err != nil {
		return err
	}
	rules := analyses.QuestionRules{Judge: b.judge, Corpus: corpus, NoSearch: true}
	if _, err := analyses.AnalyseQuestions(ctx, w, set, rules); err != nil {
		return err
	}
	r, err := analyses.QuestionReport(ctx, w, set)
	if err != nil {
		return err
	}
	dataset, err := w.Store.Dataset(ctx, set)
	if err != nil {
		return err
	}
	b.print(set, r, dataset.Questions)
	return nil
}

func (b bench) print(set string, r questions.QuestionReport, asked []experiments.Question) {
	wording, lang := map[string]string{}, map[string]string{}
	set += " (" + asked[0].Lang + ")"
	for _, q := range asked {
		wording[q.ID], lang[q.ID] = text.Brief(q.Text, 90), q.Lang
	}
	var themes experiments.Taxonomy
	for _, t := range r.Taxonomies {
		if t.ID == experiments.ThemeTaxonomy {
			themes = t
		}
	}
	fmt.Printf("\n# %s: %d questions, %d themes\n\n", set, len(r.Questions), len(themes.Labels))
	for _, t := range r.Themes {
		fmt.Printf("%-44s %3d   %s\n", themes.Name(t.Label, asked[0].Lang), t.Count, wording[t.Questions[0]])
		if len(t.Questions) > 1 {
			fmt.Printf("%-44s       %s\n", "", wording[t.Questions[len(t.Questions)/2]])
		}
	}
	for _, l := range r.Questions {
		b.drawn[lang[l.QuestionID]] = append(b.drawn[lang[l.QuestionID]], fmt.Sprintf("%s: %s\n      theme: %s   keywords: %s", set,
			wording[l.QuestionID], themes.Name(l.Theme, asked[0].Lang), strings.Join(l.Keywords, ", ")))
	}
}
