package llm

import "sync/atomic"

// enoughUnseen is how many calls in a row must have been new to the ledger before the next one is taken to be new too: as many as may
// be in flight at once.
const enoughUnseen = mostSeats

// unseen counts the calls in a row whose keys the ledger did not know. A call that is bought asks the ledger for its key twice: before it
// takes a seat, and again as it is booked, in the same transaction. Where one call after the other is new, the first question is left
// out: the second one finds what is there all the same ([Held]), and the stored reply is read then.
type unseen struct{ inRow atomic.Int32 }

// bought counts a call whose key was new.
func (u *unseen) bought() {
	if n := u.inRow.Load(); n < enoughUnseen {
		u.inRow.CompareAndSwap(n, n+1)
	}
}

// known begins again: a key was not new.
func (u *unseen) known() { u.inRow.Store(0) }

// looksFirst reports whether the ledger is asked before a call takes a seat. It is wherever a stored reply, which waits for nothing, would
// otherwise wait: for a rate, for the end of a pause, or for a provider that is down.
func (p *openAI) looksFirst() bool {
	return p.owning.ledger == nil || p.unseen.inRow.Load() < enoughUnseen || p.breaker.IsOpen() || !p.gate.passable()
}
