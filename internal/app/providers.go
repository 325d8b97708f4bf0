package app

import (
	"context"
	"errors"
	"maps"
	"strings"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/rag-workbench/workbench/internal/analysis/causes/laboratory"
	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/outbound"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/offline"
)

// Providers opens each configured provider once, when it is first needed.
type Providers struct {
	Config Config
	Getenv func(string) string
	Store  experiments.Store
	Secret []byte
	Owner  string
	Now    func() time.Time
	sleep  func(context.Context, time.Duration) error
	notify func(llm.Notice) // of waits and odd bills; may be nil
	// Tests has models that cost money asked for a few tokens before the first call that has to be bought; see [preflight].
	Tests bool

	mu   sync.Mutex
	Open map[string]llm.Provider

	mappings openMappings
	readers  map[string]rag.MappedIndex // of indexes that teams have, by address and description
}

// newOffline puts together what each package offers offline.
func newOffline() llm.Provider {
	handlers := offline.Handlers()
	maps.Copy(handlers, metrics.OfflineHandlers())
	maps.Copy(handlers, laboratory.CauseOfflineHandlers())
	maps.Copy(handlers, questions.QuestionOfflineHandlers())
	return llm.NewOffline(handlers, offline.Embedders())
}

// Provider returns the provider with this name.
func (p *Providers) Provider(name string) (llm.Provider, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if provider, ok := p.Open[name]; ok {
		return provider, nil
	}
	known, err := p.known(name)
	if err != nil {
		return nil, err
	}
	key := name
	if c, added := known.Providers[name]; added && c.Added != nil {
		// It may be changed at any time, in any process: each description has a client of its own.
		key = "added\x00" + name + "\x00" + c.Added.ChangedAt.Format(time.RFC3339Nano) + "\x00" + c.APIKeyEnv
		if provider, ok := p.Open[key]; ok {
			return provider, nil
		}
	}
	provider, err := p.start(name, known)
	if err != nil {
		return nil, err
	}
	p.Open[key] = provider
	return provider, nil
}

func (p *Providers) start(name string, known Config) (llm.Provider, error) {
	if name == "offline" {
		return newOffline(), nil
	}
	c, ok := known.Providers[name]
	if !ok {
		return nil, problem.New(problem.Invalid, "provider_unknown", "there is no provider %q", name).With("name", name).
			WithHint("known: %s; add others in the settings, with `workbench providers add` or under providers: in workbench.yaml",
				strings.Join(known.Names(), ", "))
	}
	if c.Kind == "recorded" {
		return p.recorded(name, c)
	}
	key := p.Getenv(c.APIKeyEnv)
	if c.APIKeyEnv != "" && key == "" && !local(c.BaseURL) {
		return nil, problem.New(problem.Invalid, "provider_key", "provider %s needs a key: the environment variable %s is empty",
			name, c.APIKeyEnv).
			With("name", name).WithHint("export %s=…, or use the provider offline, which needs none", c.APIKeyEnv)
	}
	client, err := outbound.New(outbound.Options{
		Proxy: c.Proxy, CAFile: c.CAFile, MaxIdleConnsPerHost: max(c.Concurrency, outbound.DefaultIdleConns),
		Guard: p.Config.guardOf(c),
	})
	if err != nil {
		return nil, err
	}
	config := p.booked(name, c)
	if config.Forms, config.Contexts, err = p.probed(name); err != nil {
		return nil, err
	}
	config.BaseURL, config.APIKey, config.Organization, config.Client = c.BaseURL, key, c.Organization, client
	config.Prices, config.IdempotencyKeys, config.MaxInputTokens = known.PricesOf(name), c.IdempotencyKeys, c.MaxInputTokens
	if c.Azure != nil {
		config.Azure = &llm.Azure{APIVersion: c.Azure.APIVersion, Deployments: c.Azure.Deployments}
	}
	if _, ok := makers[c.Kind]; ok {
		config.Dialect = c.Kind
	}
	provider, err := llm.NewOpenAI(config)
	if err != nil {
		return nil, err
	}
	if provider = declared(provider, c); p.tested(name) {
		provider = newPreflight(provider, p)
	}
	return provider, nil
}

// Replayed describes a provider of whom nothing is known but the address that calls in the ledger have: enough to find their replies
// again, and not to ask for others.
func Replayed(origin string) ProviderConfig {
	if llm.IsRecorded(origin) {
		return ProviderConfig{Kind: "recorded"}
	}
	dialect, address := llm.SplitOrigin(origin)
	return ProviderConfig{Kind: dialect, BaseURL: address, APIKeyEnv: "replay"}
}

// recorded opens a folder of recorded replies.
func (p *Providers) recorded(name string, c ProviderConfig) (llm.Provider, error) {
	var recording *llm.Recording
	if c.Folder != "" {
		var err error
		if recording, err = llm.OpenRecording(p.Config.FolderOf(c)); err != nil {
			return nil, err
		}
	}
	provider, err := llm.NewRecorded(p.booked(name, c), recording)
	return declared(provider, c), err
}

// booked is what all providers whose calls stand in the ledger share.
func (p *Providers) booked(name string, c ProviderConfig) llm.OpenAIConfig {
	return llm.OpenAIConfig{
		Name: name, Ledger: p.Store, Vectors: p.Store, Secret: p.Secret, Owner: p.Owner, Alive: Alive, Now: p.Now, Sleep: p.sleep,
		NewID:  func() string { return uuid.Must(uuid.NewV7()).String() },
		Limits: llm.Limits{RequestsPerMinute: c.RequestsPerMinute, TokensPerMinute: c.TokensPerMinute, Concurrency: c.Concurrency},
		Notify: p.notify,
	}
}

// declared is the provider as its owner describes it.
func declared(provider llm.Provider, c ProviderConfig) llm.Provider {
	if provider == nil || !c.Deterministic {
		return provider
	}
	return declaredDeterministic{provider}
}

// local reports whether a server on this machine is meant, which usually wants no key.
func local(url string) bool {
	for _, host := range []string{"://localhost", "://127.0.0.1", "://[::1]"} {
		if strings.Contains(url, host) {
			return true
		}
	}
	return false
}

// declaredDeterministic is a provider whose owner says that equal requests give equal replies.
type declaredDeterministic struct{ llm.Provider }

// Learn passes on what a probe found out.
func (d declaredDeterministic) Learn(b llm.Probe) { learn(d.Provider, b) }

// Info is the provider's, with Deterministic set.
func (d declaredDeterministic) Info() llm.Info {
	info := d.Provider.Info()
	info.Deterministic = true
	return info
}

var _ rag.Providers = (*Providers)(nil)

// JudgeConfigOf is the judge named provider/model, with the offline embedder beside it.
func JudgeConfigOf(name string) (metrics.JudgeConfig, error) {
	judge := metrics.DefaultJudge()
	if name == "" {
		return judge, nil
	}
	provider, model, found := strings.Cut(name, "/")
	if provider == "offline" && (!found || model == judge.Name) {
		return judge, nil
	}
	if !found || provider == "" || model == "" || provider == "offline" {
		return judge, problem.New(problem.Invalid, "judge_name", "%q names no judge; a judge is provider/model", name).
			WithHint("for example openai/gpt-4.1-mini, or %s", judge.String())
	}
	judge.Provider, judge.Name = provider, model
	return judge, nil
}

// ErrStopAsked ends an examination that somebody asked to stop.
var ErrStopAsked = errors.New("the validation was asked to stop")
