package experiments

import (
	"math"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// Budget bounds what a run may buy; a sweep's bounds all its runs together. Zero fields do not bound.
type Budget struct {
	Micros int64 `json:"micros,omitempty"` // millionths of the price file's currency, retries and possibly spent calls included
	Calls  int   `json:"calls,omitempty"`  // HTTP attempts: for models without a known price
}

// ParseBudget reads what a person writes as a budget: an amount in the price file's currency ("2.50"), or a number of calls
// ("500calls") for models without a known price. An empty text is no budget.
func ParseBudget(s string) (Budget, error) {
	s = strings.TrimSpace(s)
	if s == "" {
		return Budget{}, nil
	}
	if digits, ok := strings.CutSuffix(strings.TrimSuffix(s, "s"), "call"); ok {
		n, err := strconv.Atoi(strings.TrimSpace(digits))
		if err == nil && n > 0 {
			return Budget{Calls: n}, nil
		}
	} else if amount, ok := text.ReadNumber(s); ok && amount > 0 && amount <= 1e9 {
		return Budget{Micros: int64(math.Floor(amount*1e6 + 1e-6))}, nil
	}
	return Budget{}, problem.New(problem.Invalid, "budget", "%q is not a budget", s).With("budget", s).
		WithHint("write an amount in the currency of the price file (--budget 2.50) or a number of calls (--budget 500calls)")
}
