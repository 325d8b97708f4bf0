package app_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/pgtest"
)

// A connection is known by its name, its address by the variable that holds it; what is wrong is said without the address.
func TestConnections(t *testing.T) {
	environment := map[string]string{"BAD_URL": "mysql://u:hunter2@host/x"}
	config := app.Config{Connections: map[string]app.ConnectionConfig{
		"bad": {URLEnv: "BAD_URL"}, "unset": {URLEnv: "KB_URL"},
	}}
	connections := app.NewConnections(config, func(name string) string { return environment[name] })
	for name, want := range map[string]string{
		"nowhere": "connection_unknown", "unset": "connection_empty", app.DefaultConnection: "connection_empty",
		"bad": "connection_address",
	} {
		_, err := connections.Server(t.Context(), name)
		if problem.CodeOf(err) != want || strings.Contains(err.Error(), "hunter2") || problem.From(err).Hint == "" {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	if names := connections.Names(); !slices.Equal(names, []string{"bad"}) {
		t.Errorf("with an address: %v", names)
	}
}

func TestAConnectionOpensOnce(t *testing.T) {
	address := pgtest.Vectors(t)
	connections := app.NewConnections(app.Config{}, func(name string) string {
		return map[string]string{app.DefaultConnectionEnv: address}[name]
	})
	defer connections.Close()
	first, err := connections.Server(t.Context(), app.DefaultConnection)
	if err != nil {
		t.Fatal(err)
	}
	if second, err := connections.Server(t.Context(), app.DefaultConnection); err != nil || second != first {
		t.Errorf("%v, %v", second, err)
	}
}
