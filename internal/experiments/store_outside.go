package experiments

import (
	"context"
	"time"

	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/remote"
)

// OutsideStore keeps the descriptions of systems that run elsewhere, and logs of what they answered.
type OutsideStore interface {
	// PutEndpoint stores an endpoint under its name, in the place of the one that had it. created is false where there was
	// one; changed where the description is not the one that is stored already.
	PutEndpoint(ctx context.Context, e remote.Endpoint, now time.Time) (created, changed bool, err error)
	Endpoint(ctx context.Context, name string) (remote.Endpoint, error)
	// Endpoints returns all endpoints by name.
	Endpoints(ctx context.Context) ([]remote.Endpoint, error)
	// DeleteEndpoint forgets an endpoint. Runs keep the description they were started with.
	DeleteEndpoint(ctx context.Context, name string) error
	// PutIndex stores how the index behind a corpus is read, in the place of what was stored before.
	PutIndex(ctx context.Context, s rag.IndexSource, now time.Time) error
	// DeleteIndex forgets how the index behind a corpus is read. Runs keep the mapping they were started with.
	DeleteIndex(ctx context.Context, corpus string) error
	// Index returns how the index behind a corpus is read; false where the corpus has none.
	Index(ctx context.Context, corpus string) (rag.IndexSource, bool, error)
	// Indexes returns all of them by the name of the corpus.
	Indexes(ctx context.Context) ([]rag.IndexSource, error)
	// PutLog stores the log under its name: as the next version, or not at all when the newest version has the same digest.
	PutLog(ctx context.Context, l *rag.Log, now time.Time) (ref Ref, created bool, err error)
	// Log returns a log by "name" (the newest version) or "name@version".
	Log(ctx context.Context, ref string) (*rag.Log, error)
	// Logs lists all versions by name and version.
	Logs(ctx context.Context) ([]Listing, error)
	llm.InterruptedCalls
}
