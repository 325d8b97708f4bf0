package findings

import "github.com/rag-workbench/workbench/internal/analysis/compare"

// Part is a heading of the findings with the lines below it, for channels that lay a page out: the page of a comparison, a notebook.
type Part struct {
	Name  string `json:"name" enum:"release,worst,best,slices,causes,recommendations,belief,agreed,untested,costs"`
	Title Text   `json:"title"`
	Lines []Text `json:"lines"`
}

// Parts are the findings below their headline and sentences, in the order of every page. Parts that have nothing to say are left out,
// but those whose silence would be read as an answer say that there is nothing.
func (f Findings) Parts() []Part {
	one := func(name string, lines ...Text) Part {
		p := Part{Name: name, Title: say("part." + name), Lines: []Text{}}
		for _, l := range lines {
			if l.EN != "" {
				p.Lines = append(p.Lines, l)
			}
		}
		return p
	}
	orNone := func(lines []Text, none Text) []Text {
		if len(lines) == 0 {
			return []Text{none}
		}
		return lines
	}
	reasons := []Text{f.Causes.Text}
	for _, c := range f.Causes.List {
		reasons = append(reasons, say("part.cause", "name", c.Text, "n", c.N, "how", c.How))
	}
	var changes []Text
	for _, r := range f.Recommendations {
		changes = append(changes, r.Text)
		if r.Length != nil {
			changes = append(changes, *r.Length)
		}
	}
	if f.Alternatives.EN != "" {
		changes = append(changes, f.Alternatives)
	}
	belief := []Text{f.ScoredHere, f.Recorded.Text, f.Judge.Text, f.Ties, f.People.Text}
	var groups []Text
	for _, s := range f.Slices {
		if !s.Again {
			groups = append(groups, s.Text)
		}
	}
	for _, c := range f.Corrected {
		belief = append(belief, c.Text)
	}
	belief = append(belief, f.Checked...)
	agreed := []Text{f.Agreed.Text, f.Agreed.Open}
	for _, o := range f.Agreed.Overdue {
		agreed = append(agreed, say("part.overdue", "item", o.Text))
	}
	costs := append(append([]Text{f.Month.Text}, f.Effort...), f.Sent...)
	list := []Part{
		one("release", f.Release.Text), one("worst", examplesText(f.Worst)...), one("best", examplesText(f.Best)...),
		one("slices", groups...), one("causes", reasons...), one("recommendations", orNone(changes, f.NoChange())...),
		one("belief", append(belief, f.Enough.Text)...), one("agreed", agreed...),
		one("untested", orNone(f.Untested, say("part.nothing_untested"))...), one("costs", costs...),
	}
	out := []Part{}
	for _, p := range list {
		if len(p.Lines) > 0 {
			out = append(out, p)
		}
	}
	return out
}

// examplesText says questions in full: what was asked, what is right, what was answered, and what decided.
func examplesText(list []Example) []Text {
	var out []Text
	for _, e := range list {
		out = append(out, say("part.question", "text", e.Question))
		if e.Reference != "" {
			out = append(out, say("part.reference", "text", e.Reference))
		}
		if e.Verdict != "" {
			out = append(out, say("part.before", "text", answered(e.Before)))
		}
		out = append(out, say("part.after", "text", answered(e.After)))
		for _, s := range e.Scores {
			out = append(out, scoredText(s, e.Verdict))
		}
		if e.Why != nil {
			out = append(out, say("part.why", "text", *e.Why))
		}
	}
	return out
}

func answered(a *string) Text {
	if a == nil || *a == "" {
		return say("part.no_answer")
	}
	return plain(*a)
}

func scoredText(s Scored, verdict compare.Label) Text {
	grade := func(v *float64) string {
		if v == nil {
			return "–"
		}
		return decimal(*v, 2)
	}
	if verdict == "" {
		return say("part.score", "metric", s.Title, "after", grade(s.After))
	}
	return say("part.scores", "metric", s.Title, "before", grade(s.Before), "after", grade(s.After))
}
