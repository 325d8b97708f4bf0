package app

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/rag-workbench/workbench/internal/pgvector"
	"github.com/rag-workbench/workbench/internal/problem"
)

// ConnectionConfig is a PostgreSQL database that vectors are kept in or read from. Its address holds a password, so it never stands in a
// file of ours: only the name of the environment variable that holds it.
type ConnectionConfig struct {
	URLEnv          string `yaml:"url_env" json:"url_env"`
	CreateExtension bool   `yaml:"create_extension" json:"create_extension,omitempty"` // pgvector is installed in it when it is missing
}

// Names of the connection that exists without a file, and of the variable that holds its address.
const (
	DefaultConnection    = "pgvector"
	DefaultConnectionEnv = "WORKBENCH_PGVECTOR_URL"
)

// Connections opens each configured connection once, when it is first needed. It is safe for concurrent use.
type Connections struct {
	config map[string]ConnectionConfig
	getenv func(string) string

	mu   sync.Mutex
	open map[string]*pgvector.Server
}

// NewConnections are those of a configuration; nothing is opened yet.
func NewConnections(config Config, getenv func(string) string) *Connections {
	return &Connections{config: config.connections(), getenv: getenv, open: map[string]*pgvector.Server{}}
}

// connections are those of the file, with the one that exists without it.
func (c Config) connections() map[string]ConnectionConfig {
	all := map[string]ConnectionConfig{DefaultConnection: {URLEnv: DefaultConnectionEnv}}
	maps.Copy(all, c.Connections)
	return all
}

// Names lists the connections whose variables hold something, sorted.
func (c *Connections) Names() []string {
	var set []string
	for _, name := range slices.Sorted(maps.Keys(c.config)) {
		if c.getenv(c.config[name].URLEnv) != "" {
			set = append(set, name)
		}
	}
	return set
}

// Server returns the database with this name. The errors are *problem.Problem: connection_unknown, connection_empty, and those of
// [pgvector.Connect].
func (c *Connections) Server(ctx context.Context, name string) (*pgvector.Server, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if s, ok := c.open[name]; ok {
		return s, nil
	}
	config, ok := c.config[name]
	if !ok {
		return nil, problem.New(problem.Invalid, "connection_unknown", "there is no connection %q", name).With("name", name).
			WithHint("known: %s; add others under connections: in workbench.yaml, like %s: {url_env: KB_URL}",
				strings.Join(slices.Sorted(maps.Keys(c.config)), ", "), name)
	}
	address := c.getenv(config.URLEnv)
	if address == "" {
		return nil, problem.New(problem.Invalid, "connection_empty", "connection %s needs an address: the environment variable %s is empty",
			name, config.URLEnv).With("name", name).With("variable", config.URLEnv).
			WithHint("set it to postgres://user:password@host:5432/database before starting")
	}
	s, err := pgvector.Connect(ctx, name, address, config.CreateExtension)
	if err != nil {
		return nil, err
	}
	c.open[name] = s
	return s, nil
}

// Close closes what was opened.
func (c *Connections) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for name, s := range c.open {
		s.Close()
		delete(c.open, name)
	}
}
