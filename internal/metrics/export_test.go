package metrics

// What the tests over the wire, which stand outside because the fake provider knows this package, need of the inside.
var (
	Schemas       = schemas
	Standard      = idsOf("standard")
	Careful       = careful
	LongSample    = longSample
	NewKept       = newKept
	SuiteOf       = suiteOf
	JudgeConfigOf = judgeConfig
	ByMetric      = byMetric
)
