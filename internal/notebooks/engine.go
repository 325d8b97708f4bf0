package notebooks

import (
	"context"
	"io"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
)

// Engine does the work of cells over the use cases that the command line and the API share. Only Buy spends.
type Engine interface {
	// Version is that of the engine's part behind a cell type: when it changes, finished cells of the type are stale.
	Version(cellType string) string
	// Resolve finds a dataset or corpus and counts what runs would use of it. A path is imported.
	Resolve(ctx context.Context, w Wanted) (document.Source, error)
	// Check refuses work that could not start, such as a configuration with an impossible value.
	Check(ctx context.Context, w Work) error
	// Price says what is left to buy, and buys nothing.
	Price(ctx context.Context, w Work) (Price, error)
	// Buy does what is missing of the work under a budget, zero for none. What was done is returned also with an error, and a
	// second Buy of equal work goes on where the first one stopped and pays nothing twice.
	Buy(ctx context.Context, w Work, b experiments.Budget) (Bought, error)
	// Runs loads what a run cell bought; NotFound when it is not in this data directory, Conflict when it is not finished.
	Runs(ctx context.Context, runs []BoughtRun) (document.RunSet, error)
	// Causes loads the newest causes of a run.
	Causes(ctx context.Context, run, method string) (document.CauseSet, error)
	// Repair is the configuration of a run with what its newest diagnosis recommends: by places in the list or names; none is the first
	// that can be applied, and where there is none the configuration as it was. It registers and buys nothing.
	Repair(ctx context.Context, run string, take []string) (document.Config, error)
	// Compare sets two runs side by side, with what a release check by these limits finds; baseline "" is the pinned one.
	Compare(ctx context.Context, baseline, candidate string, limits document.Limits) (document.Comparison, error)
	// Found says what came of a run by itself: the headline, the sentences and the parts of a report without a baseline. It buys nothing.
	Found(ctx context.Context, run string) (document.Report, error)
	// Failures lists low-score answers, the lowest first, at most limit.
	Failures(ctx context.Context, run string, limit int) (document.Failures, error)
	// Answer is one question of a run.
	Answer(ctx context.Context, run, question string) (document.Answer, error)
	// Gate decides; baseline "" is the pinned one.
	Gate(ctx context.Context, baseline, candidate string, limits document.Limits) (document.Verdict, error)
	// Agreement sets targets beside a run: those proposed, else the registered ones.
	Agreement(ctx context.Context, run string, proposed []document.Target) (document.Agreement, error)
	// Tables brings the rows of the wanted tables of [QueryTables], each with all columns in their order: questions of the datasets, and
	// what the runs have. A run or dataset that is named twice counts once.
	Tables(ctx context.Context, wanted map[string]bool, runs []QueryRun, datasets []document.Source) (map[string][][]any, error)
	// Stamp is a digest of what decides the rows of Tables for these runs, all but those of calls, reviews and notes: the runs as they
	// stand, with the chains that close their results.
	Stamp(ctx context.Context, runs []QueryRun) (string, error)
	// Themes are the names of the themes that the questions of runs and datasets are assigned to, by their ids.
	Themes(ctx context.Context, runs []QueryRun, datasets []document.Source) (map[string]document.Words, error)
	// WriteReport writes the workbook of a run in "en", "ja" or "both", with charts on sheets of their own at its end.
	WriteReport(ctx context.Context, r document.Report, charts []spreadsheet.NamedPlan, lang string, w io.Writer) error
	// Export writes a study file of runs.
	Export(ctx context.Context, path string, runs []string) error
}

// Wanted is a dataset or corpus that a cell names.
type Wanted struct {
	Kind   string // "dataset" or "corpus"
	Source string // registered name, name@version, or path
	Corpus string // where the evidence of an imported dataset is looked for; "" for nowhere
	Limit  int    // of a dataset: only the first questions; 0 is all
	Filter []string
}

// Work is what a paid cell wants done. One of its parts is set.
type Work struct {
	Notebook string // name for what is registered on its behalf
	Cell     string
	Runs     *RunWork
	Causes   *CauseWork
	Apply    *ApplyWork
}

// RunWork is a set of runs.
type RunWork struct {
	Configs  []ConfigWork
	Dataset  document.Source
	Metrics  []string
	Judge    map[string]any // as in an experiment file; nil is the default
	LowScore float64        // 0 is the default
	Repeats  int            // votes for each question, from 1
}

// ConfigWork is a configuration, with axes when it is a sweep.
type ConfigWork struct {
	document.Config
	Axes   []document.Axis
	Except []map[string]any `json:"except,omitempty"` // combinations that are left out
}

// CauseWork is a diagnosis.
type CauseWork struct {
	Run    string
	Method string
	Trials int
	Limit  int
	Filter []string
}

// Votes are the answers to each question that the work wants, from 1.
func (w Work) Votes() int {
	if w.Runs == nil {
		return 1
	}
	return w.Runs.Repeats
}

// ApplyWork is a run with a change that the newest diagnosis of another run recommends.
type ApplyWork struct {
	Run    string
	Change string // name of the recommendation; "" is the first that can be applied
}

// Price is what work would buy at most.
type Price struct {
	Calls    int    `json:"calls"`
	Known    int    `json:"known"`  // replies that are there already
	Micros   int64  `json:"micros"` // millionths of the currency
	Priced   bool   `json:"price_known"`
	Currency string `json:"currency"`
	Runs     int    `json:"runs"`      // of the work
	RunsDone int    `json:"runs_done"` // that need nothing any more
}

// Free reports whether nothing would be bought.
func (p Price) Free() bool { return p.Calls == 0 && p.Micros == 0 }

// Plus is the price of both.
func (p Price) Plus(o Price) Price {
	p.Calls, p.Known, p.Micros, p.Priced = p.Calls+o.Calls, p.Known+o.Known, p.Micros+o.Micros, p.Priced && o.Priced
	p.Runs, p.RunsDone = p.Runs+o.Runs, p.RunsDone+o.RunsDone
	return p
}

// Bought is what work has done so far.
type Bought struct {
	Runs     []BoughtRun
	Versions map[string]string // what was resolved: dataset, corpus, models, judge, …
	Spend    Spend             // by this call of Buy
}

// BoughtRun is one run of a cell.
type BoughtRun struct {
	Label string `json:"label" yaml:"label"` // of its configuration
	ID    string `json:"run_id" yaml:"run_id"`
}

// Spend is what was paid.
type Spend struct {
	Calls    int    `json:"calls" yaml:"calls"`
	Micros   int64  `json:"micros" yaml:"micros"` // possible spending included
	Currency string `json:"currency,omitempty" yaml:"currency,omitempty"`
}

// NewSource is the dataset or corpus that w asks for, of which runs use count of total.
func NewSource(w Wanted, ref, name, digest string, count, total int) document.Source {
	out := document.Source{Ref: ref, Name: name, Digest: digest, Count: count, Total: total, Limit: w.Limit, Filter: w.Filter}
	one, unit := "document", "件の文書"
	if w.Kind == "dataset" {
		one, unit = "question", "問"
	}
	if total != 1 {
		one += "s"
	}
	out.Size = document.Words{EN: document.Thousands(total) + " " + one, JA: document.Thousands(total) + unit}
	if count != total {
		out.Size = document.Words{EN: document.Thousands(count) + " of " + out.Size.EN,
			JA: document.Thousands(total) + unit + "中" + document.Thousands(count) + unit}
	}
	return out
}
