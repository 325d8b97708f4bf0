package machine

import (
	"cmp"
	"strings"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	apppeople "github.com/rag-workbench/workbench/internal/app/people"
	"github.com/rag-workbench/workbench/internal/experiments"
)

type providersAddCmd struct {
	Name    string   `arg:"" help:"Name that experiments use."`
	URL     string   `help:"Base address on the internet, https://…; default the maker's, of a dialect that has one." name:"url"`
	Model   []string `help:"Name of a model that it serves. Repeatable." required:"" placeholder:"MODEL"`
	Dialect string   `help:"What it speaks: openai, anthropic or gemini." default:"openai"`
	RPM     int      `help:"Requests a minute; default no limit." name:"rpm" placeholder:"N"`
}

// Help shows examples.
func (providersAddCmd) Help() string {
	return `The same as in the settings of the user interface, by the same rules: the address is on the internet and holds no key, and every
connection is looked at again when it is made. A server in a private network needs its host in private_hosts: of workbench.yaml; any
address, with a proxy or certificates of its own, may stand under providers: there. --concurrency is how many requests may be in flight.

Examples:
  workbench providers add gateway --url https://llm.example.com/v1 --model llama-3.3-70b --model bge-m3
  workbench providers key gateway GATEWAY_KEY          # the key in $GATEWAY_KEY goes to https://llm.example.com and nowhere else
  workbench providers test gateway --model llama-3.3-70b`
}

// Run adds.
func (c providersAddCmd) Run(p *program.Program) error {
	return providing(p, "provider.add", func(w *app.Workbench) (experiments.AddedProvider, error) {
		a, created, err := w.AddProvider(p.Context, experiments.AddedProvider{Name: c.Name, Dialect: c.Dialect, BaseURL: c.URL,
			Models:            c.Model,
			RequestsPerMinute: c.RPM, Concurrency: p.Flags.Concurrency, AddedBy: apppeople.Machine().Name})
		if err != nil || p.Flags.JSON {
			return a, err
		}
		if created {
			p.Say("added provider %s (%s)", a.Name, a.BaseURL)
		} else {
			p.Say("changed provider %s (%s)", a.Name, a.BaseURL)
		}
		if a.Key() == "" {
			p.Say("if it wants a key: workbench providers key %s VARIABLE", a.Name)
		}
		p.Say("try it: workbench providers test %s --model %s", a.Name, a.Models[0])
		return a, nil
	})
}

type providersKeyCmd struct {
	Name     string `arg:"" help:"A server that was added."`
	Variable string `arg:"" optional:"" help:"Environment variable that holds the key, as the server sees it; none takes the key away."`
}

// Run binds.
func (c providersKeyCmd) Run(p *program.Program) error {
	return providing(p, "provider.key", func(w *app.Workbench) (experiments.AddedProvider, error) {
		a, err := w.BindKey(p.Context, c.Name, c.Variable)
		switch {
		case err != nil || p.Flags.JSON:
		case c.Variable == "":
			p.Say("provider %s gets no key any more", a.Name)
		default:
			p.Say("the key in $%s goes to %s and nowhere else, also when the address is changed", a.KeyEnv, a.KeyOrigin)
			if w.Options.Getenv(a.KeyEnv) == "" {
				p.Note("the variable is empty here; it has to be set where the server runs")
			}
		}
		return a, err
	})
}

type providersRemoveCmd struct {
	Name string `arg:"" help:"A server that was added."`
}

// Run removes.
func (c providersRemoveCmd) Run(p *program.Program) error {
	return providing(p, "provider.remove", func(w *app.Workbench) (experiments.AddedProvider, error) {
		a, err := w.RemoveProvider(p.Context, c.Name)
		if err == nil && !p.Flags.JSON {
			p.Say("removed provider %s; take it back with: workbench providers restore %s", a.Name, a.Name)
		}
		return a, err
	})
}

type providersRestoreCmd struct {
	Name string `arg:"" help:"A server that was removed."`
}

// Run takes back.
func (c providersRestoreCmd) Run(p *program.Program) error {
	return providing(p, "provider.restore", func(w *app.Workbench) (experiments.AddedProvider, error) {
		a, err := w.RestoreProvider(p.Context, c.Name)
		if err == nil && !p.Flags.JSON {
			p.Say("provider %s is back (%s)", a.Name, a.BaseURL)
		}
		return a, err
	})
}

// providing does something about a provider that people added, and writes it into the audit log.
func providing(p *program.Program, action string, do func(*app.Workbench) (experiments.AddedProvider, error)) error {
	return p.With(func(w *app.Workbench) error {
		a, err := do(w)
		if err != nil {
			return err
		}
		people := apppeople.PeopleAt(w, p.Now)
		if err := people.Record(p.Context, apppeople.Machine(), experiments.AuditEntry{Action: action, Target: a.Told()}); err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(a)
		}
		return nil
	})
}

// added lists the providers that people added.
func added(p *program.Program, w *app.Workbench) error {
	list, err := w.Whole.AddedProviders(p.Context)
	if err != nil {
		return err
	}
	if p.Flags.JSON {
		return p.PrintJSON(list)
	}
	if len(list) == 0 {
		p.Say("none was added; add one with: workbench providers add NAME --url https://… --model MODEL")
		return nil
	}
	rows := make([][]string, len(list))
	for i, a := range list {
		removed := ""
		if !a.RemovedAt.IsZero() {
			removed = p.Lang().Text("removed")
		}
		rows[i] = []string{a.Name, a.Dialect, a.BaseURL, strings.Join(a.Models, " "), cmp.Or(a.Key(), "-"), a.AddedBy, removed}
	}
	p.Table([]string{"PROVIDER", "DIALECT", "ADDRESS", "MODELS", "KEY FROM", "ADDED BY", ""}, rows)
	return nil
}
