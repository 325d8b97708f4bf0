package compare

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/rag-workbench/workbench/internal/stats"
)

// junitSuite is one test suite in the form that CI systems read: one case for each check, one for each worse answer.
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
// strict is asked for. Characters that XML does not have become U+FFFD.
func (r GateResult) WriteJUnit(w io.Writer, strict bool) error {
	suite := junitSuite{Name: "workbench gate", Out: strings.Join(r.Said, "\n")}
	if r.Baseline != "" {
		for _, label := range Labels() {
			suite.Counts = append(suite.Counts, junitProperty{string(label), r.Counts.Of(label)})
		}
	}
	for _, c := range r.Checks {
		one := junitCase{Class: "workbench.gate", Name: c.title()}
		message := &junitMessage{Message: c.Message, Type: string(c.Decision)}
		switch {
		case c.Decision == stats.Fail, c.Decision == stats.Inconclusive && strict:
			one.Failure = message
			suite.Failures++
		case c.Decision == stats.Inconclusive:
			one.Skipped = &junitMessage{Message: c.Message}
			suite.Skipped++
		default:
			one.Out = c.Message
		}
		suite.Cases = append(suite.Cases, one)
	}
	for _, q := range r.Worse {
		// One worse answer is listed, and blocks only through a check.
		suite.Cases = append(suite.Cases, junitCase{
			Class: "workbench.worse", Name: q.ID + " " + q.Metric, Out: fmt.Sprintf("worse: %.4g → %.4g", q.Baseline, q.Candidate),
		})
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

// title names a check in a few words.
func (c GateCheck) title() string {
	words := map[string]string{
		"threshold": "threshold", "not_worse": "mean not worse", "critical": "critical questions", "share_worse": "share of worse answers",
		"slice": "tags", "coverage": "coverage",
	}[c.Name]
	if c.Metric != "" && c.Name != "share_worse" {
		words += ": " + c.Metric
	}
	return words
}
