package foreign

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// mostMetricID bounds the id of an imported metric, in code points after the tool's name.
const mostMetricID = 60

// foreignScale is a metric while its file is read.
type foreignScale struct {
	ForeignMetric
	values    []float64 // that count
	direction Direction
	without   []string // the rows where it is missing, as the file counts
	asked     bool     // the person said its direction
	shown     [2]int   // scores that passed below a threshold or failed above it, and the other way round
}

// passed notes how a score stands to its threshold: a score that passes below it says that less is better.
func (m *foreignScale) passed(score, threshold float64, success bool) {
	switch {
	case score == threshold:
	case success == (score < threshold):
		m.shown[0]++
	default:
		m.shown[1]++
	}
}

// count takes a score, or that there is none.
func (m *foreignScale) count(s rag.LoggedScore, row int) {
	if s.Value == nil {
		m.Missing++
		if at := strconv.Itoa(row); !slices.Contains(m.without[max(0, len(m.without)-1):], at) { // once for all votes in one row
			m.without = append(m.without, at)
		}
		return
	}
	m.Scored++
	m.values = append(m.values, *s.Value)
}

// settle decides the direction: what the person said, else what the file shows, else what the name and the scores say.
func (m *foreignScale) settle(forms []ColumnForm) {
	if !m.asked && len(m.values) > 0 {
		name := m.ID
		if strings.HasPrefix(name, ToolTable+".") {
			name = m.Source
		}
		m.direction = DirectionAmong(name, slices.Min(m.values), slices.Max(m.values), forms)
	}
	switch {
	case m.asked:
	case m.shown[0] > m.shown[1]:
		m.direction = LessIsBetter
	case m.shown[1] > m.shown[0]:
		m.direction = MoreIsBetter
	}
	m.Lower = m.direction == LessIsBetter
}

// score notes what the tool said of an item by one metric. v is the number, or what stands in its place; failed says that the tool
// failed, in its words.
func (r *foreignReader) score(item *ForeignItem, source string, v any, reason, failed string) {
	m := r.metric(source)
	s := rag.LoggedScore{Metric: m.ID, Reason: capReason(reason)}
	value, state := cellScore(v)
	switch {
	case failed != "":
		s.Missing, s.Reason = metrics.ImportError, capReason(failed)
	case state == scoreNone:
		s.Missing = metrics.ImportNaN
	case state == scoreWrong:
		r.fault(item, source, wrongNumber(v, "%s is no number; leave it empty where there is no score"), cellQuote(v))
		return
	default:
		s.Value = &value
	}
	item.Scores = append(item.Scores, s)
}

// mostReason bounds the words of a tool on one score, in code points.
const mostReason = 2000

func capReason(s string) string {
	return text.Cut(strings.TrimSpace(strings.ReplaceAll(s, "\x00", "")), mostReason)
}

// failureOf is why a row has no answer where the file says it; "" where the cell is empty, as pandas and JSON write that too.
func failureOf(s string) string {
	switch s = capReason(s); strings.ToLower(s) {
	case "nan", "none", "null":
		return ""
	}
	return s
}

// metric finds or makes a metric by the tool's name for it.
func (r *foreignReader) metric(source string) *foreignScale {
	if m := r.metrics[source]; m != nil {
		return m
	}
	name := metricKey(source)
	if name == "" {
		name = "metric"
	}
	id := r.out.Tool + "." + name
	for n := 2; r.taken[id]; n++ { // two names of the tool that differ by signs only
		id = fmt.Sprintf("%s.%s_%d", r.out.Tool, name, n)
	}
	m := &foreignScale{ForeignMetric: ForeignMetric{ID: id, Source: source}}
	m.direction = DirectionOf(id)
	r.taken[id], r.metrics[source] = true, m
	r.order = append(r.order, m)
	return m
}

// metricKey writes a tool's name of a metric as we write ids: "Answer Relevancy" becomes answer_relevancy.
func metricKey(source string) string {
	var b strings.Builder
	for _, c := range strings.ToLower(strings.TrimSpace(source)) {
		switch {
		case unicode.IsLetter(c) || unicode.IsDigit(c):
			b.WriteRune(c)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "_"):
			b.WriteByte('_')
		}
	}
	runes := []rune(strings.Trim(b.String(), "_"))
	return strings.Trim(string(runes[:min(len(runes), mostMetricID)]), "_")
}

// lacking notes where an answer lacks a score that most answers have, as where a tool leaves out what failed: it is missing by name, as an
// empty cell is. A score of few answers is one that the tool gives to these alone.
func (r *foreignReader) lacking() {
	whole := 0
	given := map[string]int{}
	answered := func(item *ForeignItem) bool { return !item.Again && (item.Answer != nil || r.out.scoresOnly) }
	for i := range r.out.Items {
		item := &r.out.Items[i]
		if !answered(item) {
			continue
		}
		whole++
		for _, s := range item.Scores {
			given[s.Metric]++
		}
	}
	for i := range r.out.Items {
		item := &r.out.Items[i]
		if !answered(item) {
			continue
		}
		for _, m := range r.order {
			has := slices.ContainsFunc(item.Scores, func(s rag.LoggedScore) bool { return s.Metric == m.ID })
			if !has && 2*given[m.ID] >= whole {
				item.Scores = append(item.Scores, rag.LoggedScore{Metric: m.ID, Missing: metrics.ImportAbsent})
			}
		}
	}
}

// scale gives every metric the smallest usual range that holds its scores, and every score that range. What is imported stays, so that
// nobody may be left to guess which way is better.
func (r *foreignReader) scale() error {
	r.lacking()
	byID := map[string]*foreignScale{}
	for _, m := range r.order {
		byID[m.ID] = m
	}
	for _, item := range r.out.Items {
		for _, s := range item.Scores {
			byID[s.Metric].count(s, item.Row)
		}
	}
	missing := r.askedDirections()
	var undirected []string
	for _, m := range r.order {
		m.settle(r.out.Forms)
		if m.direction == DirectionUnknown {
			undirected = append(undirected, m.Source)
		}
		m.Min, m.Max = rangeOf(m.values)
		if most := outOf(m.Source); most > 0 && m.Min == 0 && m.Max > 1 && slices.Max(m.values) <= most {
			m.Max = most // Note /20
		}
		if m.Max != 1 {
			r.out.Notes = append(r.out.Notes, fmt.Sprintf("%s: scores lie on a scale from %g to %g", m.Source, m.Min, m.Max))
		}
		if m.Missing > 0 {
			where := fmt.Sprintf("%d %ss (%s)", len(m.without), r.out.Unit, strings.Join(shortList(m.without), ", "))
			if len(m.without) == 1 {
				where = r.out.Unit + " " + m.without[0]
			}
			r.out.Notes = append(r.out.Notes, fmt.Sprintf("%s: no score in %s: missing, not 0", m.Source, where))
		}
		r.out.Metrics = append(r.out.Metrics, m.ForeignMetric)
	}
	for i := range r.out.Items {
		for j := range r.out.Items[i].Scores {
			s := &r.out.Items[i].Scores[j]
			m := byID[s.Metric]
			s.Min, s.Max, s.Lower, s.Undirected = m.Min, m.Max, m.Lower, m.direction == DirectionUnknown
		}
	}
	for _, name := range missing {
		r.out.Notes = append(r.out.Notes, fmt.Sprintf("%s: there is no such metric in the file", name))
	}
	if len(undirected) > 0 && !r.options.scoring {
		return AskDirections(undirected)
	}
	return nil
}

// askedDirections gives metrics the direction that people said, by the tool's name for them or ours; missing are names of none.
func (r *foreignReader) askedDirections() (missing []string) {
	sources, ids := make([]string, len(r.order)), make([]string, len(r.order))
	for i, m := range r.order {
		sources[i], ids[i] = m.Source, m.ID
	}
	for i, name := range slices.Concat(r.options.Higher, r.options.Lower) {
		source, is := text.NameAmong(name, sources)
		id, isID := text.NameAmong(name, ids)
		if !is && !isID {
			missing = append(missing, name)
			continue
		}
		for _, m := range r.order {
			if is && m.Source == source || !is && m.ID == id {
				m.direction, m.asked = directed(i >= len(r.options.Higher)), true
			}
		}
	}
	return missing
}

// saysDirection reports whether people said of a column which way is better.
func (o ForeignOptions) saysDirection(name string) bool {
	return slices.ContainsFunc(slices.Concat(o.Lower, o.Higher), func(said string) bool { return strings.EqualFold(said, name) })
}

// rangeOf is the range of scores: 0 to 1 where they fit, else levels 1 to 5, whole or half, 0 to 10, 0 to 100, or what holds them.
func rangeOf(values []float64) (low, high float64) {
	if len(values) == 0 {
		return 0, 1
	}
	least, most := slices.Min(values), slices.Max(values)
	halves := !slices.ContainsFunc(values, func(v float64) bool { return 2*v != math.Trunc(2*v) })
	switch {
	case least >= 0 && most <= 1:
		return 0, 1
	case least >= -1 && most <= 1:
		return -1, 1
	case halves && least >= 1 && most <= 5:
		return 1, 5
	case least >= 0 && most <= 10:
		return 0, 10
	case least >= 0 && most <= 100:
		return 0, 100
	}
	return math.Min(0, math.Floor(least)), math.Max(0, math.Ceil(most))
}
