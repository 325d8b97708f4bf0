package textual

// Profile says by whose formulas verdicts become a value. Values of different profiles are never compared.
type Profile string

// The profiles. The two Ragas ones repeat Ragas 0.4.3 with its additions to denominators, its rounding and its failures, so
// that old reports can be recomputed; they hold formulas only, the verdicts are our judge's either way.
const (
	ProfileFixed       Profile = "fixed"             // ours, the default: a perfect answer scores 1, a missing verdict is a failure
	ProfileLegacy      Profile = "ragas-legacy"      // the metric classes of Ragas's evaluate()
	ProfileCollections Profile = "ragas-collections" // Ragas's metrics.collections
)
