package causes

import (
	"encoding/json"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// InShort is a diagnosis without what only a reader of this one answer asks for: what it rests on, its votes, its words and its steps. One
// step stays that healed the answer, where there is one, so that the cause rests on the same.
func (d Diagnosis) InShort() Diagnosis {
	d = d.renewed()
	healing := slices.IndexFunc(d.Steps, func(s CauseStep) bool { return s.healed() && (d.Detail != noiseThere || s.Step == "regenerate") })
	if d.Evidence, d.Votes, d.Rationale = nil, nil, (experiments.Rationale{}); healing < 0 {
		d.Steps = nil
	} else {
		s := d.Steps[healing]
		d.Steps = []CauseStep{{Step: s.Step, Change: s.Change, Passes: s.Passes, Trials: s.Trials, Calls: s.Calls}}
	}
	return d
}

// Shorts are diagnoses in short as they are kept: most of a run are equal but for their question.
type Shorts struct {
	Different []Diagnosis `json:"different"` // without questions, each once
	Which     []int       `json:"which"`     // of these, for each diagnosis
}

// ShortsVersion is the version of what [Diagnosis.InShort] keeps, and of how.
const ShortsVersion = "3"

// ShortsOf puts diagnoses together.
func ShortsOf(diagnoses []Diagnosis) (Shorts, error) {
	out := Shorts{Which: make([]int, len(diagnoses))}
	at := map[string]int{}
	for i, d := range diagnoses {
		d = d.InShort()
		d.QuestionID = ""
		body, err := json.Marshal(d)
		if err != nil {
			return out, err
		}
		which, known := at[string(body)]
		if !known {
			which = len(out.Different)
			at[string(body)], out.Different = which, append(out.Different, d)
		}
		out.Which[i] = which
	}
	return out, nil
}

// Of gives questions their diagnoses, in the order in which they were put together; ok is false where they are not as many.
func (s Shorts) Of(questions []string) (diagnoses []Diagnosis, ok bool) {
	if len(s.Which) != len(questions) {
		return nil, false
	}
	out := make([]Diagnosis, len(questions))
	for i, which := range s.Which {
		if which < 0 || which >= len(s.Different) {
			return nil, false
		}
		out[i] = s.Different[which]
		out[i].QuestionID = questions[i]
	}
	return out, true
}
