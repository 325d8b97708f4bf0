package compare

import (
	"encoding/xml"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/stats"
)

// junitSuite is one test suite in the form that CI systems read: one case for each check, one for each worse answer and one
// for each that needs a check.
type junitSuite struct {
	XMLName  xml.Name        `xml:"testsuite"`
	Name     string          `xml:"name,attr"`
	Tests    int             `xml:"tests,attr"`
	Failures int             `xml:"failures,attr"`
	Errors   int             `xml:"errors,attr"`
	Skipped  int             `xml:"skipped,attr"`
	Counts   []junitProperty `xml:"properties>property,omitempty"`
	Cases    []junitCase     `xml:"testcase"`
	Out      string          `xml:"system-out,omitempty"` // the result in sentences
}

// junitProperty counts the questions with one verdict.
type junitProperty struct {
	Name  string `xml:"name,attr"`
	Value int    `xml:"value,attr"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitMessage `xml:"failure,omitempty"`
	Skipped *junitMessage `xml:"skipped,omitempty"`
	Out     string        `xml:"system-out,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
}

// WriteJUnit writes the result as JUnit XML. A failed check is a failure; an inconclusive one is skipped, or a failure where
// strict is asked for. A worse answer is never a test that passed: it is a failure where it made a check fail, and else skipped, as are
// answers that need a check. Messages and names are in a language, "ja" or else English; classes are not, because CI systems group cases by
// them. Characters that XML does not have become U+FFFD.
func (r GateResult) WriteJUnit(w io.Writer, lang string, strict bool) error {
	suite := junitSuite{Name: "workbench gate", Out: strings.Join(append([]string{r.Between(lang)}, r.SaidIn(lang)...), "\n")}
	if r.Baseline != "" {
		for _, label := range Labels() {
			suite.Counts = append(suite.Counts, junitProperty{string(label), r.Counts.Of(label)})
		}
	}
	for _, c := range r.Checks {
		one := junitCase{Class: "workbench.gate", Name: c.Title(lang)}
		message := &junitMessage{Message: c.Text(lang), Type: string(c.Decision)}
		switch {
		case c.Decision == stats.Fail, c.Decision == stats.Inconclusive && strict:
			one.Failure = message
			suite.Failures++
		case c.Decision == stats.Inconclusive:
			one.Skipped = &junitMessage{Message: c.Text(lang)}
			suite.Skipped++
		default:
			one.Out = c.Text(lang)
		}
		suite.Cases = append(suite.Cases, one)
	}
	for _, q := range r.Worse {
		name := q.ID + " " + metricNote(q.Metric).Text(lang)
		one := junitCase{Class: "workbench.worse", Name: name}
		if message := q.junit(lang); r.countsAgainst(q) {
			one.Failure = &junitMessage{Message: message, Type: string(stats.Fail)}
			suite.Failures++
		} else {
			one.Skipped = &junitMessage{Message: say(lang, "gate.worse_allowed", map[string]any{"what": message})}
			suite.Skipped++
		}
		suite.Cases = append(suite.Cases, one)
	}
	for _, d := range r.NeedsCheck { // neither passed nor failed: nobody knows yet
		name := d.ID + " " + metricNote(d.Metric).Text(lang)
		suite.Cases = append(suite.Cases, junitCase{Class: "workbench.needs_check", Name: name,
			Skipped: &junitMessage{Message: d.WhyIn(lang)}})
		suite.Skipped++
	}
	suite.Tests = len(suite.Cases)
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(suite); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

// junit says of a worse answer what became of it.
func (c GateChange) junit(lang string) string {
	if c.Remark != nil {
		return c.Decided(lang)
	}
	return say(lang, "gate.from_to", map[string]any{
		"before": fmt.Sprintf("%.4g", c.Baseline), "after": fmt.Sprintf("%.4g", c.Candidate)})
}

// countsAgainst reports whether a worse answer made a check fail: as one of too many, or as a critical one.
func (r GateResult) countsAgainst(q GateChange) bool {
	return slices.ContainsFunc(r.Checks, func(c GateCheck) bool {
		return c.Decision == stats.Fail && (c.Name == "share_worse" || c.Name == "critical" && slices.Contains(c.Critical, q.ID))
	})
}

// Title names a check in a few words.
func (c GateCheck) Title(lang string) string {
	words := say(lang, "gate.title."+c.Name, nil)
	if c.Metric == "" {
		return words
	}
	return say(lang, "gate.title.of", map[string]any{"title": words, "metric": metricNote(c.Metric)})
}
