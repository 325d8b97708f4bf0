package metrics

// Grounds are an explanation in short: what tells how an answer fails, and which of two answers of equal grade holds more.
type Grounds struct {
	Listed       bool // the judge listed the claims of the answer, and said whether it refuses
	Refuses      bool // the answer says that the documents do not hold what is asked
	Checked      bool // claims of the answer were looked up in the reference
	Key          int  // claims of the reference without which an answer is incomplete, as far as they were looked up in the answer
	Covered      int  // of these, the ones that the answer holds
	Supported    int  // claims of the answer that the reference holds
	Contradicted int  // claims of the answer that the reference rules out
	Opposed      bool // a claim of the answer or of the reference is contradicted by the other one
}

// Grounds is the explanation in short.
func (e Explanation) Grounds() Grounds {
	g := Grounds{Listed: e.Answer != nil, Refuses: e.Answer != nil && e.Answer.Refuses}
	for _, c := range e.Claims {
		for _, v := range c.Verdicts {
			g.Opposed = g.Opposed || v.Against != "context" && v.Verdict == contradicted
			switch {
			case v.Against == "answer" && c.Key:
				g.Key++
				if v.Verdict == supported {
					g.Covered++
				}
			case v.Against == "reference":
				g.Checked = true
				switch v.Verdict {
				case contradicted:
					g.Contradicted++
				case supported:
					g.Supported++
				}
			}
		}
	}
	return g
}
