package stats

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
