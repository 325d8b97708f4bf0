package causes

// The parts of a diagnosis. Each asks what one component could do better, and works on the one diagnosis under way.
type (
	// contextRepair asks whether better contexts would have been found, and what is missing where they were not.
	contextRepair struct{ *diagnosing }
	// answerRepair asks whether the contexts that are there would do for a better answer.
	answerRepair struct{ *diagnosing }
	// widening says which changes of the configuration are tried, the least first.
	widening struct{ *diagnosing }
)

func (x *diagnosing) searching() contextRepair { return contextRepair{x} }

func (x *diagnosing) generating() answerRepair { return answerRepair{x} }

func (x *diagnosing) widening() widening { return widening{x} }
