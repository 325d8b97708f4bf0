package llm

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/problem"
)

// job is one thing to buy: a completion or a batch of embeddings.
type job struct {
	path      string
	key       Key
	purpose   string
	model     string
	replicate int
	estimate  int64
	priced    bool         // estimate is known
	tokens    Usage        // what the provider may count for it at most
	check     func() error // nil, or what refuses it before anything is sent
	body      func(spelling) ([]byte, error)
	parse     func(raw []byte) (parsed, *fault)
	despite   string // the stored call that is of no use any more
}

// flight is a job on its way. What came of it stands once done is closed.
type flight struct {
	done chan struct{}
	got  parsed
	err  error
}

// errNoLanding is what waiters see of a job whose goroutine ended in the middle of it.
var errNoLanding = errors.New("an equal call ended without a result")

// board joins the job of a key that is on its way, or is its leader.
func (p *openAI) board(key Key) (f *flight, leads bool) {
	p.flightsMutex.Lock()
	defer p.flightsMutex.Unlock()
	if f, ok := p.flights[key]; ok {
		return f, false
	}
	f = &flight{done: make(chan struct{}), err: errNoLanding}
	p.flights[key] = f
	return f, true
}

// fly buys j for all who wait for it, in the goroutine of the caller, whose context ends it: its row must be closed before the caller
// returns.
func (p *openAI) fly(ctx context.Context, j job, f *flight) {
	defer func() {
		if r := recover(); r != nil { // the others must hear of it too
			f.err = fmt.Errorf("internal: while handling %s: %v", j.purpose, r)
		}
		p.flightsMutex.Lock()
		delete(p.flights, j.key)
		p.flightsMutex.Unlock()
		close(f.done)
	}()
	if err := ctx.Err(); err != nil {
		f.err = err
		return
	}
	f.got, f.err = p.buy(ctx, j)
}

// share buys j, or waits for an equal job that is already on its way. A follower takes over a reply or the model's failure,
// which would be its own; anything else, such as the leader's cancelled context or its run's spent budget, is the
// leader's affair, and the follower tries for itself.
func (p *openAI) share(ctx context.Context, j job) (parsed, error) {
	for {
		f, leads := p.board(j.key)
		if leads {
			p.fly(ctx, j, f)
			return f.got, f.err
		}
		select {
		case <-f.done:
		case <-ctx.Done():
			return parsed{}, ctx.Err()
		}
		if _, ofModel := errors.AsType[*Error](f.err); f.err != nil && !ofModel {
			continue
		}
		got := f.got
		got.reply.Cached = f.err == nil
		return got, f.err
	}
}

// buy answers from the ledger or makes attempts until one is usable or the retry classes say stop. Where an equal call is under way in
// another process, it waits for that one's reply. A stored reply costs nothing, so whatever refuses a call, a budget that is spent for
// example, does not count before the ledger was asked.
func (p *openAI) buy(ctx context.Context, j job) (parsed, error) {
	for look := p.looksFirst(); ; look = true {
		if look {
			if got, found, err := p.recall(ctx, &j); err != nil || found {
				return got, err
			}
		}
		got, err := p.attempts(ctx, j)
		if err == nil {
			p.unseen.bought()
			return got, nil
		}
		if held, waits := errors.AsType[*Held](err); waits {
			p.unseen.known()
			if err := p.owning.await(ctx, j.key, held); err != nil {
				return parsed{}, err
			}
			continue
		}
		if !look {
			if stored, found, err := p.recall(ctx, &j); err == nil && found {
				return stored, nil
			}
		}
		return got, err
	}
}

// attempts makes attempts until one is usable or the retry classes say stop.
func (p *openAI) attempts(ctx context.Context, j job) (parsed, error) {
	if j.check != nil {
		if err := j.check(); err != nil {
			return parsed{}, err
		}
	}
	defer p.owning.keep()()
	var got parsed
	err := p.do(ctx, string(j.key), j.tokens.PromptTokens+j.tokens.CompletionTokens, func(n int, t tally, s *seat) (f *fault, err error) {
		got, f, err = p.attempt(ctx, j, n, t, s)
		return f, err
	})
	if err != nil {
		return parsed{}, err
	}
	return got, nil
}

// recall serves a stored reply through the parser that fresh ones go through. A banked reply, whose process died before
// parsing it, is parsed and settled now: it was paid. A stored reply that the parser no longer accepts is asked again.
func (p *openAI) recall(ctx context.Context, j *job) (parsed, bool, error) {
	if p.cfg.Ledger == nil {
		return parsed{}, false, nil
	}
	c, err := p.cfg.Ledger.Lookup(ctx, j.key)
	if err != nil || c == nil || (c.State != CallUsable && c.State != CallBanked) {
		return parsed{}, false, err
	}
	x := exchange{status: c.HTTPStatus, body: c.Reply, sent: true, at: p.cfg.Now()}
	if x.status == 0 {
		x.err = errBrokeOff
	}
	got, f := p.examine(*j, x, spelling{})
	if c.State == CallBanked {
		o := p.outcome(*j, got, f)
		if err := p.cfg.Ledger.Settle(context.WithoutCancel(ctx), c.ID, o); err != nil {
			return parsed{}, false, err
		}
		c.CostMicros, c.CostKind = o.CostMicros, o.CostKind
	}
	if f != nil {
		j.despite = c.ID
		return parsed{}, false, nil
	}
	p.unseen.known()
	got.reply.Cached, got.reply.CallID = true, c.ID
	got.reply.CostMicros, got.reply.CostKnown = c.CostMicros, c.CostKind == "reported"
	if c.DoneAt != nil {
		got.reply.Latency = between(c.SentAt, *c.DoneAt)
	}
	return got, true, nil
}

// attempt is one row of the ledger: begun before it is sent, banked before it is parsed, settled before it is returned. A
// fault is what the provider did; an error is ours or the caller's and ends the call.
func (p *openAI) attempt(ctx context.Context, j job, n int, t tally, seat *seat) (parsed, *fault, error) {
	s := spelling{format: p.formatOf(j.model).Load(), longTokens: p.longTokens.Load(), double: t.longer > 0, spell: t.asks > 0}
	_, s.ownTemperature = p.ownTemperature.Load(j.model)
	if forced, probing := formForced(ctx); probing {
		s.format, s.forced = forced, true
	}
	body, err := j.body(s)
	if err != nil {
		return parsed{}, nil, &Error{Cause: CauseRequest, Message: "the request cannot be written", Err: err}
	}
	if err := GuardOf(ctx).stopped(p.info.Name, j.model); err != nil {
		return parsed{}, nil, err
	}
	c := p.row(ctx, j, n, body)
	if p.cfg.Ledger != nil {
		if err := p.cfg.Ledger.Begin(ctx, c); err != nil {
			seat.unsent()
			return parsed{}, nil, err
		}
	}
	if err := seat.sit(ctx); err != nil {
		return parsed{}, nil, p.unsent(ctx, j, c, err)
	}
	defer p.lost(ctx, c)
	x := p.send(ctx, j, body, t)
	p.foresee(x)
	// The money is gone: the caller's cancellation must not lose what it bought.
	keep := context.WithoutCancel(ctx)
	if p.cfg.Ledger != nil && x.status != 0 {
		err = p.cfg.Ledger.Bank(keep, c.ID, p.raw(x))
	}
	seat.leave() // not before the reply is safe: what a crash can lose is bounded by the seats
	if err != nil {
		return parsed{}, nil, err
	}
	got, f := p.examine(j, x, s)
	if f != nil && s.forced && f.retry == again {
		f.retry = never // what comes in another form is the next question
	}
	p.count(seat, x, got.reply.Usage)
	stopped := ctx.Err()
	if f != nil && stopped != nil && x.err != nil {
		f.err = &Error{Cause: causeCancelled, Message: "the caller stopped waiting"}
	} else {
		stopped = nil
	}
	if p.cfg.Ledger != nil {
		o := p.outcome(j, got, f)
		err := p.cfg.Ledger.Settle(keep, c.ID, o)
		if problem.Is(err, problem.Conflict) || err == nil && f == nil && x.at.Sub(c.SentAt) >= p.owning.lease {
			// Somebody may have taken this process for dead. What the ledger serves is the reply for everybody.
			if other, found, lookErr := p.recall(keep, &j); found || lookErr != nil {
				return other, nil, lookErr
			}
		}
		if err != nil {
			return parsed{}, nil, err
		}
		got.reply.CallID, got.reply.CostMicros, got.reply.CostKnown = c.ID, o.CostMicros, o.CostKind == "reported"
	}
	got.reply.Latency = between(c.SentAt, x.at)
	tookInProbe(ctx, got.reply.Latency)
	p.learnLimits(ctx, j.model, x)
	if stopped == nil {
		stopped = GuardOf(ctx).learn(keep, p.info.Name, j.model, f, p.evidence(x))
	}
	return got, f, stopped
}

// lost closes the row of a call whose handling panics, so that nobody waits for it.
func (p *openAI) lost(ctx context.Context, c Call) {
	if r := recover(); r != nil {
		if p.cfg.Ledger != nil {
			_ = p.cfg.Ledger.Settle(context.WithoutCancel(ctx), c.ID, Outcome{State: CallUnknown, Cause: "internal", CostKind: c.CostKind})
		}
		panic(r)
	}
}

// between is the time from sending to the end of the reply in the ledger's whole microseconds, so that a reply served from the
// ledger has the latency that it had when it was fresh.
func between(sent, done time.Time) time.Duration {
	return done.Truncate(time.Microsecond).Sub(sent.Truncate(time.Microsecond))
}

// anomalous is how many times its estimate a call may cost before somebody is told.
const anomalous = 10

// errBrokeOff stands for the transport's error of an exchange that an earlier process saw break off.
var errBrokeOff = errors.New("the reply broke off")

// foresee holds the others back as the header asks, before anybody takes the seat that becomes free.
func (p *openAI) foresee(x exchange) {
	if x.header == nil {
		return
	}
	p.gate.heed(x.header)
	if x.status == http.StatusTooManyRequests {
		p.gate.pause(min(waitNamed(x.header, x.at, limited), longestNamedWait))
	}
}

// unsent closes the row of a call that was booked but never sent, because its caller went away before its turn.
func (p *openAI) unsent(ctx context.Context, j job, c Call, why error) error {
	if p.cfg.Ledger == nil {
		return why
	}
	f := &fault{free: true, err: &Error{Cause: causeCancelled}}
	return errors.Join(why, p.cfg.Ledger.Settle(context.WithoutCancel(ctx), c.ID, p.outcome(j, parsed{}, f)))
}

// count corrects the tokens reserved for an attempt by those that were used. A refused attempt keeps its reservation, because
// most limits count refused requests too.
func (*openAI) count(s *seat, x exchange, u Usage) {
	switch {
	case !x.sent && x.status == 0:
		s.unsent()
	case u.PromptTokens > 0:
		s.used(u.PromptTokens + u.CompletionTokens)
	}
}

// causeCancelled marks the row of a call whose caller went away while it was in flight. No error carries it: the caller
// gets its own context's error.
const causeCancelled = "cancelled"

func (p *openAI) row(ctx context.Context, j job, n int, body []byte) Call {
	scope := ScopeOf(ctx)
	c := Call{
		ID: p.cfg.NewID(), RunID: scope.RunID, QuestionID: scope.QuestionID, Stage: scope.Stage, Purpose: j.purpose,
		Provider: p.info.Name, Origin: p.info.Origin, Model: j.model, Key: j.key, Replicate: j.replicate, Attempt: n,
		State: CallSent, Owner: p.cfg.Owner, SentAt: p.cfg.Now(), EstimateMicros: j.estimate, CostKind: "unknown",
		Request: p.secret.bytes(body, false), Despite: j.despite,
	}
	if j.priced {
		c.CostKind = "estimated"
	}
	return c
}

// examine finds out what an exchange gave. It is the only place that looks into a body.
func (p *openAI) examine(j job, x exchange, s spelling) (parsed, *fault) {
	var got parsed
	var f *fault
	switch {
	case x.status != 0 && !succeeded(x.status):
		f = p.faultOfStatus(j.model, x, s)
	case x.err != nil:
		f = faultOfTransport(x)
	default:
		got, f = j.parse(p.secret.bytes(x.body, false))
		if f != nil {
			f.wait = waitNamed(x.header, x.at, f.retry)
		}
	}
	if f != nil {
		f.err = &Error{Cause: f.err.Cause, Message: p.secret.text(f.err.Message), HTTPStatus: x.status, Err: p.secret.error(f.err.Err)}
	}
	return got, f
}

// outcome is how a call is closed. An answer of no use is booked with its usage or, without one, its estimate. A call whose
// answer did not arrive whole may have been billed or not: it is unknown, and its row's estimate is what it may have cost.
func (p *openAI) outcome(j job, got parsed, f *fault) Outcome {
	o := Outcome{
		State: CallUsable, CostKind: "unknown", ModelSeen: got.reply.Model,
		PromptTokens: got.reply.Usage.PromptTokens, CompletionTokens: got.reply.Usage.CompletionTokens,
		CachedTokens: got.reply.Usage.CachedTokens, Repair: got.reply.Repair,
	}
	if f != nil {
		o.State, o.Cause = CallUnusable, f.err.Cause
	}
	if f != nil && f.broken {
		o.State = CallUnknown
		if j.priced {
			o.CostKind = "estimated"
		}
		return o
	}
	used := o.PromptTokens > 0 || got.reply.Usage.SearchUnits > 0
	if f != nil && f.free && !used {
		o.State, o.CostKind = CallFailed, "reported"
		return o
	}
	if cost, known := p.cfg.Prices.Cost(j.model, got.reply.Usage); known && used {
		o.CostMicros, o.CostKind = cost, "reported"
		if j.priced && cost > anomalous*j.estimate {
			p.tell(Notice{Cause: CauseAnomaly, Message: fmt.Sprintf("a call of %s to %s cost %d millionths, but at most %d were expected",
				j.purpose, j.model, cost, j.estimate)})
		}
	} else if j.priced {
		o.CostMicros, o.CostKind = j.estimate, "estimated"
	}
	return o
}

// otherSpelling finds what a server that refused a request would rather read: the same request, said differently. It
// returns nil when it knows nothing better. The change holds for this provider, and a form of replies for this
// model, from then on.
func (p *openAI) otherSpelling(model string, status int, r refusal, used spelling) func() {
	if status != http.StatusBadRequest && status != http.StatusUnprocessableEntity {
		return nil
	}
	about := strings.ToLower(r.param + " " + r.message)
	mentions := func(words ...string) bool {
		for _, w := range words {
			if strings.Contains(about, w) {
				return true
			}
		}
		return false
	}
	switch {
	case !used.longTokens && mentions("max_completion_tokens"):
		return func() { p.longTokens.Store(true) }
	case !used.ownTemperature && mentions("temperature"):
		return func() { p.ownTemperature.Store(model, true) }
	case !used.forced && used.format < formatNone && mentions(p.dialect.forms...):
		return func() { p.formatOf(model).CompareAndSwap(used.format, used.format+1) }
	}
	return nil
}

// digest is the SHA-256 of a text in hexadecimal.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
