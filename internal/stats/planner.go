package stats

import (
	"fmt"
	"math"
)

// Plan says how large a paired comparison is and how sure it shall be.
type Plan struct {
	Alpha        float64 // two-sided level of the test, or one-sided of a non-inferiority test; 0.05 is usual
	Power        float64 // chance to find an effect of the size asked for; 0.8 is usual
	DesignEffect float64 // variance inflation by clusters, see [DesignEffect]; 0 counts as 1
}

func (p Plan) valid() error {
	if err := level("plan", "alpha", p.Alpha); err != nil {
		return err
	}
	if p.DesignEffect < 0 || math.IsNaN(p.DesignEffect) {
		return fmt.Errorf("plan: the design effect is %v, and must be above 0", p.DesignEffect)
	}
	return level("plan", "power", p.Power)
}

func (p Plan) inflation() float64 {
	if p.DesignEffect == 0 {
		return 1
	}
	return p.DesignEffect
}

// DetectableFromSE is the smallest true difference that is found with the plan's power, for a standard error:
// (z(1-alpha/2) + z(power)) se. It fails on an alpha or power outside (0, 1).
func (p Plan) DetectableFromSE(se float64) (float64, error) {
	if err := p.valid(); err != nil {
		return 0, err
	}
	return (NormalQuantile(1-p.Alpha/2) + NormalQuantile(p.Power)) * se * math.Sqrt(p.inflation()), nil
}

// Detectable is [Plan.DetectableFromSE] for n differences of standard deviation sd. It fails also without differences.
func (p Plan) Detectable(sd float64, n int) (float64, error) {
	if n < 1 {
		return 0, fmt.Errorf("plan: %d items, at least 1 is needed", n)
	}
	return p.DetectableFromSE(sd / math.Sqrt(float64(n)))
}

// ItemsForNonInferiority is the number of items with which a candidate whose true mean difference is diff passes
// [NonInferiority] at a margin with the plan's power; alpha is one-sided. It fails when diff is not above -margin.
func (p Plan) ItemsForNonInferiority(margin, diff, sd float64) (int, error) {
	if !(diff > -margin) {
		return 0, fmt.Errorf("plan: a candidate that differs by %v cannot be shown to be worse by less than %v", diff, margin)
	}
	return p.items(NormalQuantile(1-p.Alpha), margin+diff, sd)
}

// ClustersForNonInferiority is the number of clusters like those that a standard error with df degrees of freedom is of, as large and as
// small as they are, with which a candidate as good as its baseline passes by the bounds of [ClusterRobust] at a margin with the plan's
// power; alpha is one-sided. More items of the same clusters are no substitute. It fails on an alpha or power outside (0, 1) and where no
// number of clusters would do.
func (p Plan) ClustersForNonInferiority(margin, se, df float64, clusters int) (int, error) {
	need, err := p.ItemsForNonInferiority(margin, 0, se*math.Sqrt(float64(clusters)))
	if err != nil {
		return 0, err
	}
	for need = max(2, need); ; need++ {
		free := max(1, (df+1)*float64(need)/float64(clusters)-1)
		reach := (StudentQuantile(1-p.Alpha, free) + StudentQuantile(p.Power, free)) * se * math.Sqrt(float64(clusters)/float64(need))
		if reach <= margin {
			return need, nil
		}
	}
}

func (p Plan) items(z, effect, sd float64) (int, error) {
	if err := p.valid(); err != nil {
		return 0, err
	}
	if effect == 0 || math.IsNaN(effect) || !(sd >= 0) || math.IsInf(sd, 1) {
		return 0, fmt.Errorf("plan: no number of items finds an effect of %v at a standard deviation of %v", effect, sd)
	}
	n := math.Pow((z+NormalQuantile(p.Power))*sd/effect, 2) * p.inflation()
	if n > math.MaxInt32 {
		return 0, fmt.Errorf("plan: an effect of %v needs more than %d items", effect, math.MaxInt32)
	}
	return max(1, int(math.Ceil(n))), nil
}
