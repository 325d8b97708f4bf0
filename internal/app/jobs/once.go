package jobs

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"sync"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/store/machine"
)

// once makes a run, or finds the one that the same request made before under the same key.
func once(ctx context.Context, b *Background, scope, key string, request any,
	create func(context.Context) (string, error)) (app.RunRow, error) {
	ctx = context.WithoutCancel(ctx) // a run that exists must be worked, whoever is still listening
	var id string
	var err error
	if key == "" {
		id, err = create(ctx)
	} else {
		body, marshalErr := json.Marshal(request)
		if marshalErr != nil {
			return app.RunRow{}, marshalErr
		}
		digest := sha256.Sum256(body)
		id, err = b.keys.once(ctx, scope, key, hex.EncodeToString(digest[:]), func() (string, error) { return create(ctx) })
	}
	if err != nil {
		return app.RunRow{}, err
	}
	run, err := b.W.Store.Run(ctx, id)
	return app.RunRowOf(run, map[string]bool{}), err
}

// idempotencyKeys remember what was made under which key, in the database, so that a request which is sent twice makes one thing, after
// a restart too.
type idempotencyKeys struct {
	w  *app.Workbench
	mu sync.Mutex
	at map[[2]string]*sync.Mutex // one for each key that is in use
}

// once returns the id that create returned under this key before; where it was not called yet it calls it. Two callers at the same
// time make one thing. Another digest of the request under the same key is a Conflict. Errors of create are not remembered.
func (k *idempotencyKeys) once(ctx context.Context, scope, key, digest string, create func() (string, error)) (string, error) {
	if len(key) > 200 {
		return "", problem.New(problem.Invalid, "idempotency_key", "the idempotency key is longer than 200 characters").
			With("field", "Idempotency-Key")
	}
	lock := k.lock(scope, key)
	lock.Lock()
	defer lock.Unlock()
	made, ok, err := k.w.Whole.Made(ctx, scope, key)
	switch {
	case err != nil:
		return "", err
	case !ok:
		id, err := create()
		if err != nil {
			return id, err
		}
		return id, k.w.Whole.PutMade(ctx, scope, key, machine.Made{Digest: digest, ID: id}, k.w.Options.Now())
	case made.Digest != digest:
		return "", KeyReused()
	}
	return made.ID, nil
}

// KeyReused says that a key was used for another request.
func KeyReused() error {
	return problem.New(problem.Conflict, "idempotency_key_reused", "the idempotency key was used for another request").
		With("field", "Idempotency-Key").
		WithHint("send a new key with a new request")
}

// lock is the lock of a key. They are few: one for each thing that somebody started through this process.
func (k *idempotencyKeys) lock(scope, key string) *sync.Mutex {
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.at == nil {
		k.at = map[[2]string]*sync.Mutex{}
	}
	l, ok := k.at[[2]string{scope, key}]
	if !ok {
		l = &sync.Mutex{}
		k.at[[2]string{scope, key}] = l
	}
	return l
}
