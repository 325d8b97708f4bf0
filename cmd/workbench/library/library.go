// Package library holds the verbs with which documents, questions, answers, systems and configurations come into a workbench, and
// are listed and looked at: init, corpus, dataset, experiment, endpoint, import-answers, import-results, traces, search.
package library

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/frontend"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/rag/readers"
	"github.com/rag-workbench/workbench/internal/text"
)

// libraryPrinter tells what was read and stored, and asks how a file is meant.
type libraryPrinter struct{ *program.Program }

// printerOf tells what was read and stored, and asks how a file is meant.
func printerOf(p *program.Program) libraryPrinter { return libraryPrinter{p} }

// CorpusCmd is the verb corpus.
type CorpusCmd struct {
	Import corpusImportCmd `cmd:"" help:"Import a folder or file as the next version of a corpus."`
	Add    corpusAddCmd    `cmd:"" help:"Register an index that your team already has, read only."`
	Detach corpusDetachCmd `cmd:"" help:"Forget the index of your team behind a corpus; its documents stay."`
	List   corpusListCmd   `cmd:"" help:"List corpora with their versions."`
	Show   corpusShowCmd   `cmd:"" help:"Show the documents of a corpus, or the text of one."`
	Chunks corpusChunksCmd `cmd:"" help:"Show where a corpus would be cut into chunks."`
}

type corpusImportCmd struct {
	Path string `arg:"" help:"Folder or file: .docx .htm .html .jsonl .markdown .md .pdf .pptx .txt .xlsx."`
	Name string `help:"Name of the corpus; default the folder's or file's name."`
	Join bool   `help:"Join all documents into one text, as when a whole manual is one file."`
}

// Help shows examples.
func (corpusImportCmd) Help() string {
	return `Examples:
  workbench corpus import ./manual                        every document below the folder
  workbench corpus import faq/corpus.jsonl --name faq     one document per line: doc_id, text, title
  workbench corpus import ./manual --name manual-joined --join`
}

// Run imports.
func (c corpusImportCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		imported, err := w.ImportCorpus(p.Context, c.Path, c.Name, c.Join)
		if err != nil {
			return err
		}
		return printerOf(p).imported(imported, "document")
	})
}

// notes says what was assumed.
func (p libraryPrinter) notes(i app.Imported) {
	for _, n := range i.Notes {
		p.Note("note: %s", n.In(string(p.Lang())))
	}
}

// leftOut says which files could not be read and why.
func (p libraryPrinter) leftOut(i app.Imported) {
	for _, l := range i.LeftOut {
		p.Note("left out: %s", leftOut(p.Lang(), l))
	}
}

// leftOut is a file that could not be read, with the reason and what to do.
func leftOut(l program.Language, file readers.LeftOut) string {
	if l == program.Japanese {
		if title, hint := frontend.ProblemWords(string(l), file.Code, file.Params); title != "" {
			return program.Printable(file.File) + "：" + title + hint
		}
	}
	if strings.Contains(file.Message, file.File) {
		return program.Printable(file.Message) + "; " + file.Hint
	}
	return program.Printable(file.File) + ": " + program.Printable(file.Message) + "; " + file.Hint
}

func (p libraryPrinter) imported(i app.Imported, items string) error {
	p.notes(i)
	defer p.leftOut(i)
	if p.Flags.JSON {
		return p.PrintJSON(i)
	}
	if !i.Created {
		p.Say("%s is unchanged (%s)", i.Ref, p.Lang().Many(i.Items, items))
		return nil
	}
	p.Say("imported %s (%s)", i.Ref, p.Lang().Many(i.Items, items))
	return nil
}

type corpusListCmd struct{}

// Run lists.
func (corpusListCmd) Run(p *program.Program) error {
	return p.Reading(func(w *app.Workbench) error {
		list, err := w.Store.Corpora(p.Context)
		return printerOf(p).listings(list, err, "DOCUMENTS", "corpus import PATH")
	})
}

func (p libraryPrinter) listings(list []experiments.Listing, err error, items, next string) error {
	if err != nil {
		return err
	}
	if p.Flags.JSON {
		return p.PrintJSON(list)
	}
	if len(list) == 0 {
		p.Say("none yet; add one with: workbench %s", next)
		return nil
	}
	rows := make([][]string, len(list))
	for i, l := range list {
		rows[i] = []string{l.Ref.String(), strconv.Itoa(l.Items), strconv.Itoa(l.Chars), l.Digest[:12],
			l.CreatedAt.Format("2006-01-02 15:04")}
	}
	p.Table([]string{"NAME", items, "CHARACTERS", "DIGEST", "IMPORTED (UTC)"}, rows)
	return nil
}

type corpusShowCmd struct {
	Name     string `arg:"" help:"Name, or name@version."`
	Document string `help:"Show the text of this document."`
}

// Run shows.
func (c corpusShowCmd) Run(p *program.Program) error {
	return p.Reading(func(w *app.Workbench) error {
		corpus, err := w.Store.Corpus(p.Context, c.Name)
		if err != nil {
			return err
		}
		if c.Document != "" {
			d, ok := corpus.Document(c.Document)
			if !ok {
				return program.NotThere("document", c.Document, "workbench corpus show "+c.Name)
			}
			if p.Flags.JSON {
				return p.PrintJSON(d)
			}
			p.Say("%s", program.Printable(d.Text))
			return nil
		}
		if p.Flags.JSON {
			return p.PrintJSON(corpus)
		}
		p.Say("%s@%d  %d documents, %d characters, digest %s", corpus.Name, corpus.Version, len(corpus.Documents), corpus.Chars(),
			corpus.Digest[:12])
		if index, mapped, err := w.Store.Index(p.Context, corpus.Name); err != nil {
			return err
		} else if mapped {
			printerOf(p).indexLine(index)
		}
		rows := make([][]string, len(corpus.Documents))
		for i, d := range corpus.Documents {
			rows[i] = []string{d.ID, d.Lang, strconv.Itoa(corpus.Index(d.ID).Len()), d.Title}
		}
		p.Table([]string{"DOCUMENT", "LANG", "CHARACTERS", "TITLE"}, rows)
		return nil
	})
}

// DatasetCmd is the verb dataset.
type DatasetCmd struct {
	Import   datasetImportCmd   `cmd:"" help:"Import a question file as the next version of a dataset."`
	Draft    datasetDraftCmd    `cmd:"" help:"Propose questions from a corpus, as a sheet to be reviewed."`
	Evidence datasetEvidenceCmd `cmd:"" help:"Look for the evidence of questions that have none, as a sheet to be reviewed."`
	List     datasetListCmd     `cmd:"" help:"List datasets with their versions."`
	Show     datasetShowCmd     `cmd:"" help:"Show the questions of a dataset."`
}

// encodingFlag is the encoding of a text file, the same for every verb that reads one.
type encodingFlag struct {
	Encoding string `help:"Encoding of a text file that is not in UTF-8, such as CP932 or Windows-1252; default what its bytes say beyond doubt." placeholder:"NAME"`
}

type datasetImportCmd struct {
	Path   string            `arg:"" help:"Question file: .jsonl .json .csv .tsv .xlsx."`
	Name   string            `help:"Name of the dataset; default the file's name."`
	Corpus string            `help:"Corpus in which evidence is checked and quotes are found."`
	Map    map[string]string `help:"Read a column as a field: --map \"Sollantwort=reference\". Repeatable." placeholder:"COLUMN=FIELD"`
	encodingFlag
	Sheet []string `help:"Sheet of a workbook to read; default the one that looks most like questions, with those under the same column names. Repeatable: several are read as one." sep:"none" placeholder:"NAME"`
}

// Help shows examples.
func (datasetImportCmd) Help() string {
	return `Columns are recognised by the names that Ragas, DeepEval, LangSmith and others use, in English and Japanese.
Fields: ` + strings.Join(intake.Fields(), " ") + `.
A column can also be mapped to metadata or ignore. Columns that are not recognised are kept as metadata.

Examples:
  workbench dataset import questions.xlsx --name faq --corpus manual
  workbench dataset import questions.csv --corpus manual --map "Sollantwort=reference"
  workbench dataset import tests.xlsx --corpus manual --sheet "Round 1" --sheet "Round 2"`
}

// Run imports.
func (c datasetImportCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		imported, report, err := w.ImportQuestions(p.Context, c.Path, c.Name, c.Corpus,
			intake.ReadOptions{Columns: c.Map, Sheets: c.Sheet, Encoding: c.Encoding})
		if err != nil {
			return err
		}
		said := slices.ContainsFunc(imported.Notes, func(n text.Said) bool { return strings.Contains(n.EN, report.Encoding) })
		if report.Encoding != "" && !said {
			p.Note("%s, %s", report.Format, report.Encoding)
		}
		for _, col := range report.Columns {
			p.Note("%s", col.Said().In(string(p.Lang())))
		}
		return printerOf(p).imported(imported, "question")
	})
}

type datasetListCmd struct{}

// Run lists.
func (datasetListCmd) Run(p *program.Program) error {
	return p.Reading(func(w *app.Workbench) error {
		list, err := w.Store.Datasets(p.Context)
		return printerOf(p).listings(list, err, "QUESTIONS", "dataset import FILE")
	})
}

type datasetShowCmd struct {
	Name  string `arg:"" help:"Name, or name@version."`
	Limit int    `help:"Show only the first N questions; 0 shows all." placeholder:"N"`
}

// Run shows.
func (c datasetShowCmd) Run(p *program.Program) error {
	return p.Reading(func(w *app.Workbench) error {
		d, err := w.Store.Dataset(p.Context, c.Name)
		if err != nil {
			return err
		}
		if c.Limit > 0 {
			d.Questions = d.Questions[:min(c.Limit, len(d.Questions))]
		}
		if p.Flags.JSON {
			return p.PrintJSON(d)
		}
		p.Say("%s@%d  %d questions shown, digest %s", d.Name, d.Version, len(d.Questions), d.Digest[:12])
		if tags := tagCounts(p.Lang(), d.Questions); tags != "" {
			p.Say("tags: %s", tags)
		}
		rows := make([][]string, len(d.Questions))
		for i, q := range d.Questions {
			rows[i] = []string{q.ID, q.Lang, marks(p.Lang(), q), strconv.Itoa(len(q.Evidence)), q.Text}
		}
		p.Table([]string{"QUESTION", "LANG", "MARKS", "EVIDENCE", "TEXT"}, rows)
		if told, other := intake.OtherLanguages(d.Questions); other {
			p.Note("note: %s", told.In(string(p.Lang())))
		}
		return nil
	})
}

func marks(l program.Language, q experiments.Question) string {
	var m []string
	if q.Critical {
		m = append(m, l.Format("critical"))
	}
	if !q.Answerable {
		m = append(m, l.Format("unanswerable"))
	}
	if q.Reference == "" {
		m = append(m, l.Format("no reference"))
	}
	if len(m) == 0 {
		return "-"
	}
	return l.List(m)
}

// tagCounts lists the tags by how often they occur.
func tagCounts(l program.Language, questions []experiments.Question) string {
	counts := map[string]int{}
	for _, q := range questions {
		for _, t := range q.Tags {
			counts[t]++
		}
	}
	tags := make([]string, 0, len(counts))
	for t := range counts {
		tags = append(tags, t)
	}
	slices.SortFunc(tags, func(a, b string) int { return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b)) })
	parts := make([]string, 0, 20)
	for _, t := range tags[:min(20, len(tags))] {
		parts = append(parts, fmt.Sprintf("%s ×%d", t, counts[t]))
	}
	if len(tags) > 20 {
		parts = append(parts, l.Text("and %d more", len(tags)-20))
	}
	return l.List(parts)
}
