package app

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Config is the configuration file: where models are and what they cost. It belongs to the user of the machine, so it may
// name any environment variable and any address.
type Config struct {
	Path      string                    `yaml:"-" json:"path"` // where it was read; "" when there is none
	Providers map[string]ProviderConfig `yaml:"providers" json:"providers"`
	Prices    map[string]llm.Price      `yaml:"prices" json:"prices"` // by model, for a million tokens
	// PricesFile is a YAML file of prices by model, relative to the configuration file. Its prices join those above, which win.
	PricesFile string `yaml:"prices_file" json:"prices_file,omitempty"`
	Currency   string `yaml:"currency" json:"currency"`
	// QuestionsPerMonth is how many questions users ask in a month, for what answering costs; 0: not stated.
	QuestionsPerMonth int `yaml:"questions_per_month" json:"questions_per_month,omitempty"`
	// PublicURL is how browsers reach the server, for links in messages; "" takes that of OIDC, and without either there are no links.
	PublicURL string `yaml:"public_url" json:"public_url,omitempty"`
	// OIDC is the identity provider that people may sign in to a server with; nil: none.
	OIDC *OIDCConfig `yaml:"oidc" json:"oidc,omitempty"`
	// Notifications say where messages of schedules go. They hold addresses, so they are never printed.
	Notifications NotificationsConfig `yaml:"notifications" json:"-"`
}

// ProviderConfig is one OpenAI-compatible endpoint. The key itself never stands in a file of ours: only the name of the
// environment variable that holds it.
type ProviderConfig struct {
	Kind              string `yaml:"kind" json:"kind,omitempty"` // "openai", or "azure" for Azure's URL form; "" decides by whether azure is set
	BaseURL           string `yaml:"base_url" json:"base_url"`
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
}

// Azure is the part of an Azure OpenAI resource that its base URL does not say.
type Azure struct {
	APIVersion  string            `yaml:"api_version" json:"api_version"`
	Deployments map[string]string `yaml:"deployments" json:"deployments,omitempty"` // model → deployment, where the names differ
}

// ReadConfig reads the configuration file. A path that was not asked for by name may be absent. The provider "openai"
// exists without a file: OPENAI_BASE_URL (or OPENAI_API_BASE) and OPENAI_API_KEY describe it.
func ReadConfig(path string, named bool, getenv func(string) string) (Config, error) {
	c := Config{Providers: map[string]ProviderConfig{}, Prices: map[string]llm.Price{}, Currency: "USD"}
	raw, err := os.ReadFile(path)
	switch {
	case err == nil:
		if err := yaml.UnmarshalWithOptions(raw, &c, yaml.Strict()); err != nil {
			return c, problem.New(problem.Invalid, "config_yaml", "%s: %s", path, yaml.FormatError(err, false, false)).
				WithHint("`workbench config --help` shows an example")
		}
		c.Path = path
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
	return c, c.validate()
}

func (c Config) validate() error {
	if c.OIDC != nil {
		if err := c.OIDC.validate(); err != nil {
			return err
		}
	}
	for name, p := range c.Providers {
		if name == "offline" {
			return problem.New(problem.Invalid, "config_provider", "providers.offline: this name belongs to the built-in provider").
				WithHint("choose another name")
		}
		if !strings.HasPrefix(p.BaseURL, "http://") && !strings.HasPrefix(p.BaseURL, "https://") {
			return problem.New(problem.Invalid, "config_provider", "providers.%s.base_url is %q; it must begin with http:// or https://", name, p.BaseURL).
				With("field", "providers."+name+".base_url")
		}
		if err := p.validate("providers." + name); err != nil {
			return err
		}
	}
	for model, p := range c.Prices {
		if !(p.Input >= 0 && p.Input <= 1000 && p.Output >= 0 && p.Output <= 1000) { // NaN is neither
			return problem.New(problem.Invalid, "config_price", "the price of %s is %v in and %v out; both must be from 0 to 1,000 for a million tokens",
				model, p.Input, p.Output).With("field", "prices."+model).
				WithHint("leave a model without a known price out: unknown is not free")
		}
	}
	return c.Notifications.validate()
}

func (p ProviderConfig) validate(field string) error {
	wrong := func(name, message string, args ...any) *problem.Problem {
		return problem.New(problem.Invalid, "config_provider", field+"."+name+" "+message, args...).With("field", field+"."+name)
	}
	switch {
	case p.Kind != "" && p.Kind != "openai" && p.Kind != "azure":
		return wrong("kind", "is %q; it must be openai or azure", p.Kind)
	case p.Kind == "openai" && p.Azure != nil:
		return wrong("azure", "is set, but kind is openai").WithHint("write kind: azure, or remove the azure block")
	case p.Kind == "azure" && (p.Azure == nil || p.Azure.APIVersion == ""):
		return wrong("azure.api_version", "is missing").WithHint("for example azure: {api_version: 2024-10-21, deployments: {gpt-4.1: my-deployment}}")
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
	if err := yaml.UnmarshalWithOptions(raw, &prices, yaml.Strict()); err != nil {
		return problem.New(problem.Invalid, "prices_file", "%s: %s", path, yaml.FormatError(err, false, false)).With("file", path).
			WithHint("it holds one line for each model, such as gpt-4.1-mini: {input: 0.40, output: 1.60}")
	}
	maps.Copy(prices, c.Prices)
	c.Prices = prices
	return nil
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
