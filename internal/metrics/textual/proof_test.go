package textual

import "testing"

// TestAQuoteMayCompleteAWord that the passage's end or beginning cuts off, and nothing else.
func TestAQuoteMayCompleteAWord(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		passage, quote string
		want           bool
	}{
		{"Tickets can be returned within thirty da", "returned within thirty days", true},
		{"Tickets can be returned within thirty da", "returned within thirty days.", true},
		{"ets can be returned within thirty days.", "Tickets can be returned", true},
		{"払い戻しには手数料がかかりま", "払い戻しには手数料がかかります", true},
		{"Tickets can be returned within thirty da", "returned within thirty days of sale", false},
		{"Tickets can be returned within thirty days.", "returned within thirty daysies", false},
		{"The fee for a return is EUR 4", "fee for a return is EUR 40", false},
		{"The fee for a return is EUR 4", "fee for a return is EUR 4x", false},
		{"払い戻しには手数料がかかりま", "払い戻しには手数料がかかりませんので注意", false},
		{"a da", "da days", false},
		{"", "days", false}, {"da", "", false},
	} {
		if got := Proves(c.passage, c.quote); got != c.want {
			t.Errorf("%q in %q: %v", c.quote, c.passage, got)
		}
	}
}
