package findings

import (
	"math"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/analysis/questions"
	"github.com/rag-workbench/workbench/internal/charts"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
)

// Words are the text in both languages, as charts have them.
func (t Text) Words() charts.Words { return charts.Words{EN: t.EN, JA: t.JA} }

// Squares are answers counted by correctness and trust: the numbers of the bubble chart.
type Squares struct {
	Counts    [][]int // counts[trust-1][correctness-1]
	Low       int
	Threshold float64
	Most      int  // the count of the largest bubble; 0: of these
	Flat      bool // for two charts beside each other with a list below them
	Small     bool // for many charts beside each other: lower still, without numbers
}

// Plan draws answers as bubbles; low-score answers are hatched.
func (s Squares) Plan() *charts.Plan {
	rated := 0
	for _, row := range s.Counts {
		for _, n := range row {
			rated += n
		}
	}
	title := func(id string) charts.Words {
		m, _ := metrics.Find(id)
		return charts.Words{EN: m.TitleEN, JA: m.TitleJA}
	}
	g := charts.Grid{Counts: s.Counts, Most: s.Most, X: title("correctness"), Y: title("trust"), Rise: 64,
		Count: say("plot.answers").Words(), Marked: say("plot.low").Words(),
		Corner:  int(math.Min(5, math.Max(0, math.Floor(s.Threshold)))),
		Summary: say("plot.bubbles", "low", s.Low, "rated", rated, "threshold", s.Threshold).Words()}
	if s.Flat {
		g.Rise = 38
	}
	if s.Small {
		g.Rise, g.Bare = 30, true
	}
	return charts.Bubbles(g)
}

// SquaresLack says what the chart of answers lacks where all scores are another tool's.
func SquaresLack() Text { return say("plot.lacks") }

// ranked are the kinds of parts that answers and questions are ranked by, with what their bars count.
var ranked = map[string]struct{ name, title, count string }{
	"cause": {"plot.cause", "plot.causes", "plot.answers"}, "category": {"plot.category", "plot.categories", "plot.questions"},
	"theme": {"plot.theme", "plot.themes", "plot.questions"},
}

// Ranked draws parts of answers as bars, by a kind: cause (most answers first), category or theme (most low scores first), or the name
// of a group of tags. by says whose the categories or themes are, see [ClassifiedBy]; of the other kinds nothing.
func Ranked(kind string, by Text, parts []charts.Part) *charts.Plan {
	r := charts.Ranking{Parts: slices.Clone(parts), MostByMarking: kind != "cause", Apart: say("plot.open").Words()}
	for i, part := range r.Parts {
		if part.Doubted > 0 {
			r.Parts[i].Name = say("plot.doubted", "name", Text{EN: part.Name.EN, JA: part.Name.JA}, "n", part.Doubted).Words()
		}
	}
	k, known := ranked[kind]
	switch {
	case known:
		r.Title, r.Name, r.Count = say(k.title, "by", by).Words(), say(k.name).Words(), say(k.count).Words()
	default:
		r.Title, r.Name, r.Count = say("plot.tag", "name", kind).Words(), charts.Words{EN: kind}, say("plot.questions").Words()
	}
	if r.MostByMarking {
		r.Marked = say("plot.lows").Words()
	}
	return charts.Ranked(r)
}

// CausePart is a bar of answers with one cause, found by a method. Where the method leaves the cause open it stands apart.
func CausePart(component causes.Component, by causes.CauseMethod, count int) charts.Part {
	return charts.Part{Key: string(component), Name: opening(component.Word), Count: count, Apart: component.Open(by)}
}

// CategoryWords is a category of questions as charts show it.
func CategoryWords(code string) charts.Words {
	return opening(func(lang string) string { return questions.CategoryName(experiments.Category(code), lang) })
}

// opening is a name as it stands alone: with a capital.
func opening(word func(lang string) string) charts.Words {
	en := word("en")
	if en == "" {
		return charts.Words{}
	}
	return charts.Words{EN: strings.ToUpper(en[:1]) + en[1:], JA: word("ja")}
}
