package compare

import (
	"encoding/xml"
	"fmt"
	"io"
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
// strict is asked for. Messages and names are in a language, "ja" or else English; classes are not, because CI systems group cases by them.
// Characters that XML does not have become U+FFFD.
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
		// One worse answer is listed, and blocks only through a check.
		out := say(lang, "gate.from_to", map[string]any{
			"before": fmt.Sprintf("%.4g", q.Baseline), "after": fmt.Sprintf("%.4g", q.Candidate)})
		if q.Remark != nil {
			out = q.Decided(lang)
		}
		suite.Cases = append(suite.Cases, junitCase{Class: "workbench.worse", Name: q.ID + " " + metricNote(q.Metric).Text(lang), Out: out})
	}
	for _, d := range r.NeedsCheck { // nor does one in doubt block by itself
		name := d.ID + " " + metricNote(d.Metric).Text(lang)
		suite.Cases = append(suite.Cases, junitCase{Class: "workbench.needs_check", Name: name, Out: d.WhyIn(lang)})
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

// Title names a check in a few words.
func (c GateCheck) Title(lang string) string {
	words := say(lang, "gate.title."+c.Name, nil)
	if c.Metric == "" {
		return words
	}
	return say(lang, "gate.title.of", map[string]any{"title": words, "metric": metricNote(c.Metric)})
}
