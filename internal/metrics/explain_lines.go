package metrics

import (
	"fmt"
	"strings"
)

// Lines is the explanation in plain English lines, for a terminal: the claims with their verdicts, what the answer was taken
// for, and which claims each score rests on. Reasons stay in the language that they were given in.
func (e Explanation) Lines() []string {
	var out []string
	say := func(format string, args ...any) { out = append(out, fmt.Sprintf(format, args...)) }
	if a := e.Answer; a != nil {
		say("answer: refuses %t, on the topic %t. %s", a.Refuses, a.OnTopic, a.Reason)
	}
	for _, c := range e.Claims {
		key := ""
		if c.Key {
			key = " (key)"
		}
		say("%s claim %d%s: %s", c.Of, c.Number, key, c.Text)
		silent := 0
		for _, v := range c.Verdicts {
			if v.Verdict == neither {
				silent++
				continue
			}
			say("  %s", v)
		}
		if silent > 0 {
			say("  neither: %d", silent)
		}
	}
	for _, p := range e.Parts {
		say("asked for: %s (given: %s)", p.Part, p.Given)
	}
	if len(e.Off) > 0 {
		say("sentences beside the point: %v", e.Off)
	}
	for i, q := range e.Questions {
		say("question %d that the answer answers: %s", i+1, q)
	}
	if len(e.Entities) > 0 {
		say("entities of the reference: %s", strings.Join(e.Entities, ", "))
	}
	for _, s := range e.Scores {
		value := string(s.State)
		if s.Value != nil {
			value = fmt.Sprintf("%.4g", *s.Value)
		}
		line := fmt.Sprintf("%s: %s. %s", s.Metric, value, s.Reason)
		if s.Of != "" {
			line += fmt.Sprintf(" [%s claims counted %v, not counted %v]", s.Of, s.For, s.Against)
		}
		out = append(out, line)
	}
	for _, key := range e.Lost {
		say("no longer stored: %s", key)
	}
	return out
}
