package metrics

// claimMatrix has the judge say which claims follow from what, for the scores that rest on it.
type claimMatrix struct{ *bench }

func (b *bench) matrix() claimMatrix { return claimMatrix{b} }
