package machine

import (
	"runtime"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments/timetable"
	"github.com/rag-workbench/workbench/internal/llm"
)

// ConfigCmd is the verb config.
type ConfigCmd struct{}

// Help shows an example.
func (ConfigCmd) Help() string {
	return `workbench.yaml in the working directory, or --config FILE:

  providers:
    openai: {api_key_env: OPENAI_API_KEY, requests_per_minute: 500, tokens_per_minute: 200000, concurrency: 8}
    local: {base_url: http://localhost:11434/v1}     # Ollama, vLLM, LiteLLM, …
    proxied: {base_url: https://llm.example/v1, api_key_env: LLM_KEY, proxy: http://proxy.example:8080, ca_file: ca.pem}
    reader: {kind: recorded, folder: recording}       # replies taken in by hand: workbench record --help
    claude: {kind: anthropic}                        # base_url and key variable (ANTHROPIC_API_KEY) are the maker's
    google: {kind: gemini}                           # GEMINI_API_KEY
    azure: {base_url: https://NAME.openai.azure.com, azure: {api_version: 2024-10-21, deployments: {gpt-4.1: my-deployment}}}
  prices:                                            # for a million tokens; a model without a price is unknown, not free
    my-model: {input: 0.40, output: 1.60, cached_input: 0.10}   # input that the provider had in its cache; without it as input
  prices_file: prices.yaml                           # more lines of this form, beside this file; those above win
  currency: USD
  memory: 500MB                                      # that search indexes may hold; WORKBENCH_MEMORY and --memory win. Default: no limit
  connections:                                       # PostgreSQL databases with pgvector, for retrieve.engine: pgvector
    kb: {url_env: KB_URL}                            # variable with postgres://…; create_extension: true installs pgvector
  private_hosts: [llm.intern]                        # inner hosts that servers of models added in the settings may be on

Keys of a provider; all but base_url may be left out:

  kind: openai                 # or azure, which a block azure: says already; anthropic or gemini, in their own dialects;
                               # or recorded, with a folder: and no base_url. Bedrock and Vertex: docs/running.md
  base_url: https://…          # for azure the resource alone, without a deployment
  api_key_env: NAME            # environment variable with the key; azure: AZURE_OPENAI_API_KEY
  organization: org-…
  requests_per_minute: 500     # 0, the default, is no limit of yours; those that replies name are heeded anyway
  tokens_per_minute: 200000
  concurrency: 8               # calls in flight at most; default 8 at first, up to 64 as long as the provider lets it
  max_input_tokens: 8191       # longest text to embed, refused before it is sent; known for OpenAI's models
  idempotency_keys: true       # the server honours the header Idempotency-Key
  preflight: false             # no test calls before the first paid one (default: unless the server is on this machine or free)
  deterministic: true          # equal requests give equal replies: one vote settles a comparison
  proxy: http://…
  ca_file: ca.pem

What an experiment file may say of an embedding besides provider and model; all of it is part of what is searched:

  dimensions: 512              # length of vectors; Matryoshka models are bought whole and cut here, others are asked for it
  matryoshka: true             # vectors of this model may be cut (of the models listed under embedders below it is known)
  query_prefix: auto           # before each question, passage_prefix before each passage: a text, auto (as listed) or none
  input_type: auto             # tells the service what is a question and what a passage, in its maker's words; default none
  similarity: dot              # with normalize: false; default cosine

List prices of models at api.openai.com, api.anthropic.com and generativelanguage.googleapis.com come with the program, dated
(public_prices below); prices here win.

Where messages of schedules go stands under notifications: see workbench notify test --help.

OPENAI_API_KEY and OPENAI_BASE_URL are enough for the provider openai, ANTHROPIC_API_KEY for anthropic, GEMINI_API_KEY for
gemini. Keys stay in the environment. WORKBENCH_PGVECTOR_URL is enough for a connection called pgvector.`
}

// Run shows what is in force. Only names of key variables are shown, and whether they are set.
func (ConfigCmd) Run(p *program.Program) error {
	o, err := p.Options()
	if err != nil {
		return err
	}
	config, err := app.ConfigOf(o)
	if err != nil {
		return err
	}
	type provider struct {
		app.ProviderConfig
		KeySet bool `json:"key_set"`
	}
	providers := map[string]provider{}
	for name, c := range config.Providers {
		providers[name] = provider{c, p.Getenv(c.APIKeyEnv) != ""}
	}
	view := map[string]any{
		"data": p.Flags.Data, "database": "sqlite", "config_file": config.Path,
		"providers": providers, "prices": config.Prices, "currency": config.Currency,
		"public_prices": app.Public(), "embedders": llm.Embedders(),
	}
	if p.Flags.Database != "" {
		view["database"] = "postgresql" // the address may hold a password
	}
	return p.PrintJSON(view)
}

// VersionCmd is the verb version.
type VersionCmd struct{}

// Run prints the version, and whose time zones schedules go by.
func (VersionCmd) Run(p *program.Program) error {
	if p.Flags.JSON {
		return p.PrintJSON(map[string]string{"version": p.Version, "go": runtime.Version(), "time_zones": timetable.ZoneRules()})
	}
	p.Say("workbench %s (%s); time zones: %s", p.Version, runtime.Version(), timetable.ZoneRules())
	return nil
}
