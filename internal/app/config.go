package app

import (
	"errors"
	"io/fs"
	"os"
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
	Currency  string                    `yaml:"currency" json:"currency"`
}

// ProviderConfig is one OpenAI-compatible endpoint. The key itself never stands in a file of ours: only the name of the
// environment variable that holds it.
type ProviderConfig struct {
	BaseURL           string `yaml:"base_url" json:"base_url"`
	APIKeyEnv         string `yaml:"api_key_env" json:"api_key_env"`
	Organization      string `yaml:"organization" json:"organization,omitempty"`
	RequestsPerMinute int    `yaml:"requests_per_minute" json:"requests_per_minute,omitempty"`
	Concurrency       int    `yaml:"concurrency" json:"concurrency,omitempty"`
	Proxy             string `yaml:"proxy" json:"proxy,omitempty"`
	CAFile            string `yaml:"ca_file" json:"ca_file,omitempty"`
	Deterministic     bool   `yaml:"deterministic" json:"deterministic,omitempty"` // equal requests give equal replies
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
	for name, p := range c.Providers {
		if name == "offline" {
			return problem.New(problem.Invalid, "config_provider", "providers.offline: this name belongs to the built-in provider").
				WithHint("choose another name")
		}
		if !strings.HasPrefix(p.BaseURL, "http://") && !strings.HasPrefix(p.BaseURL, "https://") {
			return problem.New(problem.Invalid, "config_provider", "providers.%s.base_url is %q; it must begin with http:// or https://", name, p.BaseURL).
				With("field", "providers."+name+".base_url")
		}
	}
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
