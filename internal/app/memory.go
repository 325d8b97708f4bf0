package app

import (
	"cmp"
	"math"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// leastMemory is the smallest budget for indexes: below it, hardly any index fits.
const leastMemory = 1e5

// memoryUnits are what a budget may be written in, by decimal prefixes as everywhere where the program prints sizes.
var memoryUnits = []struct {
	name  string
	bytes float64
}{{"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"K", 1e3}, {"M", 1e6}, {"G", 1e9}}

// ParseMemory reads how many bytes the indexes may hold: 500MB, 1.5GB; 0 for "".
func ParseMemory(said string) (int64, error) {
	if said == "" {
		return 0, nil
	}
	number := strings.ToUpper(strings.ReplaceAll(strings.TrimSpace(said), " ", ""))
	for _, unit := range memoryUnits {
		digits, ok := strings.CutSuffix(number, unit.name)
		if !ok {
			continue
		}
		n, is := text.ReadNumber(digits)
		if bytes := n * unit.bytes; is && bytes >= leastMemory && bytes <= math.MaxInt64/2 {
			return int64(bytes), nil
		}
		break
	}
	return 0, problem.New(problem.Invalid, "memory_budget", "%q is no amount of memory for indexes", said).With("said", said).
		WithHint("write 500MB or 2GB, and at least 100KB; leave it out for no limit")
}

// memoryOf is the budget for indexes: of the options, else of the configuration; nil without.
func memoryOf(o Options, c Config) (*rag.Budget, error) {
	bytes, err := ParseMemory(cmp.Or(o.Memory, c.Memory))
	return rag.NewBudget(bytes, o.Pressed), err
}

// smallIndexes is how many bytes the indexes of small corpora may hold together before only the two last used ones stay. A diagnosis
// tries dozens of configurations in turn, and builds each again where it was given up.
const smallIndexes = 48 << 20

// newIndexes are the indexes of a workbench.
func newIndexes(budget *rag.Budget) *rag.Indexes {
	return rag.NewIndexes(2).Roomy(smallIndexes).Under(budget)
}
