//go:build slow

package compare

import "testing"

// TestSlowSweeps plays as many worlds as the design did: go test -tags slow ./internal/analysis/compare
func TestSlowSweeps(t *testing.T) {
	t.Parallel()
	sweepAcceptance(t, 300, 1)
}
