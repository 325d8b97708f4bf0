package causes

// BesideCause is one answer with the causes that two methods give it.
type BesideCause struct {
	QuestionID string    `json:"question_id"`
	Control    Component `json:"control"` // by the report this stands in
	Tested     Component `json:"tested"`
}

// BesideTested sets another method's causes beside the tested ones of the same run, answer by answer. The two are never counted
// together: no sum of both is formed anywhere.
type BesideTested struct {
	DiagnoseID string        `json:"diagnose_id"` // the tested diagnosis
	SameJudge  bool          `json:"same_judge"`  // both asked the same model
	Agree      int           `json:"agree"`       // of Rows
	Rows       []BesideCause `json:"rows"`        // answers that both looked at, in the order of the control report
}

// CausesBeside compares the causes of a control method with the tested ones.
func CausesBeside(control, tested CauseReport) BesideTested {
	out := BesideTested{DiagnoseID: tested.DiagnoseID, Rows: []BesideCause{}}
	causes := map[string]Component{}
	for _, d := range tested.Diagnoses {
		causes[d.QuestionID] = d.Component
	}
	for _, d := range control.Diagnoses {
		c, ok := causes[d.QuestionID]
		if !ok {
			continue
		}
		if c == d.Component {
			out.Agree++
		}
		out.Rows = append(out.Rows, BesideCause{QuestionID: d.QuestionID, Control: d.Component, Tested: c})
	}
	return out
}
