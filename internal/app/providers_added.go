package app

import (
	"cmp"
	"context"
	"maps"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/outbound"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// Bounds of what people may add.
const (
	MaxAddedProviders = 100
	maxProviderURL    = 500 // characters
	maxModels         = 50
	maxModelName      = 200  // characters
	maxPerMinute      = 1e6  // requests
	maxInFlight       = 1000 // requests
)

// AddProvider checks and stores a provider under its name, in the place of the one that was added under it. It asks the provider nothing.
// No rule is another for the command line: the machine's owner, who may name any address, has the configuration file for that. The errors
// are Problems with the field that is wrong: name, provider_taken, provider_dialect, provider_address_…, provider_model,
// provider_limit, providers_full.
func (w *Workbench) AddProvider(ctx context.Context, p experiments.AddedProvider) (experiments.AddedProvider, bool, error) {
	if err := experiments.ValidName("a provider", p.Name); err != nil {
		return p, false, err
	}
	if _, configured := w.Config.Providers[p.Name]; configured || p.Name == "offline" {
		return p, false, problem.New(problem.Conflict, "provider_taken", "the name %s belongs to a provider of the configuration", p.Name).
			With("name", p.Name).With("field", "name").WithHint("choose another name")
	}
	all, err := w.Whole.AddedProviders(ctx)
	if err != nil {
		return p, false, err
	}
	if len(all) >= MaxAddedProviders && !slices.ContainsFunc(all, func(x experiments.AddedProvider) bool { return x.Name == p.Name }) {
		return p, false, problem.New(problem.Conflict, "providers_full", "%d providers were added already", len(all)).
			WithHint("give a provider that nobody needs another address instead")
	}
	if err := w.Config.checkAdded(&p); err != nil {
		return p, false, err
	}
	p.AddedAt = w.Options.Now().UTC()
	p.ChangedAt, p.RemovedAt, p.KeyEnv, p.KeyOrigin = p.AddedAt, time.Time{}, "", ""
	return w.Whole.PutProvider(ctx, p)
}

// RemoveProvider takes a provider away that was added. Runs keep what they have, and RestoreProvider takes it back.
func (w *Workbench) RemoveProvider(ctx context.Context, name string) (experiments.AddedProvider, error) {
	return w.Whole.MarkProvider(ctx, name, w.Options.Now().UTC())
}

// RestoreProvider takes back that a provider was removed.
func (w *Workbench) RestoreProvider(ctx context.Context, name string) (experiments.AddedProvider, error) {
	return w.Whole.MarkProvider(ctx, name, time.Time{})
}

// BindKey has the key in an environment variable sent to the origin that a provider has now, and to no other; "" binds none. It is for the
// owner of the machine alone: no request over HTTP reaches it.
func (w *Workbench) BindKey(ctx context.Context, name, variable string) (experiments.AddedProvider, error) {
	if variable != "" && !variableName.MatchString(variable) {
		return experiments.AddedProvider{}, problem.New(problem.Invalid, "provider_variable",
			"this is not the name of an environment variable").
			With("field", "variable").WithHint("put the key into a variable such as LLM_KEY and give the name, never the key itself")
	}
	return w.Whole.BindKey(ctx, name, variable)
}

// Known is the configuration with the providers that people added besides. One of the file wins over one of the same name.
func (w *Workbench) Known() (Config, error) { return w.Providers.known("") }

// known is the configuration with all providers that were added, unless the one with this name is in the file.
func (p *Providers) known(name string) (Config, error) {
	keeper, ok := p.Store.(experiments.ProviderStore)
	if _, configured := p.Config.Providers[name]; !ok || configured || name == "offline" {
		return p.Config, nil
	}
	added, err := keeper.AddedProviders(context.Background())
	if err != nil || len(added) == 0 {
		return p.Config, err
	}
	c := p.Config
	c.Providers = maps.Clone(c.Providers)
	if c.Providers == nil {
		c.Providers = map[string]ProviderConfig{}
	}
	for _, a := range added {
		if _, configured := c.Providers[a.Name]; configured || !a.RemovedAt.IsZero() {
			continue
		}
		c.Providers[a.Name] = ProviderConfig{Kind: a.Dialect, BaseURL: a.BaseURL, APIKeyEnv: a.Key(),
			RequestsPerMinute: a.RequestsPerMinute,
			Concurrency:       a.Concurrency, Added: &a}
	}
	return c, nil
}

// guardOf judges where connections to a provider go, each time one is made: nobody guards those of the configuration file.
func (c Config) guardOf(p ProviderConfig) outbound.Guard {
	if p.Added == nil {
		return nil
	}
	if u, err := url.Parse(p.BaseURL); err == nil && c.privateHost(u.Hostname()) {
		return outbound.PrivateToo
	}
	return outbound.PublicOnly
}

func (c Config) privateHost(host string) bool {
	return slices.ContainsFunc(c.PrivateHosts, func(allowed string) bool {
		return strings.EqualFold(strings.Trim(allowed, "[]"), host)
	})
}

// checkAdded fills in what a provider does not say, and names what is wrong.
func (c Config) checkAdded(p *experiments.AddedProvider) error {
	p.Dialect = cmp.Or(p.Dialect, "openai")
	maker, own := makers[p.Dialect]
	if !own && p.Dialect != "openai" {
		return providerWrong("dialect", "provider_dialect", "the dialect is %q", text.Cut(p.Dialect, 60)).
			WithHint("it is openai, %s or %s; Azure and what else needs more than an address belongs into workbench.yaml",
				llm.DialectAnthropic, llm.DialectGemini)
	}
	p.BaseURL = cmp.Or(strings.TrimSpace(p.BaseURL), maker.url)
	u, err := c.addressOf(p.BaseURL)
	if err != nil {
		return err
	}
	p.BaseURL = u.String()
	if p.Models, err = modelsOf(p.Models); err != nil {
		return err
	}
	for field, n := range map[string]struct{ is, most int }{
		"requests_per_minute": {p.RequestsPerMinute, maxPerMinute}, "concurrency": {p.Concurrency, maxInFlight}} {
		if n.is < 0 || n.is > n.most {
			return providerWrong(field, "provider_limit", "%s is %d", field, n.is).
				WithHint("it is from 0, for no limit of yours, to %d", n.most)
		}
	}
	return nil
}

func providerWrong(field, code, message string, args ...any) *problem.Problem {
	return problem.New(problem.Invalid, code, message, args...).With("field", field)
}

// modelsOf are names of models, each once. They go into requests, and with some dialects into their path.
func modelsOf(names []string) ([]string, error) {
	var out []string
	for _, name := range names {
		name = strings.TrimSpace(name)
		odd := strings.IndexFunc(name, func(r rune) bool {
			return !unicode.IsPrint(r) || unicode.IsSpace(r) ||
				strings.ContainsRune(`?#%\`, r)
		})
		switch {
		case name == "" || slices.Contains(out, name):
		case len([]rune(name)) > maxModelName:
			return nil, providerWrong("models", "provider_model", "a model's name has more than %d characters: %s", maxModelName,
				text.Cut(name, 60)).WithHint("copy the name from the list of the provider")
		case odd >= 0 || strings.Contains(name, ".."):
			return nil, providerWrong("models", "provider_model", "%q is no name of a model", text.Cut(name, 60)).
				WithHint("a name has no spaces, no control characters, no .. and none of ? # %% \\; copy it from the list of the provider")
		default:
			out = append(out, name)
		}
	}
	if len(out) == 0 || len(out) > maxModels {
		return nil, providerWrong("models", "provider_model", "%d models are named", len(out)).
			WithHint("name 1 to %d models that the provider serves", maxModels)
	}
	return out, nil
}

// addressOf reads the address of a provider that is added. What it refuses would send requests to a place that nobody should choose over
// HTTP; what a name resolves to is judged again when a connection is made, because it may change. Parts that may hold a secret are not
// repeated.
func (c Config) addressOf(raw string) (*url.URL, error) {
	wrong := func(kind, message, hint string, args ...any) *problem.Problem {
		return providerWrong("base_url", "provider_address_"+kind, "the address "+message, args...).WithHint("%s", hint)
	}
	if len([]rune(raw)) > maxProviderURL {
		return nil, wrong("long", "has more than %d characters", "give the base address alone, for example https://api.example.com/v1",
			maxProviderURL)
	}
	if strings.ContainsFunc(raw, func(r rune) bool { return !unicode.IsPrint(r) || unicode.IsSpace(r) || r == '\\' }) {
		return nil, wrong("characters", "holds a space, a line break or another character that no address has",
			"type it anew, or copy it without what is around it")
	}
	u, err := url.Parse(raw)
	switch {
	case err != nil || u.Opaque != "" || u.Scheme == "":
		return nil, wrong("unreadable", "cannot be read", "write it like https://api.example.com/v1")
	case u.Scheme != "https" && u.Scheme != "http":
		return nil, wrong("scheme", "begins with %s:", "it must begin with https://", text.Cut(u.Scheme, 60))
	case u.User != nil:
		return nil, wrong("credentials", "holds a user name or a password", "leave out what stands before the @; "+
			"the owner of the machine gives a provider its key with `workbench providers key`")
	case u.RawQuery != "" || u.ForceQuery || u.Fragment != "" || strings.HasSuffix(raw, "#"):
		return nil, wrong("query", "holds a ? or a #",
			"give the base address alone; a key that stands behind ? would be shown to everybody")
	}
	host := strings.ToLower(strings.TrimSuffix(u.Hostname(), "."))
	if port := u.Port(); port != "" {
		if n, err := strconv.Atoi(port); err != nil || n < 1 || n > 65535 {
			return nil, wrong("port", "has the port %s", "a port is a number from 1 to 65535", text.Cut(port, 60))
		}
	}
	if reason := insideReason(host); reason != "" && !c.privateHost(host) {
		return nil, wrong("inside", "leads to %s: %s",
			"add a server on the internet, or have the owner of the machine allow this host with "+
				"private_hosts: ["+text.Cut(host, 60)+"] in workbench.yaml", text.Cut(host, 60), reason).With("host", text.Cut(host, 60))
	}
	if u.Scheme == "http" && !c.privateHost(host) {
		return nil, wrong("http", "begins with http://", "use https://, so that nobody on the way reads questions and keys")
	}
	for _, end := range []string{"/chat/completions", "/completions", "/embeddings", "/messages"} {
		if strings.HasSuffix(u.Path, end) {
			return nil, wrong("end", "ends in %s", "leave that off: the program puts it behind the base address itself", end).
				With("end", end)
		}
	}
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), ""
	if u.Path != "" && (strings.Contains(u.Path, "/..") || strings.Contains(u.Path, "//")) {
		return nil, wrong("path", "has a path with .. or //", "write the path as it is, for example https://api.example.com/v1")
	}
	port := u.Port()
	if u.Host = host; strings.Contains(host, ":") {
		u.Host = "[" + host + "]"
	}
	if port != "" {
		u.Host += ":" + port
	}
	return u, nil
}

// insideReason is why a host is not on the internet, as far as its name tells; "" where it may be.
func insideReason(host string) string {
	if addr, err := netip.ParseAddr(host); err == nil {
		if refused := outbound.PublicOnly(addr); refused != nil {
			_, reason, _ := strings.Cut(refused.Error(), ": ")
			return reason
		}
		return ""
	}
	labels := strings.Split(host, ".")
	last := labels[len(labels)-1]
	switch {
	case host == "":
		return "it names no host"
	case strings.ContainsAny(host, "%:[]"):
		return "it is no name of a host"
	case last == "localhost" || len(labels) == 1:
		return "it is a name of this machine or of its network"
	case slices.Contains([]string{"local", "internal", "intranet", "lan", "home", "corp"}, last) || strings.HasSuffix(host, ".home.arpa"):
		return "names that end like this belong to private networks"
	case last == "" || strings.Trim(last, "0123456789") == "" || strings.HasPrefix(last, "0x"):
		return "it is no name of a host"
	}
	return ""
}
