package app

import (
	"errors"
	"io/fs"
	"maps"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text/yaml"
)

// Config is the configuration file: where models are and what they cost. It belongs to the user of the machine, so it may
// name any environment variable and any address.
type Config struct {
	Path      string                    `yaml:"-" json:"path"` // where it was read; "" when there is none
	Providers map[string]ProviderConfig `yaml:"providers" json:"providers"`
	// PrivateHosts are the hosts in private networks, or this machine, that a provider added over HTTP may name.
	PrivateHosts []string             `yaml:"private_hosts" json:"private_hosts,omitempty"`
	Prices       map[string]llm.Price `yaml:"prices" json:"prices"` // by model, for a million tokens
	// Connections are databases for vectors, by the name that an experiment uses.
	Connections map[string]ConnectionConfig `yaml:"connections" json:"connections,omitempty"`
	// PricesFile is a YAML file of prices by model, relative to the configuration file. Its prices join those above, which win.
	PricesFile string `yaml:"prices_file" json:"prices_file,omitempty"`
	Currency   string `yaml:"currency" json:"currency"`
	// QuestionsPerMonth is how many questions users ask in a month, for what answering costs; 0: not stated.
	QuestionsPerMonth int `yaml:"questions_per_month" json:"questions_per_month,omitempty"`
	// PublicURL is how browsers reach the server, for links in messages; "" takes that of OIDC, and without either there are no links.
	PublicURL string `yaml:"public_url" json:"public_url,omitempty"`
	// ShareLinks lets people who sign in show a page to others with a link that needs no account. Where nobody signs in they always may.
	ShareLinks bool `yaml:"share_links" json:"share_links,omitempty"`
	// Traces says whether programs may send traces here, and what is kept of them.
	Traces TracesConfig `yaml:"traces" json:"traces,omitzero"`
	// Memory is what indexes may hold together, such as 500MB; "" is no limit. Written beside the program, it wins.
	Memory string `yaml:"memory" json:"memory,omitempty"`
	// OIDC is the identity provider that people may sign in to a server with; nil: none.
	OIDC *OIDCConfig `yaml:"oidc" json:"oidc,omitempty"`
	// Notifications say where messages of schedules go. They hold addresses, so they are never printed.
	Notifications NotificationsConfig `yaml:"notifications" json:"-"`
}

// ProviderConfig is one OpenAI-compatible endpoint. The key itself never stands in a file of ours: only the name of the
// environment variable that holds it.
type ProviderConfig struct {
	// "openai", "azure" for Azure's URL form, "anthropic" or "gemini" for their own dialects, or "recorded" for a folder of recorded
	// replies; "" decides by whether azure is set
	Kind              string `yaml:"kind" json:"kind,omitempty"`
	BaseURL           string `yaml:"base_url" json:"base_url"`
	Folder            string `yaml:"folder" json:"folder,omitempty"` // of a recording, relative to the configuration file
	APIKeyEnv         string `yaml:"api_key_env" json:"api_key_env"`
	Organization      string `yaml:"organization" json:"organization,omitempty"`
	Azure             *Azure `yaml:"azure" json:"azure,omitempty"`
	RequestsPerMinute int    `yaml:"requests_per_minute" json:"requests_per_minute,omitempty"`
	TokensPerMinute   int    `yaml:"tokens_per_minute" json:"tokens_per_minute,omitempty"`
	Concurrency       int    `yaml:"concurrency" json:"concurrency,omitempty"`           // requests in flight at most; 0 finds out
	MaxInputTokens    int    `yaml:"max_input_tokens" json:"max_input_tokens,omitempty"` // longest text to embed; 0 knows OpenAI's models
	IdempotencyKeys   bool   `yaml:"idempotency_keys" json:"idempotency_keys,omitempty"` // the server honours the Idempotency-Key header
	Proxy             string `yaml:"proxy" json:"proxy,omitempty"`
	CAFile            string `yaml:"ca_file" json:"ca_file,omitempty"`
	Deterministic     bool   `yaml:"deterministic" json:"deterministic,omitempty"` // equal requests give equal replies
	// Preflight has models tested before the first paid call; unset does so for servers on other machines
	Preflight *bool `yaml:"preflight" json:"preflight,omitempty"`
	// Added is set for a provider that people added while the program runs: where it may be is guarded
	Added *experiments.AddedProvider `yaml:"-" json:"-"`
}

// Azure is the part of an Azure OpenAI resource that its base URL does not say.
type Azure struct {
	APIVersion  string            `yaml:"api_version" json:"api_version"`
	Deployments map[string]string `yaml:"deployments" json:"deployments,omitempty"` // model → deployment, where the names differ
}

// makers are the addresses of services with a dialect of their own, and where their keys usually stand.
var makers = map[string]struct{ url, key string }{
	llm.DialectAnthropic: {"https://api.anthropic.com/v1", "ANTHROPIC_API_KEY"},
	llm.DialectGemini:    {"https://generativelanguage.googleapis.com/v1beta", "GEMINI_API_KEY"},
}

// ReadConfig reads the configuration file. A path that was not asked for by name may be absent. The provider "openai"
// exists without a file: OPENAI_BASE_URL (or OPENAI_API_BASE) and OPENAI_API_KEY describe it. So do "anthropic" and "gemini" where
// ANTHROPIC_API_KEY or GEMINI_API_KEY is set.
func ReadConfig(path string, named bool, getenv func(string) string) (Config, error) {
	c := Config{Providers: map[string]ProviderConfig{}, Prices: map[string]llm.Price{}, Currency: "USD"}
	raw, err := os.ReadFile(path)
	switch {
	case err == nil:
		if err := yaml.ReadStrict(raw, &c); err != nil {
			return c, yaml.WrongIn(path, "config_yaml", err)
		}
		c.Path = path
		c.halfPrices(raw)
	case named || !errors.Is(err, fs.ErrNotExist):
		return c, problem.New(problem.Invalid, "config_file", "cannot read the configuration file %s", path).Because(err)
	}
	if c.Providers == nil {
		c.Providers = map[string]ProviderConfig{}
	}
	if err := c.readPrices(); err != nil {
		return c, err
	}
	for name, p := range c.Providers {
		if p.Kind == "" && p.Azure != nil {
			p.Kind = "azure"
		}
		if p.Kind == "azure" && p.APIKeyEnv == "" {
			p.APIKeyEnv = "AZURE_OPENAI_API_KEY"
		}
		if maker, ok := makers[p.Kind]; ok {
			p.BaseURL, p.APIKeyEnv = firstOf(p.BaseURL, maker.url), firstOf(p.APIKeyEnv, maker.key)
		}
		c.Providers[name] = p
	}
	openai := c.Providers["openai"]
	if openai.BaseURL == "" {
		openai.BaseURL = firstOf(getenv("OPENAI_BASE_URL"), getenv("OPENAI_API_BASE"), "https://api.openai.com/v1")
	}
	if openai.APIKeyEnv == "" {
		openai.APIKeyEnv = "OPENAI_API_KEY"
	}
	c.Providers["openai"] = openai
	for kind, maker := range makers {
		if _, there := c.Providers[kind]; !there && getenv(maker.key) != "" {
			c.Providers[kind] = ProviderConfig{Kind: kind, BaseURL: maker.url, APIKeyEnv: maker.key}
		}
	}
	return c, c.validate()
}

func (c Config) validate() error {
	if c.OIDC != nil {
		if err := c.OIDC.validate(); err != nil {
			return err
		}
	}
	if err := c.Traces.validate(); err != nil {
		return err
	}
	if !currencyCode(c.Currency) {
		return problem.New(problem.Invalid, "config_currency", "currency is %q; it must be the three letters of one, such as USD", c.Currency).
			With("field", "currency").WithHint("write its code by ISO 4217: USD, EUR, JPY")
	}
	if _, err := ParseMemory(c.Memory); err != nil {
		return err
	}
	for name, p := range c.Providers {
		if name == "offline" {
			return problem.New(problem.Invalid, "config_provider", "providers.offline: this name belongs to the built-in provider").
				WithHint("choose another name")
		}
		if p.Kind != "recorded" && !strings.HasPrefix(p.BaseURL, "http://") && !strings.HasPrefix(p.BaseURL, "https://") {
			return problem.New(problem.Invalid, "config_provider", "providers.%s.base_url is %q; it must begin with http:// or https://",
				name, p.BaseURL).
				With("field", "providers."+name+".base_url")
		}
		if err := p.validate("providers." + name); err != nil {
			return err
		}
	}
	for _, host := range c.PrivateHosts {
		if host == "" || strings.ContainsAny(host, "/:@ *") && !strings.HasPrefix(host, "[") {
			return problem.New(problem.Invalid, "config_private_host", "private_hosts holds %q, which is no name of a host", host).
				With("field", "private_hosts").WithHint("write the name or the address alone, for example llm.intern or 10.0.0.5")
		}
	}
	for name, connection := range c.Connections {
		if connection.URLEnv == "" {
			return problem.New(problem.Invalid, "config_connection", "connections.%s.url_env is missing", name).
				With("field", "connections."+name+".url_env").
				WithHint("it names the environment variable that holds the address, postgres://user:password@host:5432/database")
		}
	}
	for model, p := range c.Prices {
		if !(p.Input >= 0 && p.Input <= 1000 && p.Output >= 0 && p.Output <= 1000) { // NaN is neither
			return problem.New(problem.Invalid, "config_price",
				"the price of %s is %v in and %v out; both must be from 0 to 1,000 for a million tokens",
				model, p.Input, p.Output).With("field", "prices."+model).
				WithHint("leave a model without a known price out: unknown is not free")
		}
		if p.Cached != nil && !(*p.Cached >= 0 && *p.Cached <= 1000) {
			return problem.New(problem.Invalid, "config_price", "the price of cached input of %s is %v; it must be from 0 to 1,000", model,
				*p.Cached).With("field", "prices."+model)
		}
	}
	return c.Notifications.validate()
}

// currencyCode reports whether a text could be the code of a currency.
func currencyCode(s string) bool {
	return len(s) == 3 && strings.IndexFunc(s, func(r rune) bool { return r < 'A' || r > 'Z' }) < 0
}

func (p ProviderConfig) validate(field string) error {
	wrong := func(name, message string, args ...any) *problem.Problem {
		return problem.New(problem.Invalid, "config_provider", field+"."+name+" "+message, args...).With("field", field+"."+name)
	}
	switch {
	case !slices.Contains([]string{"", "openai", "azure", "anthropic", "gemini", "recorded"}, p.Kind):
		return wrong("kind", "is %q; it must be openai, azure, anthropic, gemini or recorded", p.Kind).
			WithHint("Bedrock, Vertex and others are reached through a gateway that speaks OpenAI's protocol: docs/running.md")
	case p.Kind != "" && p.Kind != "azure" && p.Kind != "recorded" && p.Azure != nil:
		return wrong("azure", "is set, but kind is %s", p.Kind).WithHint("write kind: azure, or remove the azure block")
	case p.Kind == "recorded" && p.Folder == "":
		return wrong("folder", "is missing").
			WithHint("the folder in which requests wait and replies are kept, for example folder: recording")
	case p.Kind == "recorded" && (p.BaseURL != "" || p.Azure != nil || p.APIKeyEnv != ""):
		return wrong("kind", "is recorded, and a recording has no address and no key").
			WithHint("remove base_url, azure and api_key_env, or choose another kind")
	case p.Kind != "recorded" && p.Folder != "":
		return wrong("folder", "is set, but only kind: recorded has a folder")
	case p.Kind == "azure" && (p.Azure == nil || p.Azure.APIVersion == ""):
		return wrong("azure.api_version", "is missing").
			WithHint("for example azure: {api_version: 2024-10-21, deployments: {gpt-4.1: my-deployment}}")
	}
	for name, n := range map[string]int{
		"requests_per_minute": p.RequestsPerMinute, "tokens_per_minute": p.TokensPerMinute, "concurrency": p.Concurrency,
		"max_input_tokens": p.MaxInputTokens,
	} {
		if n < 0 {
			return wrong(name, "is %d; it must be 0, for no limit of yours, or more", n)
		}
	}
	return nil
}

// FolderOf is the folder of a recorded provider.
func (c Config) FolderOf(p ProviderConfig) string {
	if filepath.IsAbs(p.Folder) {
		return p.Folder
	}
	return filepath.Join(filepath.Dir(c.Path), p.Folder)
}

// readPrices adds the prices of the price file to those of the configuration, which win.
func (c *Config) readPrices() error {
	if c.PricesFile == "" {
		return nil
	}
	path := c.PricesFile
	if !filepath.IsAbs(path) {
		path = filepath.Join(filepath.Dir(c.Path), path)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		return problem.New(problem.Invalid, "prices_file", "cannot read the price file %s", path).With("file", path).Because(err).
			WithHint("prices_file is relative to the configuration file")
	}
	prices := map[string]llm.Price{}
	if err := yaml.ReadStrict(raw, &prices); err != nil {
		return yaml.WrongIn(path, "prices_file", err).
			WithHint("it holds one line for each model, such as gpt-4.1-mini: {input: 0.40, output: 1.60}")
	}
	lacking(prices, writtenIn(raw))
	maps.Copy(prices, c.Prices)
	c.Prices = prices
	return nil
}

// halfPrices notes which prices of the configuration name one half only.
func (c *Config) halfPrices(raw []byte) {
	var file struct {
		Prices map[string]map[string]any `yaml:"prices"`
	}
	if yaml.Read(raw, &file) == nil { // it was read before
		lacking(c.Prices, file.Prices)
	}
}

// writtenIn are the names in a price file, by model.
func writtenIn(raw []byte) map[string]map[string]any {
	var written map[string]map[string]any
	if yaml.Read(raw, &written) != nil { // it was read before
		return nil
	}
	return written
}

// lacking notes the half of each price that is not written down. What names neither half is free, as `{}` of an endpoint is.
func lacking(prices llm.Prices, written map[string]map[string]any) {
	for model, names := range written {
		p := prices[model]
		switch in, out := names["input"], names["output"]; {
		case in != nil && out == nil:
			p.Lacks = llm.LacksOutput
		case in == nil && out != nil:
			p.Lacks = llm.LacksInput
		}
		prices[model] = p
	}
}

// Names lists the providers, the offline one first.
func (c Config) Names() []string {
	names := make([]string, 0, len(c.Providers))
	for name := range c.Providers {
		names = append(names, name)
	}
	sort.Strings(names)
	return append([]string{"offline"}, names...)
}

func firstOf(values ...string) string {
	for _, v := range values {
		if v != "" {
			return v
		}
	}
	return ""
}

// OIDCConfig is the identity provider that people may sign in with. It is part of the configuration file: nothing over HTTP says
// where people are sent.
type OIDCConfig struct {
	Name     string `yaml:"name" json:"name,omitempty"` // on the button; default the issuer's host
	Issuer   string `yaml:"issuer" json:"issuer"`
	ClientID string `yaml:"client_id" json:"client_id"`
	// environment variable; "" is a public client
	ClientSecretEnv string `yaml:"client_secret_env" json:"client_secret_env,omitempty"`
	// how browsers reach this server
	PublicURL string `yaml:"public_url" json:"public_url"`
	// of e-mail addresses; none: only who has an account or a role already
	AllowedDomains []string `yaml:"allowed_domains" json:"allowed_domains,omitempty"`
	RoleClaim      string   `yaml:"role_claim" json:"role_claim,omitempty"` // claim that names roles
	// value of the claim → role; none: the values are our roles
	Roles map[string]experiments.Role `yaml:"roles" json:"roles,omitempty"`
	// of who has none; "" lets nobody in that has none
	DefaultRole experiments.Role `yaml:"default_role" json:"default_role,omitempty"`
	Proxy       string           `yaml:"proxy" json:"proxy,omitempty"`
	CAFile      string           `yaml:"ca_file" json:"ca_file,omitempty"`
}

// validate checks what the configuration file says.
func (c *OIDCConfig) validate() error {
	wrong := func(field, message string, args ...any) *problem.Problem {
		return problem.New(problem.Invalid, "config_oidc", "oidc."+field+" "+message, args...).With("field", "oidc."+field).
			WithHint("docs/teams.md has an example")
	}
	for _, f := range []struct{ field, text string }{{"issuer", c.Issuer}, {"public_url", c.PublicURL}} {
		if !secureURL(f.text) {
			return wrong(f.field, "is %q; it must begin with https://, or be on the loopback address", f.text)
		}
	}
	if c.ClientID == "" {
		return wrong("client_id", "is missing")
	}
	if c.DefaultRole != "" && !c.DefaultRole.Valid() {
		return wrong("default_role", "is %q; it must be viewer, editor or admin", c.DefaultRole)
	}
	if c.DefaultRole != "" && len(c.AllowedDomains) == 0 {
		return wrong("allowed_domains", "is missing: with a default role everybody whom the issuer knows would be let in")
	}
	for _, value := range slices.Sorted(maps.Keys(c.Roles)) {
		if !c.Roles[value].Valid() {
			return wrong("roles", "gives %s the role %q; it must be viewer, editor or admin", value, c.Roles[value])
		}
	}
	return nil
}

// secureURL reports whether nothing on the way to an address can listen.
func secureURL(text string) bool {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return false
	}
	addr, err := netip.ParseAddr(u.Hostname())
	local := u.Hostname() == "localhost" || err == nil && addr.IsLoopback()
	return u.Scheme == "https" || u.Scheme == "http" && local
}

// Shown is the name of the provider as people know it.
func (c *OIDCConfig) Shown() string {
	if c.Name != "" {
		return c.Name
	}
	u, err := url.Parse(c.Issuer)
	if err != nil {
		return c.Issuer
	}
	return u.Host
}

// Role is the highest role among the values of a claim, or "".
func (c *OIDCConfig) Role(claim any) experiments.Role {
	values, ok := claim.([]any)
	if !ok {
		values = []any{claim}
	}
	best := experiments.RoleNone
	for _, v := range values {
		name, _ := v.(string)
		role := experiments.Role(name)
		if len(c.Roles) > 0 {
			role = c.Roles[name]
		}
		if role.Valid() && (!best.Valid() || best.Within(role)) {
			best = role
		}
	}
	return best
}

// Allows reports whether an e-mail address belongs to an allowed domain. Without domains every address does: then only who has an
// account or a role is let in.
func (c *OIDCConfig) Allows(email string) bool {
	at := strings.LastIndexByte(email, '@')
	if at < 1 {
		return false
	}
	same := func(domain string) bool { return strings.EqualFold(strings.TrimPrefix(domain, "@"), email[at+1:]) }
	return len(c.AllowedDomains) == 0 || slices.ContainsFunc(c.AllowedDomains, same)
}
