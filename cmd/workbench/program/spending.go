package program

import (
	"fmt"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// Spending says what was spent, in one sentence.
func (l Language) Spending(s experiments.Spending, currency string) string {
	parts := []string{l.made(s, currency)}
	switch { // of the calls made: whoever adds them up counts none twice
	case s.PossibleCalls > 0 && s.PossibleMicros > 0:
		parts = append(parts, l.Text("%d of them are not confirmed and may have cost up to %s more", s.PossibleCalls,
			l.Price(s.PossibleMicros, true, currency)))
	case s.PossibleCalls > 0:
		parts = append(parts, l.Text("%d of them are not confirmed, at a price that is unknown", s.PossibleCalls))
	}
	if s.UnknownPrice > 0 && s.ConfirmedMicros > 0 {
		parts = append(parts, l.Text("the price of %d is unknown", s.UnknownPrice))
	}
	if s.Unusable > 0 {
		parts = append(parts, l.Text("%d were paid and of no use", s.Unusable))
	}
	if s.Repaired > 0 {
		parts = append(parts, l.Text("repaired %d of %d replies", s.Repaired, s.Replies))
	}
	switch {
	case s.SavedCalls > 0 && s.SavedMicros > 0:
		parts = append(parts, l.Text("%d replies worth %s were there already", s.SavedCalls, l.Price(s.SavedMicros, true, currency)))
	case s.SavedCalls > 0:
		parts = append(parts, l.Text("%d replies were there already", s.SavedCalls))
	}
	return strings.Join(parts, l.Format("; "))
}

// made says how many calls there were and what they cost for sure.
func (l Language) made(s experiments.Spending, currency string) string {
	if s.UnknownPrice > 0 && s.ConfirmedMicros == 0 {
		return l.Text("made %d calls, price unknown", s.Calls)
	}
	return l.Text("made %d calls for %s", s.Calls, l.Confirmed(s, currency))
}

// Confirmed is what the provider confirmed to cost: unknown where no call has a price, and a part of it where some have none.
func (l Language) Confirmed(s experiments.Spending, currency string) string {
	switch {
	case s.UnknownPrice == 0:
		return l.Price(s.ConfirmedMicros, true, currency)
	case s.ConfirmedMicros == 0:
		return l.Price(0, false, currency)
	}
	return l.Text("more than %s", l.Price(s.ConfirmedMicros, true, currency))
}

// Some is an amount that stands for calls; where it is 0 although there are calls, their price is not known.
func (l Language) Some(micros int64, calls int, currency string) string {
	return l.Price(micros, micros > 0 || calls == 0, currency)
}

// Price is an amount in millionths of a currency.
func (l Language) Price(micros int64, known bool, currency string) string {
	if !known {
		return l.Format("unknown")
	}
	if micros > 0 && micros < 50 { // which would read as nothing
		return l.Text("less than %s", "0.0001 "+currency)
	}
	return fmt.Sprintf("%.4f %s", float64(micros)/1e6, currency)
}
