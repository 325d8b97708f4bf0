package llm

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/rag-workbench/workbench/internal/llm/replies"
	openai "github.com/sashabaranov/go-openai"
)

// When paying for nothing stops: replies of no use and refused requests, counted for one model within one start of a run.
const (
	uselessInRow  = 20  // one after the other
	askInRow      = 3   // from so many on, what calls of other processes came to is looked up
	askShare      = 5   // or from so many of the last uselessOf
	uselessOf     = 40  // of the last so many …
	uselessShare  = 20  // … this many
	wordsQuoted   = 600 // characters of a reply that people see
	tailQuoted    = 200 // of them, from the end
	causesUseless = CauseSchema + " " + CauseEmpty + " " + CauseEnvelope + " " + CauseTruncated + " " + CauseRefusal + " " + CauseTooLarge +
		" " + CauseEmbedding
)

// Guard stops the calls of one start of a run where a model's replies are of no use or its server refuses what it is asked: each such
// call is paid, or waits, for nothing. What every further call would meet too ([Fatal]) stops them at once: what is in flight then is all
// that meets it. Its zero value is ready. It is safe for concurrent use.
type Guard struct {
	// Others says what became of the newest calls to a model, those of other processes that work on the run too included; nil knows
	// this process alone.
	Others func(ctx context.Context, provider, model string, most int) (newest []bool, err error)

	mutex  sync.Mutex
	models map[string]*waste
}

// waste is what became of the last calls to one model.
type waste struct {
	newest []bool // true: of no use; the newest first, at most uselessOf
	over   *Error // why nothing more is sent
}

type guardKey struct{}

// WithGuard returns a context whose calls g stops.
func WithGuard(ctx context.Context, g *Guard) context.Context {
	return context.WithValue(ctx, guardKey{}, g)
}

// GuardOf is the guard of a context: one for each start of a run. nil has none.
func GuardOf(ctx context.Context) *Guard {
	g, _ := ctx.Value(guardKey{}).(*Guard)
	return g
}

// stopped is why nothing more is sent to a model; nil while something may be.
func (g *Guard) stopped(provider, model string) error {
	if g == nil {
		return nil
	}
	g.mutex.Lock()
	defer g.mutex.Unlock()
	if w := g.models[provider+"/"+model]; w != nil && w.over != nil {
		return w.over
	}
	return nil
}

// learn counts what came of an attempt, with the body of its reply as the ledger keeps it. It returns
// why nothing more is sent, once too much of it was of no use.
func (g *Guard) learn(ctx context.Context, provider, model string, f *fault, body []byte) error {
	if g == nil || f != nil && !useless(f) && !f.final() {
		return nil
	}
	name := provider + "/" + model
	newest, over := g.note(name, f)
	if over != nil || f == nil || f.final() {
		return over
	}
	if row, bad := wasted(newest); !tooMuch(row, bad) && g.Others != nil && (row >= askInRow || bad >= askShare) {
		others, err := g.Others(ctx, provider, model, uselessOf)
		if err != nil {
			return err
		}
		newest = others
	}
	row, bad := wasted(newest)
	if !tooMuch(row, bad) {
		return nil
	}
	return g.stop(name, f.wasted(name, bad, len(newest), body))
}

// final reports whether every further call would meet this too.
func (f *fault) final() bool { return f.retry == never && Fatal(f.err) }

// note keeps what came of an attempt and returns what became of the last ones, the newest first. over is why nothing more is sent.
func (g *Guard) note(name string, f *fault) (newest []bool, over error) {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	w := g.of(name)
	if f != nil && f.final() {
		if w.over == nil {
			w.over = f.err
		}
		return nil, nil // its own error says it
	}
	w.newest = append([]bool{f != nil}, w.newest[:min(len(w.newest), uselessOf-1)]...)
	if w.over != nil {
		return nil, w.over
	}
	return w.newest, nil
}

// stop sends nothing more to a model.
func (g *Guard) stop(name string, why *Error) error {
	g.mutex.Lock()
	defer g.mutex.Unlock()
	w := g.of(name)
	if w.over == nil {
		w.over = why
	}
	return w.over
}

// wasted is how many of the newest calls were of no use, and how many of these stand in a row at the beginning.
func wasted(newest []bool) (row, bad int) {
	for i, useless := range newest {
		if useless {
			bad++
		}
		if useless && row == i {
			row++
		}
	}
	return row, bad
}

func tooMuch(row, bad int) bool { return row >= uselessInRow || bad >= uselessShare }

// of is what is known of a model. The caller holds the mutex.
func (g *Guard) of(name string) *waste {
	if g.models == nil {
		g.models = map[string]*waste{}
	}
	if g.models[name] == nil {
		g.models[name] = &waste{}
	}
	return g.models[name]
}

// Wasted reports whether a settled call was paid, or waited for, for nothing, and whether it counts at all: what a network or a limit
// did to a call says nothing of the model's replies.
func Wasted(state CallState, cause string) (useless, counts bool) {
	switch state {
	case CallUsable:
		return false, true
	case CallUnusable, CallFailed:
		useless = cause == CauseRequest || cause != "" && strings.Contains(causesUseless, cause)
	}
	return useless, useless
}

// useless reports whether a fault is one of a reply that was paid for nothing, or of a request that the server does not serve.
func useless(f *fault) bool {
	return f.adapt == nil && (f.err.Cause == CauseRequest || strings.Contains(causesUseless, f.err.Cause))
}

// wasted is the error that ends a run.
func (f *fault) wasted(name string, bad, of int, body []byte) *Error {
	e := &Error{Cause: CauseUseless, HTTPStatus: f.err.HTTPStatus, Err: f.err, Stop: true}
	what := "replies of %s were of no use"
	if f.err.Cause == CauseRequest {
		e.Cause, what = CauseRefused, "requests to %s were refused"
	}
	e.Message = fmt.Sprintf("%d of the last %d "+what, bad, of, name)
	if server, model := Words(f.err.HTTPStatus, body); server != "" {
		e.Message += "; the server says: " + server
	} else if model != "" {
		e.Message += "; the last one reads: " + model
	}
	return e
}

// Words are what the body of a reply says to a person: what a server says about a request that it did not serve, or else what the
// model wrote. Both are cut, beginning and end kept; they are data of others, never to be obeyed.
func Words(status int, body []byte) (server, model string) {
	if status != 0 && !succeeded(status) {
		return excerpt(refusalOf(body).message), ""
	}
	var c completion
	if json.Unmarshal(body, &c) != nil {
		return "", excerpt(string(body))
	}
	if f := errorInside(c.Error); f != nil {
		return excerpt(f.err.Message), ""
	}
	if len(c.Choices) == 0 {
		return "", excerpt(string(body))
	}
	m := c.Choices[0].Message
	said := contentOf(m)
	if said == "" {
		said = m.Refusal
	}
	if reason := c.Choices[0].FinishReason; reason != "" && reason != openai.FinishReasonStop {
		said = strings.TrimSpace(said + " [" + string(reason) + "]")
	}
	return "", excerpt(said)
}

// excerpt keeps the beginning and the end of a long text, on one line.
func excerpt(s string) string {
	runes := []rune(strings.Join(strings.Fields(replies.CleanText(s)), " "))
	if len(runes) <= wordsQuoted {
		return string(runes)
	}
	return string(runes[:wordsQuoted-tailQuoted]) + " … " + string(runes[len(runes)-tailQuoted:])
}
