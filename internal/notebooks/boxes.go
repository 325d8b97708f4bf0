package notebooks

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/rag-workbench/workbench/internal/notebooks/sqlbox"
	"github.com/rag-workbench/workbench/internal/problem"
)

// The bounds of what the process does for queries.
const (
	queriesAtOnce = 2
	queryPatience = 10 * time.Second // how long a query waits for its turn
	boxesHeld     = 4
	boxBytesHeld  = 256 << 20
)

// queries is the one pool of the process.
var queries = newQueryPool(queryPatience)

// queryPool lets a few queries work at a time, one of each person, and keeps the boxes that were filled last: whoever changes a statement
// waits for its answer only.
type queryPool struct {
	patience time.Duration
	slots    chan struct{}

	mu     sync.Mutex
	people map[string]*place
	held   []filledBox // the one used last stands last
}

// place is the turn of a person and how many queries want it.
type place struct {
	turn  chan struct{}
	wants int
}

// filledBox is a box with what it holds.
type filledBox struct {
	box   *sqlbox.Box
	key   string              // of the tables and of the content behind them
	reads map[string][]string // the columns that are filled, by table
}

func newQueryPool(patience time.Duration) *queryPool {
	return &queryPool{patience: patience, slots: make(chan struct{}, queriesAtOnce), people: map[string]*place{}}
}

type personKey struct{}

// AskedBy says in a context who asks, by an id: a person has one query at a time. Without it only the process bounds them.
func AskedBy(ctx context.Context, person string) context.Context {
	return context.WithValue(ctx, personKey{}, person)
}

// enter waits for the turn of whoever asks. leave must be called once after it.
func (d *queryPool) enter(ctx context.Context) (leave func(), err error) {
	person, _ := ctx.Value(personKey{}).(string)
	late := time.NewTimer(d.patience)
	defer late.Stop()
	wait := func(turn chan struct{}, what string) error {
		select {
		case turn <- struct{}{}:
			return nil
		default:
		}
		select {
		case turn <- struct{}{}:
			return nil
		case <-ctx.Done():
			return ctx.Err()
		case <-late.C:
			return problem.New(problem.Unavailable, "sql_busy", "%s, and this one did not get its turn within %s", what, d.patience).
				WithHint("try again in a moment; a query with WHERE or of: is done sooner")
		}
	}
	done := func() {}
	if person != "" {
		own := d.place(person)
		if err := wait(own.turn, "another query of yours is still being answered"); err != nil {
			d.forget(person, own)
			return nil, err
		}
		done = func() {
			<-own.turn
			d.forget(person, own)
		}
	}
	if err := wait(d.slots, "other queries are still being answered"); err != nil {
		done()
		return nil, err
	}
	return func() {
		<-d.slots
		done()
	}, nil
}

func (d *queryPool) place(person string) *place {
	d.mu.Lock()
	defer d.mu.Unlock()
	own := d.people[person]
	if own == nil {
		own = &place{turn: make(chan struct{}, 1)}
		d.people[person] = own
	}
	own.wants++
	return own
}

func (d *queryPool) forget(person string, own *place) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if own.wants--; own.wants == 0 {
		delete(d.people, person)
	}
}

// take finds a box that holds what a plan reads, and hands it out: nobody else has it until it is put back. nil where there is none.
func (d *queryPool) take(key string, reads map[string][]string) *filledBox {
	d.mu.Lock()
	defer d.mu.Unlock()
	for i, f := range d.held {
		if f.key == key && f.holds(reads) {
			d.held = slices.Delete(d.held, i, i+1)
			return &f
		}
	}
	return nil
}

func (f filledBox) holds(reads map[string][]string) bool {
	for t, columns := range reads {
		filled, ok := f.reads[t]
		if !ok || slices.ContainsFunc(columns, func(c string) bool { return !slices.Contains(filled, c) }) {
			return false
		}
	}
	return true
}

// put keeps a box for the next query and frees those that were not used for longest, until count and bytes are within bounds.
func (d *queryPool) put(f filledBox) {
	f.reads = maps.Clone(f.reads)
	d.mu.Lock()
	defer d.mu.Unlock()
	d.held = append(d.held, f)
	for len(d.held) > boxesHeld || d.bytes() > boxBytesHeld {
		d.held[0].box.Close()
		d.held = slices.Delete(d.held, 0, 1)
	}
}

// bytes is the memory of the boxes that are kept. The caller holds the lock.
func (d *queryPool) bytes() (sum int64) {
	for _, h := range d.held {
		sum += h.box.Bytes()
	}
	return sum
}
