package notebooks

import (
	"maps"
	"strings"
)

// Reason says why a cell is not up to date: a code and what it is about, so that it can be said in any language.
type Reason struct {
	Code   string            `json:"code"`
	Params map[string]string `json:"params,omitempty"`
}

// The reasons, each with its English sentence; {names} are parameters.
var reasonTexts = map[string]string{
	"never_run":       "it has never been run",
	"not_started":     "it was not started",
	"stopped":         "it was stopped",
	"incomplete":      "{text}",
	"interrupted":     "it was begun and did not come to its end",
	"param_changed":   "{param} was {from} and is {to}",
	"edited":          "{cell} was edited",
	"added":           "{cell} was added to what it rests on",
	"version_changed": "{cell} was {from} and is {to}",
	"upstream":        "{cell} is {state}",
	"no_result":       "{cell} has no result yet",
	"failed":          "{cell} has an error",
	"engine_changed":  "the program computes it in a newer way",
	"result_changed":  "a result that it rests on changed",
	"other_run":       "its run is of another configuration",
	"runs_absent":     "its runs are not in this data directory",
	"command_line":    "it names a file ({value}): it runs from the command line only",
}

// ReasonTexts are the English sentences of the reasons by their codes.
func ReasonTexts() map[string]string { return maps.Clone(reasonTexts) }

// because makes a reason; pairs are names and values of its parameters.
func because(code string, pairs ...string) Reason {
	r := Reason{Code: code}
	for i := 0; i+1 < len(pairs); i += 2 {
		if r.Params == nil {
			r.Params = map[string]string{}
		}
		r.Params[pairs[i]] = pairs[i+1]
	}
	return r
}

// Text is the reason in English.
func (r Reason) Text() string {
	text := reasonTexts[r.Code]
	for name, value := range r.Params {
		text = strings.ReplaceAll(text, "{"+name+"}", value)
	}
	return text
}

// Add gives a cell one more reason.
func (c *CellView) Add(reasons ...Reason) {
	for _, r := range reasons {
		c.Why, c.Reasons = append(c.Why, r.Text()), append(c.Reasons, r)
	}
}

// partialReason says why a cell stopped, as its lock entry has it.
func partialReason(text string) Reason {
	for _, code := range []string{"stopped", "interrupted"} {
		if reasonTexts[code] == text {
			return because(code)
		}
	}
	return because("incomplete", "text", text)
}
