package experiments

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
)

// LowNone takes back what an earlier import said of low scores.
const LowNone = "none"

// String is the line as people write it: ragas.faithfulness<=0.5.
func (l LowLine) String() string {
	than := "<="
	if l.Above {
		than = ">="
	}
	return l.Metric + than + strconv.FormatFloat(l.At, 'g', -1, 64)
}

// MarshalText writes a line as people do, in setups, experiment files and replies alike.
func (l LowLine) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText reads what [LowLine.MarshalText] writes.
func (l *LowLine) UnmarshalText(raw []byte) error {
	said, err := readLow(string(raw))
	if err != nil {
		return err
	}
	at, ok := text.ReadNumber(said.score)
	if !ok {
		return said.wrong()
	}
	*l = LowLine{Metric: said.name, At: at, Above: said.above}
	return nil
}

// lowSaid is what somebody wrote, in its parts.
type lowSaid struct {
	whole, name, score string
	above              bool
}

func (s lowSaid) wrong() error {
	return lowProblem("%q does not say which scores are low", s.whole).
		WithHint("write a metric, <= or >= and a score, such as --low 'faithfulness<=0.5'")
}

// lowProblem is a mistake in what is said of low scores.
func lowProblem(format string, args ...any) *problem.Problem {
	return problem.New(problem.Invalid, "low_said", format, args...).With("field", "low")
}

// readLow takes apart what somebody wrote. A metric's name may hold anything, so the last sign counts.
func readLow(whole string) (lowSaid, error) {
	s := strings.NewReplacer("≤", "<=", "≦", "<=", "≥", ">=", "≧", ">=", "=<", "<=", "=>", ">=").Replace(norm.NFKC.String(whole))
	out := lowSaid{whole: whole}
	at := max(strings.LastIndex(s, "<="), strings.LastIndex(s, ">="))
	if at < 0 {
		return out, out.wrong()
	}
	out.above = s[at] == '>'
	out.name, out.score = strings.TrimSpace(s[:at]), strings.TrimSpace(s[at+2:])
	if out.name == "" || out.score == "" {
		return out, out.wrong()
	}
	return out, nil
}

// ReadLow reads what low means in the terms of imported scores: a metric by its id or by what the file calls it, and a score of its scale
// on the side that is worse. called are the file's names for metrics, by their ids.
func ReadLow(said []string, suite []metrics.Spec, called map[string]string) ([]LowLine, error) {
	var out []LowLine
	for _, whole := range said {
		s, err := readLow(whole)
		if err != nil {
			return nil, err
		}
		spec, err := lowMetric(s.name, suite, called)
		if err != nil {
			return nil, err
		}
		at, err := s.scoreOn(spec)
		if err != nil {
			return nil, err
		}
		out = append(out, LowLine{Metric: spec.ID, At: at, Above: s.above})
	}
	return out, CheckLow(out, suite)
}

// lowMetric is the imported metric that a person means.
func lowMetric(name string, suite []metrics.Spec, called map[string]string) (metrics.Spec, error) {
	var ids, sources []string
	for _, s := range suite {
		if s.Group != metrics.GroupImported {
			continue
		}
		_, bare, _ := strings.Cut(s.ID, ".")
		source := called[s.ID]
		if source == "" {
			source = bare
		}
		ids, sources = append(ids, s.ID), append(sources, source)
	}
	for _, names := range [][]string{ids, sources} {
		if found, ok := text.NameAmong(name, names); ok {
			id := ids[slices.Index(names, found)]
			return suite[slices.IndexFunc(suite, func(s metrics.Spec) bool { return s.ID == id })], nil
		}
	}
	if len(ids) == 0 {
		return metrics.Spec{}, lowProblem("no scores were read from the file, so none can be called low").With("name", name).
			WithHint("write grades and marks as numbers, such as 1, 0.5 and 0, and say what is low by these; or leave --low out")
	}
	return metrics.Spec{}, lowProblem("there is no score %q in the file%s", name, text.Meant(name, sources)).With("name", name).
		WithHint("the scores are: %s", strings.Join(sources, ", "))
}

// scoreOn reads the score that somebody wrote, on the scale of the metric: a percentage is one of a scale that begins at 0.
func (s lowSaid) scoreOn(spec metrics.Spec) (float64, error) {
	at, ok := text.ReadShare(s.score)
	percent := strings.HasSuffix(s.score, "%")
	switch {
	case !ok:
		return 0, s.wrong()
	case percent && spec.Min != 0:
		return 0, lowProblem("%s goes from %g to %g, which is no scale of percentages", spec.ID, spec.Min, spec.Max).
			WithHint("write the score itself, as it stands in the file")
	case percent:
		at *= spec.Max
	}
	return at, nil
}

// CheckLow refuses lines that cannot say of the scores of a suite which answers are low.
func CheckLow(lines []LowLine, suite []metrics.Spec) error {
	if len(lines) == 0 {
		return nil
	}
	if len(lines) > MostLowLines {
		return lowProblem("%d scores are named, and an answer can be low by %d at most", len(lines), MostLowLines).
			WithHint("name the one or two scores that decide whether an answer will do; either counts")
	}
	if slices.ContainsFunc(suite, func(s metrics.Spec) bool { return s.ID == "correctness" || s.ID == "trust" }) {
		return lowProblem("a judge of ours scores these answers, and its correctness and trust say which are low").
			WithHint("leave --low out, or import the file under another name without --model and --suite")
	}
	for i, line := range lines {
		at := slices.IndexFunc(suite, func(s metrics.Spec) bool { return s.ID == line.Metric && s.Group == metrics.GroupImported })
		if at < 0 {
			return lowProblem("low is said by %s, which these scores have not", line.Metric).With("name", line.Metric).
				WithHint("say it by a score of this file: --low 'METRIC<=SCORE', or take it back: --low %s", LowNone)
		}
		if slices.ContainsFunc(lines[:i], func(l LowLine) bool { return l.Metric == line.Metric }) {
			return lowProblem("%s is named twice", line.Metric).WithHint("name each score once")
		}
		if err := line.check(suite[at]); err != nil {
			return err
		}
	}
	return nil
}

// check refuses a line that is none of the metric: on the side that is better, or not on its scale.
func (l LowLine) check(spec metrics.Spec) error {
	_, name, _ := strings.Cut(spec.ID, ".")
	switch {
	case metrics.OfOperation(spec.ID):
		return lowProblem("%s is a figure of operation, and says nothing of how good an answer is", spec.ID).
			WithHint("name a score of the answers")
	case spec.Undirected:
		return lowProblem("nobody knows whether more or less is better in %s, so none of its scores is low", spec.ID).
			WithHint("say it beside --low: --higher %q where more is better, else --lower %q", name, name)
	case spec.LowerIsBetter && !l.Above:
		return lowProblem("less is better in %s, so its bad scores are high", spec.ID).
			WithHint("write --low '%s>=%g' for scores of %g and more", name, l.At, l.At)
	case !spec.LowerIsBetter && l.Above:
		return lowProblem("more is better in %s, so its bad scores are small", spec.ID).
			WithHint("write --low '%s<=%g' for scores of %g and less", name, l.At, l.At)
	case math.IsNaN(l.At) || l.At < spec.Min || l.At > spec.Max:
		return lowProblem("%s goes from %g to %g, and %s lies outside", spec.ID, spec.Min, spec.Max, fmt.Sprint(l.At)).
			WithHint("name a score of that scale")
	}
	return nil
}
