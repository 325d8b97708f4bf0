package stats

import (
	"fmt"
	"math"
)

// SupportMatrix says which statements of two texts which sources support, and which statements of one text the other
// holds. "Given" is the text that is measured, "wanted" the text it is measured by; rows are statements.
type SupportMatrix struct {
	GivenBySource  [][]bool // [given statement][source]: the source supports it
	WantedBySource [][]bool // [wanted statement][source]
	GivenInWanted  []bool   // the wanted text supports this given statement
	WantedInGiven  []bool   // the given text supports this wanted statement
}

// SupportShares are the figures of a [SupportMatrix], each in [0, 1], and NaN where nothing is there to be counted: no
// given or wanted statements, or no sources. With given statements Supported + Unsupported + OwnKnowledge is 1. The
// definitions follow the public code of claim-level checking (arXiv 2408.08067).
type SupportShares struct {
	Precision     float64 // given statements in the wanted text
	Recall        float64 // wanted statements in the given text
	F1            float64 // harmonic mean of the two; 0 when both are 0
	FactualF1     float64 // from counts: TP and FP given statements in and not in the wanted text, FN wanted ones not given
	SourceRecall  float64 // wanted statements with any source
	UsefulSources float64 // sources that support any wanted statement
	RankedSources float64 // [RankedPrecision] of the useful sources; 0 when none is useful
	Utilisation   float64 // wanted statements with a source that are given; NaN when none has a source
	NoiseUseful   float64 // given statements supported by a useful source but not in the wanted text
	NoiseUseless  float64 // the same for statements that only useless sources support
	Supported     float64 // given statements with any source
	Unsupported   float64 // given statements with no source and not in the wanted text
	OwnKnowledge  float64 // given statements with no source but in the wanted text
}

// Shares computes all figures; it fails on rows of different lengths.
func (m SupportMatrix) Shares() (SupportShares, error) {
	sources, err := m.sources()
	if err != nil {
		return SupportShares{}, err
	}
	useful, recalled, used := make([]bool, sources), 0.0, 0.0
	for i, row := range m.WantedBySource {
		has := false
		for k, yes := range row {
			useful[k] = useful[k] || yes
			has = has || yes
		}
		recalled += indicator(has)
		used += indicator(has && m.WantedInGiven[i])
	}
	var right, supported, unsupported, own, noiseUseful, noiseUseless float64
	for j, row := range m.GivenBySource {
		byUseful, byUseless := false, false
		for k, yes := range row {
			byUseful = byUseful || yes && useful[k]
			byUseless = byUseless || yes && !useful[k]
		}
		in, sourced := m.GivenInWanted[j], byUseful || byUseless
		right += indicator(in)
		supported += indicator(sourced)
		unsupported += indicator(!sourced && !in)
		own += indicator(!sourced && in)
		noiseUseful += indicator(byUseful && !in)
		noiseUseless += indicator(byUseless && !byUseful && !in)
	}
	given, wanted, found := float64(len(m.GivenBySource)), float64(len(m.WantedBySource)), float64(count(m.WantedInGiven))
	r := SupportShares{
		Precision: quotient(right, given), Recall: quotient(found, wanted),
		SourceRecall: quotient(recalled, wanted), Utilisation: quotient(used, recalled),
		UsefulSources: Precision(useful), RankedSources: math.NaN(),
		NoiseUseful: quotient(noiseUseful, given), NoiseUseless: quotient(noiseUseless, given),
		Supported: quotient(supported, given), Unsupported: quotient(unsupported, given), OwnKnowledge: quotient(own, given),
	}
	if sources > 0 {
		r.RankedSources = RankedPrecision(useful)
	}
	r.F1 = harmonic(r.Precision, r.Recall)
	r.FactualF1 = quotient(2*right, 2*right+(given-right)+(wanted-found))
	return r, nil
}

// sources is the number of columns, which all rows must share.
func (m SupportMatrix) sources() (int, error) {
	if len(m.GivenBySource) != len(m.GivenInWanted) || len(m.WantedBySource) != len(m.WantedInGiven) {
		return 0, fmt.Errorf("support matrix: %d and %d given, %d and %d wanted statements",
			len(m.GivenBySource), len(m.GivenInWanted), len(m.WantedBySource), len(m.WantedInGiven))
	}
	columns := -1
	for _, rows := range [][][]bool{m.GivenBySource, m.WantedBySource} {
		for i, row := range rows {
			if columns >= 0 && len(row) != columns {
				return 0, fmt.Errorf("support matrix: row %d names %d sources, another row %d", i, len(row), columns)
			}
			columns = len(row)
		}
	}
	return max(columns, 0), nil
}

// harmonic is the harmonic mean of two shares; 0 when both are 0.
func harmonic(a, b float64) float64 {
	if a == 0 && b == 0 {
		return 0
	}
	return 2 * a * b / (a + b)
}
