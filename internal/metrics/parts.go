package metrics

// matrixJudge has the judge say which claims follow from what, for the scores that rest on it.
type matrixJudge struct{ *evaluation }

func (b *evaluation) matrix() matrixJudge { return matrixJudge{b} }
