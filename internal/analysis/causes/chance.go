package causes

import (
	"fmt"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/stats"
)

// chanceLevel is the probability below which a difference is more than chance explains, as everywhere in a comparison.
const chanceLevel = 0.05

// byChance reports of a configuration that was tried on every answer whether so many repaired beside so many broken ones may be chance, by
// the exact sign test over the answers that changed. Where the configuration was chosen as the best of several, the level is divided among
// them, as the map of a sweep does it (Bonferroni's rule).
func (o RepairOutcome) byChance() bool {
	changed := len(o.Repaired) + len(o.Broken)
	p := min(1, 2*stats.BinomialCDF(min(len(o.Repaired), len(o.Broken)), changed, 0.5))
	return !o.Sampled() && p*float64(max(1, o.Among)) >= chanceLevel
}

// chance says of a configuration that was tried on every answer whether its difference is more than chance explains; nothing where only
// a part was tried, of which the interval of the estimate tells, or where no answer changed.
func (o RepairOutcome) chance() experiments.Rationale {
	repaired, broken := len(o.Repaired), len(o.Broken)
	switch {
	case o.Sampled() || repaired+broken == 0:
		return experiments.Rationale{}
	case o.byChance():
		return experiments.Rationale{
			EN: fmt.Sprintf("This difference, %d repaired against %d broken, may be chance.", repaired, broken),
			JA: fmt.Sprintf("改善%d件・悪化%d件というこの差は、偶然の可能性があります。", repaired, broken),
		}
	}
	return experiments.Rationale{
		EN: fmt.Sprintf("This difference, %d repaired against %d broken, is more than chance explains.", repaired, broken),
		JA: fmt.Sprintf("改善%d件・悪化%d件というこの差は、偶然では説明できません。", repaired, broken),
	}
}
