package machine

import (
	"github.com/rag-workbench/workbench/cmd/workbench/printing"
	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
)

// ProvidersCmd is the verb providers.
type ProvidersCmd struct {
	Test    providersTestCmd    `cmd:"" help:"Ask models for a few tokens each, and keep the form of their replies."`
	List    providersListCmd    `cmd:"" help:"What is known of models: form of replies, dimensions, latency."`
	Add     providersAddCmd     `cmd:"" help:"Add a server of models on the internet, or change one that was added."`
	Key     providersKeyCmd     `cmd:"" help:"Send the key in an environment variable to a server that was added, and to no other."`
	Remove  providersRemoveCmd  `cmd:"" help:"Remove a server of models that was added. Its runs stay."`
	Restore providersRestoreCmd `cmd:"" help:"Take back that a server of models was removed."`
}

type providersTestCmd struct {
	Name    string `arg:"" optional:"" help:"Only this provider."`
	Model   string `help:"This model instead of those that experiments name; needs a provider." placeholder:"MODEL"`
	Purpose string `help:"What the model is for: generate, judge, embed or rerank." enum:"generate,judge,embed,rerank" default:"judge"`
}

// Help explains.
func (providersTestCmd) Help() string {
	return `Before a paid run: one small request for each purpose of each model that registered experiments buy from. A judge is tried in up to three
forms: held to a schema by the server, held to some JSON object, asked for JSON in words. What came is kept, shown in the settings, and decides how requests
are sent from then on. The calls are booked, to no run.

Examples:
  workbench providers test
  workbench providers test openai --model gpt-4.1-mini
  workbench providers test local --model bge-m3 --purpose embed`
}

// Run asks.
func (c providersTestCmd) Run(p *program.Program) error {
	if c.Model != "" && c.Name == "" {
		return problem.New(problem.Invalid, "provider_missing", "--model %s: at which provider?", c.Model).
			WithHint("workbench providers test PROVIDER --model %s", c.Model)
	}
	return p.With(func(w *app.Workbench) error {
		if c.Name != "" {
			if _, err := w.Providers.Provider(c.Name); problem.Is(err, problem.NotFound) || problem.Is(err, problem.Invalid) {
				return err
			}
		}
		targets := []app.ProbeTarget{{Model: rag.Model{Provider: c.Name, Name: c.Model}, Purpose: c.Purpose}}
		if c.Model == "" {
			list, err := w.Store.Experiments(p.Context, false)
			if err != nil {
				return err
			}
			known, err := w.Known()
			if err != nil {
				return err
			}
			targets = targets[:0]
			for _, t := range app.ProbeTargets(list, known) {
				if c.Name == "" || t.Provider == c.Name {
					targets = append(targets, t)
				}
			}
		}
		probes, err := w.Probe(p.Context, targets)
		if err != nil {
			return err
		}
		if err := printing.Judges(p).Probes(probes); err != nil {
			return err
		}
		for _, b := range probes {
			if !b.OK {
				return problem.New(problem.Incomplete, "provider_test", "%s/%s cannot be used to %s", b.Provider, b.Model, b.Purpose).
					With("provider", b.Provider).With("model", b.Model).WithHint("what it said stands above; `workbench config --help`")
			}
		}
		return nil
	})
}

type providersListCmd struct {
	Added bool `help:"The servers that people added instead, beside those of workbench.yaml."`
}

// Run lists.
func (c providersListCmd) Run(p *program.Program) error {
	if c.Added {
		return p.Reading(func(w *app.Workbench) error { return added(p, w) })
	}
	return p.Reading(func(w *app.Workbench) error {
		probes, err := w.Whole.Probes(p.Context)
		if err != nil {
			return err
		}
		return printing.Judges(p).Probes(probes)
	})
}
