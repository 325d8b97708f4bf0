package progress

import (
	"cmp"
	"slices"
	"strings"

	analysiscauses "github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// targetSlack keeps a mean of tenths from missing its target by rounding.
const targetSlack = 1e-9

// ProgressOf sets a run beside an agreement: every target with what the run measured, every item with the low-score answers that are
// left of its group. Goals of the experiment's file are targets too, where the agreement has none of the same theme, metric and
// category. The zero Agreement agrees nothing, and the run's own threshold holds. A run that
// says in its own terms what low means keeps that: a threshold on the scale of grades says nothing of its metrics.
//
// A question counts by the mean of its votes, as everywhere ([experiments.Standing]). Causes and questions are the analyses of this run,
// nil where there is none; those of another run do not count. A question without a tag "theme:…" or "category:…" has the theme and category
// of its analysis.
func ProgressOf(a experiments.Agreement, e experiments.Evaluation, causes *analysiscauses.CauseReport,
	questions *questions.QuestionReport) AgreementProgress {
	m := newAgreedMeasure(a, e, causes, questions)
	p := AgreementProgress{
		Agreement: a, RunID: e.Run.ID, LowScore: cmp.Or(a.LowScore, e.Run.Setup.LowScore), RunLow: e.Run.Setup.LowScore,
		OwnLow: m.rule.Said(), Unsaid: m.rule.Unsaid,
		Open: []string{}, Targets: []TargetProgress{}, Items: []ItemProgress{},
	}
	for _, t := range a.Targets {
		p.Targets = append(p.Targets, m.target(t, false))
	}
	for _, t := range experiments.TargetsOf(e.Run.Setup.Goals) {
		if !slices.ContainsFunc(a.Targets, t.Same) {
			p.Targets = append(p.Targets, m.target(t, true))
		}
	}
	covered := map[string]bool{}
	for _, item := range a.Items {
		i := m.item(item)
		p.Items = append(p.Items, i)
		for _, id := range i.Questions {
			covered[id] = true
		}
	}
	for _, r := range m.rows {
		if r.result.Rated(m.rule) {
			p.Rated++
		} else {
			p.Untold++
		}
		if !r.low {
			continue
		}
		p.Low++
		if covered[r.result.QuestionID] {
			p.Covered++
		} else {
			p.Open = append(p.Open, r.result.QuestionID)
		}
	}
	return p
}

// Sign freezes what a finished run measures into an agreement: the run's id and chain, and where each target and item stood.
func Sign(a experiments.Agreement, e experiments.Evaluation, causes *analysiscauses.CauseReport,
	questions *questions.QuestionReport) experiments.Agreement {
	a.RunID, a.RunChain, a.OwnLow = e.Run.ID, e.Run.Chain, e.Run.Setup.Low
	p := ProgressOf(a, e, causes, questions)
	a.Targets, a.Items = slices.Clone(a.Targets), slices.Clone(a.Items)
	for i := range a.Targets {
		a.Targets[i].Was = p.Targets[i].Now
	}
	for i := range a.Items {
		if a.Items[i].Was = p.Items[i].Now; p.Items[i].Untold > 0 {
			a.Items[i].Was = nil // how many there were cannot be told
		}
	}
	return a
}

// CheckAgreement returns a Problem for a cause that no diagnosis can name. What [experiments.Agreement.Validate] checks is taken for
// granted.
func CheckAgreement(a experiments.Agreement) error {
	data := []string{string(analysiscauses.QuestionData), string(analysiscauses.RetrievalData), string(analysiscauses.GenerationData),
		string(analysiscauses.ReferenceData), string(analysiscauses.UndeterminedData)}
	var components []string
	for _, c := range analysiscauses.Components() {
		components = append(components, string(c))
	}
	for i, item := range a.Items {
		for _, f := range []struct {
			name, value string
			known       []string
		}{{"data", item.Data, data}, {"component", item.Component, components}} {
			if f.value != "" && !slices.Contains(f.known, f.value) {
				return experiments.AgreementProblem(i, f.name, f.value, "one of "+strings.Join(f.known, ", "))
			}
		}
	}
	return nil
}

// agreedMeasure is a run as targets and groups look at it.
type agreedMeasure struct {
	rule       experiments.LowRule
	otherwise  bool // what was counted when it was agreed is not what is counted now
	rows       []agreedRow
	suite      []metrics.Spec
	diagnoses  map[string][]analysiscauses.Diagnosis
	diagnosed  bool
	labels     map[string]experiments.QuestionLabels
	outOfScope []experiments.CauseGroup // that the questions alone decide
}

type agreedRow struct {
	question experiments.Question
	result   experiments.Result
	low, out bool
}

func newAgreedMeasure(a experiments.Agreement, e experiments.Evaluation, causes *analysiscauses.CauseReport,
	questions *questions.QuestionReport) *agreedMeasure {
	m := &agreedMeasure{rule: e.Run.Setup.LowRule().Agreed(a.LowScore), suite: e.Run.Setup.Suite,
		otherwise: !slices.Equal(a.OwnLow, e.Run.Setup.Low),
		diagnoses: map[string][]analysiscauses.Diagnosis{}, labels: map[string]experiments.QuestionLabels{}}
	if causes != nil && causes.RunID == e.Run.ID {
		m.diagnosed = true
		for i, d := range causes.Diagnoses {
			if own := m.diagnoses[d.QuestionID]; own != nil {
				m.diagnoses[d.QuestionID] = append(own, d)
				continue
			}
			m.diagnoses[d.QuestionID] = causes.Diagnoses[i : i+1 : i+1] // most questions have one: nothing to copy
		}
	}
	if questions != nil {
		for _, l := range questions.Questions {
			m.labels[l.QuestionID] = l
		}
	}
	for _, item := range a.Items {
		if item.OutOfScope && !item.ByCause() {
			m.outOfScope = append(m.outOfScope, item.CauseGroup)
		}
	}
	byID := make(map[string]int, len(e.Questions))
	for i := range e.Questions {
		byID[e.Questions[i].ID] = i
	}
	standing, _ := experiments.Standing(e.Results)
	m.rows = make([]agreedRow, 0, len(standing))
	for _, r := range standing {
		q := experiments.Question{ID: r.QuestionID}
		if at, known := byID[r.QuestionID]; known {
			q = e.Questions[at]
		}
		row := agreedRow{question: q, result: r, low: r.Low(m.rule)}
		row.out = slices.ContainsFunc(m.outOfScope, func(g experiments.CauseGroup) bool { return m.asks(g, q) })
		m.rows = append(m.rows, row)
	}
	return m
}

// tagsWith returns what the question's tags say after a prefix.
func tagsWith(q experiments.Question, prefix string) []string {
	var out []string
	for _, t := range q.Tags {
		if v, ok := strings.CutPrefix(t, prefix); ok {
			out = append(out, v)
		}
	}
	return out
}

// theme reports whether a question belongs to a theme: by its tags, or by its analysis where it has no theme tag.
func (m *agreedMeasure) theme(q experiments.Question, theme string) bool {
	if theme == "" || slices.Contains(q.Tags, theme) {
		return true
	}
	if own := tagsWith(q, "theme:"); len(own) > 0 {
		return slices.Contains(own, theme)
	}
	l, ok := m.labels[q.ID]
	return ok && (l.Theme == theme || l.SecondTheme == theme)
}

// countedBy says what says which questions have a theme: "tags" of the dataset and which, "analysis" of the questions, or "both"; "" of
// no theme, and of one that no question has.
func (m *agreedMeasure) countedBy(theme string) (by, tag string) {
	if theme == "" {
		return "", ""
	}
	for _, r := range m.rows {
		of := ""
		for _, t := range r.question.Tags {
			if t == theme || t == "theme:"+theme {
				of = t
			}
		}
		switch {
		case of != "":
			tag = of
		case m.theme(r.question, theme):
			by = "analysis"
		}
	}
	switch {
	case tag == "":
		return by, ""
	case by != "":
		return "both", tag
	}
	return "tags", tag
}

func (m *agreedMeasure) category(q experiments.Question, category string) bool {
	if category == "" {
		return true
	}
	if own := tagsWith(q, "category:"); len(own) > 0 {
		return slices.Contains(own, category)
	}
	l, ok := m.labels[q.ID]
	return ok && string(l.Category.Sure()) == category
}

// asks reports whether a question fits what a group says about questions.
func (m *agreedMeasure) asks(g experiments.CauseGroup, q experiments.Question) bool {
	return m.theme(q, g.Theme) && m.category(q, g.Category) && (len(g.Questions) == 0 || slices.Contains(g.Questions, q.ID))
}

// failsBy reports whether a low-score answer was diagnosed with the group's cause.
func (m *agreedMeasure) failsBy(g experiments.CauseGroup, id string) bool {
	return slices.ContainsFunc(m.diagnoses[id], func(d analysiscauses.Diagnosis) bool {
		return (g.Data == "" || g.Data == string(d.Data)) && (g.Component == "" || g.Component == string(d.Component)) &&
			(g.Param == "" || slices.ContainsFunc(d.Repairs, func(r analysiscauses.Repair) bool { return r.Param == g.Param }))
	})
}

// target measures one target.
func (m *agreedMeasure) target(t experiments.Target, fromFile bool) TargetProgress {
	p := TargetProgress{Target: t, FromFile: fromFile, State: TargetNotMeasured}
	p.By, p.Tag = m.countedBy(t.Theme)
	p.Share = t.Metric == experiments.LowScoreShare
	p.AtMost = p.Share
	if spec, ok := m.spec(t.Metric); ok {
		p.AtMost = spec.LowerIsBetter
	}
	sum := 0.0
	for _, r := range m.rows {
		if !m.theme(r.question, t.Theme) || !m.category(r.question, t.Category) {
			continue
		}
		value, ok := r.result.Value(t.Metric)
		if p.Share {
			value, ok = 0, r.result.Rated(m.rule)
			if r.low {
				value = 1
			}
		}
		switch {
		case !ok:
		case r.out:
			p.OutOfScope++
		default:
			sum += value
			p.N++
		}
	}
	if p.N == 0 {
		return p
	}
	now := sum / float64(p.N)
	p.Now, p.State = &now, TargetMissed
	if p.AtMost && now <= t.Target+targetSlack || !p.AtMost && now >= t.Target-targetSlack {
		p.State = TargetMet
	}
	return p
}

func (m *agreedMeasure) spec(id string) (metrics.Spec, bool) {
	for _, s := range m.suite {
		if s.ID == id {
			return s, true
		}
	}
	return metrics.Find(id)
}

// item counts the low-score answers that are left of a group.
func (m *agreedMeasure) item(item experiments.AgreementItem) ItemProgress {
	p := ItemProgress{Item: item}
	if m.otherwise {
		p.Item.Was = nil
	}
	p.By, p.Tag = m.countedBy(item.Theme)
	if p.Needs = m.needs(item.CauseGroup); p.Needs != "" {
		p.State = ItemUnknown
		return p
	}
	asked, told := 0, 0
	for _, r := range m.rows {
		if !m.asks(item.CauseGroup, r.question) {
			continue
		}
		asked++
		switch {
		case !r.result.Rated(m.rule):
			p.Untold++
		case r.low && (!item.ByCause() || m.failsBy(item.CauseGroup, r.result.QuestionID)):
			p.Questions = append(p.Questions, r.result.QuestionID)
			fallthrough
		default:
			told++
		}
	}
	p.Untold += max(0, len(item.CauseGroup.Questions)-asked) // those that this run was not asked
	if told > 0 {
		now := len(p.Questions)
		p.Now = &now
	}
	p.State = p.standing()
	return p
}

// standing says where an item stands by the low-score answers that are left for sure, and those that may be left besides: nothing is done,
// and nothing fewer, because a score lacks.
func (p ItemProgress) standing() ItemState {
	if p.Item.OutOfScope {
		return ItemOutOfScope
	}
	least := len(p.Questions)
	most := least + p.Untold
	switch was := p.Item.Was; {
	case p.Now == nil, least == 0 && most > 0:
		return ItemUntold
	case most == 0:
		return ItemDone
	case was == nil:
		return ItemOpen
	case least > *was:
		return ItemMore
	case most < *was:
		return ItemFewer
	case least < most:
		return ItemUntold
	}
	return ItemSame
}

// needs names the analysis without which nobody can tell who belongs to a group.
func (m *agreedMeasure) needs(g experiments.CauseGroup) string {
	if g.ByCause() && !m.diagnosed {
		return "causes"
	}
	for _, f := range []struct {
		given  bool
		prefix string
	}{{g.Theme != "", "theme:"}, {g.Category != "", "category:"}} {
		known := !f.given || len(m.labels) > 0 || slices.ContainsFunc(m.rows, func(r agreedRow) bool {
			return len(tagsWith(r.question, f.prefix)) > 0 || f.prefix == "theme:" && slices.Contains(r.question.Tags, g.Theme)
		})
		if !known {
			return "questions"
		}
	}
	return ""
}
