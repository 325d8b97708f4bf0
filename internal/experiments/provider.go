package experiments

import (
	"context"
	"net/url"
	"strings"
	"time"
)

// AddedProvider is a server of models that people added while the program runs, beside those of the configuration file. It holds no key:
// the owner of the machine binds the name of an environment variable to the origin of its address.
type AddedProvider struct {
	Name              string    `json:"name"`
	Dialect           string    `json:"dialect"`                       // "openai", "anthropic" or "gemini"
	BaseURL           string    `json:"base_url"`                      // without user, query and fragment
	Models            []string  `json:"models"`                        // that people may choose; at least one
	RequestsPerMinute int       `json:"requests_per_minute,omitempty"` // 0: no limit of ours
	Concurrency       int       `json:"concurrency,omitempty"`         // requests in flight at most; 0 finds out
	KeyEnv            string    `json:"key_env,omitempty"`             // environment variable that holds the key
	KeyOrigin         string    `json:"key_origin,omitempty"`          // the only scheme, host and port that the key is sent to
	AddedBy           string    `json:"added_by"`
	AddedAt           time.Time `json:"added_at"`
	ChangedAt         time.Time `json:"changed_at"`
	RemovedAt         time.Time `json:"removed_at,omitzero"` // when it was removed; it may be taken back
}

// Origin is scheme, host and port of the address.
func (p AddedProvider) Origin() string {
	u, err := url.Parse(p.BaseURL)
	if err != nil {
		return ""
	}
	return u.Scheme + "://" + u.Host
}

// Key is the environment variable whose key may be sent to the address as it is now; "" is none. A key that was bound to another
// origin stays here.
func (p AddedProvider) Key() string {
	if p.KeyOrigin != p.Origin() {
		return ""
	}
	return p.KeyEnv
}

// Told is the provider as the audit log names it.
func (p AddedProvider) Told() string {
	told := p.Name + ": " + p.Dialect + " " + p.BaseURL + ", " + strings.Join(p.Models, " ")
	if key := p.Key(); key != "" {
		told += ", key of " + key
	}
	return told
}

// ProviderStore keeps providers that were added.
type ProviderStore interface {
	// PutProvider stores a provider under its name, in the place of the one that had it. Unless that was removed, who added it and the
	// binding of its key stay.
	PutProvider(ctx context.Context, p AddedProvider) (stored AddedProvider, created bool, err error)
	// AddedProviders returns all of them by name, removed ones too.
	AddedProviders(ctx context.Context) ([]AddedProvider, error)
	// MarkProvider says when a provider was removed; the zero time takes it back.
	MarkProvider(ctx context.Context, name string, removed time.Time) (AddedProvider, error)
	// BindKey binds the key in an environment variable to the origin that the provider has now; "" unbinds it.
	BindKey(ctx context.Context, name, variable string) (AddedProvider, error)
}
