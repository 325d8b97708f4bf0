// Package checkup is what the doctor looks at: the rows of a database, and what was told of them, computed again. A place that is at
// work and the copy in a backup go one way, and neither needs a key: what was bought is read from the ledger.
package checkup

import (
	"context"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/store"
	"github.com/rag-workbench/workbench/internal/store/doctor"
)

// Report is what was found in a place.
type Report struct {
	Findings []doctor.Finding `json:"findings"` // must not be so
	Notes    []doctor.Finding `json:"notes"`    // is worth knowing, and nothing is wrong
}

// Place is what is looked at.
type Place struct {
	Store   *store.Store
	DataDir string // "" where there is none
	Version string // of the program that looks
	Now     func() time.Time
}

// Of is the place that a workbench works in.
func Of(w *app.Workbench, version string) Place {
	return Place{Store: w.Whole, DataDir: w.Options.DataDir, Version: version, Now: w.Options.Now}
}

// Check looks through a place. It changes nothing.
func Check(ctx context.Context, p Place) (r Report, err error) {
	if r.Findings, err = p.Store.Check(ctx); err != nil {
		return r, err
	}
	for _, look := range []func(context.Context, Place) (Report, error){vouched, judgeCards, agreements, made} {
		more, err := look(ctx, p)
		if err != nil {
			return r, err
		}
		r.add(more)
	}
	lacking, err := p.Store.RunsWithoutGrounds(ctx)
	if err != nil {
		return r, err
	}
	for _, run := range lacking {
		r.Notes = append(r.Notes, doctor.Finding{Invariant: "copy", Subject: "run " + run,
			Message: "what comparisons read of its answers is not kept beside it: they read it out of the judge's replies each time"})
	}
	fires, err := fires(ctx, p)
	r.add(fires)
	return r, err
}

func (r *Report) add(more Report) {
	r.Findings, r.Notes = append(r.Findings, more.Findings...), append(r.Notes, more.Notes...)
}

// reader is a workbench that reads a place and nothing else: providers are what the ledger says of them. moved are those that
// were asked under several addresses, so that what they said then may not be found under the newest.
func reader(ctx context.Context, p Place, providers []string) (w *app.Workbench, moved map[string]bool, err error) {
	newest, moved := map[string]string{}, map[string]bool{}
	for _, name := range providers {
		origins, err := p.Store.OriginsOf(ctx, name)
		if err != nil {
			return nil, nil, err
		}
		if len(origins) > 0 {
			newest[name] = origins[0]
		}
		moved[name] = len(origins) > 1
	}
	return readerOf(p, newest), moved, nil
}

// unused is the secret of prompts that nobody sends, and in the place of a key: nothing that is stored is named by either.
const unused = "nothing-is-sent-from-here"

// readerOf is a reader for whom every provider has one address.
func readerOf(p Place, origins map[string]string) *app.Workbench {
	config := app.Config{Providers: map[string]app.ProviderConfig{}}
	for name, origin := range origins {
		config.Providers[name] = app.Replayed(origin)
	}
	o := app.Options{DataDir: p.DataDir, Now: p.Now, Concurrency: 1, Getenv: func(string) string { return unused },
		Log: func(string, ...any) {}}
	w := &app.Workbench{Store: p.Store, Config: config, Options: o, Indexes: rag.NewIndexes(1), Owner: app.OwnerName(),
		Engine: p.Store.Engine(), Reading: true, Whole: p.Store, CloseStore: func() error { return nil }}
	w.Providers = &app.Providers{Config: config, Getenv: o.Getenv, Store: p.Store, Owner: w.Owner, Now: p.Now,
		Secret: []byte(unused), Open: map[string]llm.Provider{}}
	return w
}
