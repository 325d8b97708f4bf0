package compare

import (
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
)

// What questions have in common that are not independent, as codes name it.
const (
	documents = "documents"
	themes    = "themes"
)

// fewestClusters is from how many documents or themes on their spread tells how many would be enough: of fewer, too little is known
// (docs/adr/0069 draws the same line for tags).
const fewestClusters = 6

// Themed reports whether questions were clustered by theme, because none has evidence in a document.
func (m Method) Themed() bool {
	return slices.ContainsFunc(m.Explanation, func(n Note) bool { return n.Code == "method.cluster_theme" })
}

// Clustered says by what the interval of a metric is, where it is over documents or themes rather than over questions: whoever sees
// another interval of the same scores at another door reads why.
func (c Comparison) Clustered() (Note, bool) {
	if c.Method.Clusters == 0 {
		return Note{}, false
	}
	return clusteredBy(c.Method.Themed(), c.Method.Clusters), true
}

// ClustersNeeded says how many documents or themes there must be in place of n, for a comparison to tell what it cannot: more
// questions about the same ones are no substitute for them. Of very few that cannot be told.
func (m Method) ClustersNeeded(n, needed int) Note { return clustersNeeded(m.Themed(), n, needed) }

func clustersNeeded(themed bool, n, needed int) Note {
	if n < fewestClusters {
		return newNote("clustered.unknown_"+unitOf(themed), "n", n)
	}
	return newNote("clustered.need_"+unitOf(themed), "n", n, "needed", needed)
}

func clusteredBy(themed bool, n int) Note { return newNote("clustered."+unitOf(themed), "n", n) }

func unitOf(themed bool) string {
	if themed {
		return themes
	}
	return documents
}

// clustering names what the questions of a run share, and says whether that is their theme.
func (v *runVotes) clustering() (name func(*experiments.Question) string, themed bool) {
	asked := make([]*experiments.Question, len(v.Questions))
	for i := range v.Questions {
		asked[i] = &v.Questions[i]
	}
	return shared(asked)
}

// SharedBy numbers for each question, by its id, the document or theme that it shares with others whose scores may change together, as
// comparisons and release checks count them.
func SharedBy(questions []experiments.Question) map[string]int {
	asked := make([]*experiments.Question, len(questions))
	for i := range questions {
		asked[i] = &questions[i]
	}
	name, _ := shared(asked)
	out := make(map[string]int, len(questions))
	for i, label := range groupedBy(asked, name).labels {
		out[questions[i].ID] = label
	}
	return out
}
