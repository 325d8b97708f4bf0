package library

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag/remote"
)

// EndpointCmd is the verb endpoint.
type EndpointCmd struct {
	Add    endpointAddCmd    `cmd:"" help:"Register a RAG system that runs behind HTTP, or change how it is asked."`
	Test   endpointTestCmd   `cmd:"" help:"Ask it one question and show what the paths found in the reply."`
	List   endpointListCmd   `cmd:"" help:"List endpoints."`
	Show   endpointShowCmd   `cmd:"" help:"Show how an endpoint is asked."`
	Remove endpointRemoveCmd `cmd:"" help:"Forget an endpoint. Its runs stay."`
}

type endpointAddCmd struct {
	Name        string        `arg:"" help:"Name of the endpoint, or a YAML file that describes it."`
	URL         string        `help:"Address; with GET its query may hold {{question}} and {{k}}." name:"url"`
	Template    string        `help:"JSON body with {{question}}, or a file that holds it." placeholder:"JSON|FILE"`
	Answer      string        `help:"Path of the answer in the reply." placeholder:"PATH"`
	Contexts    string        `help:"Path of the list of contexts." placeholder:"PATH"`
	ContextText string        `help:"Path of the text within a context; default text, content and the like." placeholder:"PATH"`
	ContextID   string        `help:"Path of the document's id within a context." placeholder:"PATH" name:"context-id"`
	Header      []string      `help:"Header whose key is an environment variable: --header 'Authorization: Bearer $${RAG_KEY}'. Repeatable." sep:"none" placeholder:"NAME: VALUE"`
	Method      string        `help:"HTTP method; default POST, or GET for an address with {{question}} and no template." placeholder:"METHOD"`
	Timeout     time.Duration `help:"For one reply as a whole; default 2m."`
	AtMostOnce  bool          `help:"Asking has side effects: never repeat a call whose reply did not come."`
	RPM         int           `help:"Calls a minute; default no limit." name:"rpm" placeholder:"N"`
	VersionPath string        `help:"Path of the system's version, which is noted with every call." placeholder:"PATH"`
}

// Help shows examples.
func (endpointAddCmd) Help() string {
	return `The template is JSON. {{question}} goes into quotation marks; {{k}} and {{contexts}} stand without; {{system_prompt}} is optional.
Paths: answer   data.answer   choices[0].message.content   sources[*].text   data["a.b"]
Keys are never stored: a header names the environment variable that holds the key. --concurrency (default 4) is how many calls
may be in flight.

Examples:
  workbench endpoint add prod --url https://rag.example/api/ask --template '{"query": "{{question}}", "top_k": {{k}}}' \
    --answer answer --contexts sources --context-text text --context-id doc --header 'Authorization: Bearer ${RAG_KEY}'
  workbench endpoint add search --url 'https://rag.example/ask?q={{question}}' --answer result.text
  workbench endpoint add prod.yaml

The same as a file:
  name: prod
  url: https://rag.example/api/ask
  template: '{"query": "{{question}}", "top_k": {{k}}}'   # or the name of a file
  headers: {Authorization: 'Bearer ${RAG_KEY}'}
  answer: answer
  contexts: sources
  context_text: text
  context_id: doc
  version_path: version
  timeout: 30s
  at_most_once: false
  concurrency: 4
  rpm: 60

An experiment file names it in the place of base:
  name: prod-faq
  endpoint: prod
  dataset: faq
  corpus: manual        # optional: contexts are looked for in it, so that evidence can be compared`
}

// Run registers.
func (c endpointAddCmd) Run(p *program.Program) error {
	e, err := c.endpoint(p.Flags.Concurrency)
	if err != nil {
		return err
	}
	return p.With(func(w *app.Workbench) error {
		e, created, changed, err := app.AddEndpoint(p.Context, w, e)
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(e)
		}
		switch {
		case created:
			p.Say("added endpoint %s (%s %s)", e.Name, e.Method, e.URL)
		case changed:
			p.Say("changed endpoint %s (%s %s)", e.Name, e.Method, e.URL)
		default:
			p.Say("unchanged: endpoint %s (%s %s)", e.Name, e.Method, e.URL)
		}
		p.Say("try it: workbench endpoint test %s", e.Name)
		return nil
	})
}

// endpoint is the file, or what the flags say. calls is how many may be in flight: the flag of all verbs.
func (c endpointAddCmd) endpoint(calls int) (remote.Endpoint, error) {
	if strings.HasSuffix(c.Name, ".yaml") || strings.HasSuffix(c.Name, ".yml") {
		if c.URL != "" || c.Template != "" || c.Answer != "" {
			return remote.Endpoint{}, problem.New(problem.Invalid, "endpoint_field", "%s describes the endpoint, and so do the flags",
				c.Name).WithHint("give a file, or a name with flags")
		}
		return app.ReadEndpoint(c.Name)
	}
	e := remote.Endpoint{
		Name: c.Name, URL: c.URL, Method: c.Method, Answer: c.Answer, Contexts: c.Contexts, ContextText: c.ContextText,
		ContextID:   c.ContextID,
		VersionPath: c.VersionPath, TimeoutMS: c.Timeout.Milliseconds(), AtMostOnce: c.AtMostOnce, Concurrency: calls, RPM: c.RPM,
	}
	for _, h := range c.Header {
		name, value, ok := strings.Cut(h, ":")
		if !ok {
			// What was given may be a key, so it is not repeated.
			return e, problem.New(problem.Invalid, "endpoint_header", "a header is not written NAME: VALUE").With("field", "headers").
				WithHint("write it like --header 'Authorization: Bearer ${RAG_KEY}', in single quotation marks")
		}
		if e.Headers == nil {
			e.Headers = map[string]string{}
		}
		e.Headers[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	var err error
	e.Template, err = app.EndpointTemplate(c.Template, ".")
	return e, err
}

type endpointTestCmd struct {
	Name     string `arg:"" help:"Name of the endpoint."`
	Question string `help:"What to ask." default:"What can you help me with?"`
}

// Run asks.
func (c endpointTestCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		test, err := app.TestEndpoint(p.Context, w, c.Name, c.Question)
		if p.Flags.JSON && err == nil {
			return p.PrintJSON(test)
		}
		received := test.Received
		if what := problem.From(err); what != nil {
			received, _ = what.Params["received"].([]remote.OutlineLine)
		}
		if !p.Flags.JSON && len(received) > 0 {
			p.Say("received (status %d, %d ms):", test.Status, test.LatencyMS)
			rows := make([][]string, len(received))
			for i, l := range received {
				rows[i] = []string{l.Path, l.Value}
			}
			p.Table([]string{"PATH", "VALUE"}, rows)
		}
		if err != nil {
			return err
		}
		return printerOf(p).trial(w, test)
	})
}

// trial prints what the paths of an endpoint found.
func (p libraryPrinter) trial(w *app.Workbench, test app.EndpointTest) error {
	e, err := w.Store.Endpoint(p.Context, test.Endpoint)
	if err != nil {
		return err
	}
	p.Say("")
	p.Say("answer    %s: %q", e.Answer, program.OneLine(test.Answer, 100))
	switch {
	case e.TakesContexts():
		p.Say("contexts  are ours: the template takes {{contexts}}")
	case e.Contexts == "":
		p.Say("contexts  no path: metrics that look at contexts will not apply")
	case test.Contexts == nil:
		p.Say("contexts  %s: nothing to be read there (%s): metrics that look at contexts will not apply", e.Contexts,
			strings.Join(test.Notes, ", "))
	default:
		p.Say("contexts  %s: %d", e.Contexts, len(test.Contexts))
		for i, text := range test.Contexts[:min(3, len(test.Contexts))] {
			p.Say("  %d  %-12s %q", i+1, cmp.Or(program.OneLine(test.IDs[i], 40), "(no id)"), program.OneLine(text, 80))
		}
	}
	if e.VersionPath != "" {
		p.Say("version   %s: %q", e.VersionPath, program.OneLine(test.Version, 60))
	}
	return nil
}

type endpointListCmd struct{}

// Run lists.
func (endpointListCmd) Run(p *program.Program) error {
	return p.Reading(func(w *app.Workbench) error {
		list, err := w.Store.Endpoints(p.Context)
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(list)
		}
		if len(list) == 0 {
			p.Say("none yet; add one with: workbench endpoint add NAME --url …")
			return nil
		}
		rows := make([][]string, len(list))
		for i, e := range list {
			rows[i] = []string{e.Name, e.Method, e.URL, e.Answer, e.Contexts, strings.Join(e.KeyNames(), " ")}
		}
		p.Table([]string{"ENDPOINT", "METHOD", "ADDRESS", "ANSWER", "CONTEXTS", "KEYS FROM"}, rows)
		return nil
	})
}

type endpointShowCmd struct {
	Name string `arg:"" help:"Name of the endpoint."`
}

// Run shows.
func (c endpointShowCmd) Run(p *program.Program) error {
	return p.Reading(func(w *app.Workbench) error {
		e, err := w.Store.Endpoint(p.Context, c.Name)
		if err != nil {
			return err
		}
		if p.Flags.JSON {
			return p.PrintJSON(e)
		}
		rows := [][]string{{"address", e.Method + " " + e.URL}}
		line := func(name, value string) {
			if value != "" {
				rows = append(rows, []string{name, value})
			}
		}
		line("template", e.Template)
		for _, name := range slices.Sorted(maps.Keys(e.Headers)) {
			line("header", name+": "+e.Headers[name])
		}
		line("answer", e.Answer)
		line("contexts", e.Contexts)
		line("context text", e.ContextText)
		line("context id", e.ContextID)
		line("version", e.VersionPath)
		line("timeout", e.Timeout().String())
		line("in flight", strconv.Itoa(cmp.Or(e.Concurrency, remote.DefaultCalls)))
		if e.RPM > 0 {
			line("a minute", strconv.Itoa(e.RPM))
		}
		if e.AtMostOnce {
			line("repeats", "never a call whose reply did not come")
		}
		p.Table([]string{"ENDPOINT " + e.Name, ""}, rows)
		return nil
	})
}

type endpointRemoveCmd struct {
	Name string `arg:"" help:"Name of the endpoint."`
}

// Run removes.
func (c endpointRemoveCmd) Run(p *program.Program) error {
	return p.With(func(w *app.Workbench) error {
		if err := w.Store.DeleteEndpoint(p.Context, c.Name); err != nil {
			return err
		}
		p.Say("removed endpoint %s; its runs keep the description they were started with", c.Name)
		return nil
	})
}
