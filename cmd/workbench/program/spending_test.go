package program

import (
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// Calls that are not confirmed are among the calls made, and are said as a part of them, in either language.
func TestABillCountsNoCallTwice(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		s      experiments.Spending
		en, ja string
	}{
		{experiments.Spending{Calls: 19, ConfirmedMicros: 30, PossibleCalls: 18, PossibleMicros: 112_000},
			"made 19 calls for less than 0.0001 USD; 18 of them are not confirmed and may have cost up to 0.1120 USD more",
			"うち18回は確定しておらず、さらに最大 0.1120 USD かかった可能性があります"},
		{experiments.Spending{Calls: 5, PossibleCalls: 5, UnknownPrice: 5},
			"made 5 calls, price unknown; 5 of them are not confirmed, at a price that is unknown", "うち5回は確定しておらず、料金も不明です"},
		{experiments.Spending{Calls: 5, ConfirmedMicros: 5000}, "made 5 calls for 0.0050 USD", "呼び出し5回、0.0050 USD"},
	} {
		if got := English.Spending(c.s, "USD"); got != c.en {
			t.Errorf("%+v: %s", c.s, got)
		}
		if got := Japanese.Spending(c.s, "USD"); !strings.Contains(got, c.ja) {
			t.Errorf("%+v: %s", c.s, got)
		}
	}
}
