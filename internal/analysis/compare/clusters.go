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

// What is said of documents, themes and what nobody measured.
const (
	overDocumentsEN = "Chance is reckoned over {n} documents, because questions about one document may change together"
	overDocumentsJA = "誤差は{n}個の文書の単位で見積もっています。同じ文書の質問は、連動して変化しうるためです"
	overThemesEN    = "Chance is reckoned over {n} themes, because questions of one theme may change together"
	overThemesJA    = "誤差は{n}個のテーマの単位で見積もっています。同じテーマの質問は、連動して変化しうるためです"
	moreDocumentsEN = "about {needed} documents with questions like these are needed; more questions about the same documents may not be " +
		"enough"
	moreDocumentsJA = "同じような質問のある文書が約{needed}個必要です。同じ文書の質問を増やしても足りるとは限りません"
	moreThemesEN    = "about {needed} themes with questions like these are needed; more questions of the same themes may not be enough"
	moreThemesJA    = "同じような質問のあるテーマが約{needed}個必要です。同じテーマの質問を増やしても足りるとは限りません"
	someDocumentsEN = "questions about more documents are needed; how many cannot be said from {n}"
	someDocumentsJA = "ほかの文書についての質問が必要です。必要な数は、今の{n}個の文書からは分かりません"
	someThemesEN    = "questions of more themes are needed; how many cannot be said from {n}"
	someThemesJA    = "ほかのテーマの質問が必要です。必要な数は、今の{n}個のテーマからは分かりません"
	unmeasuredEN    = ". {n} {n?score that the baseline lacks shows|scores that the baseline lacks show} no fall, and {n?counts|count} here " +
		"alone, not in the change of the mean"
	unmeasuredJA    = "。比較の基準に採点のない{n}件からは低下したといえないため、この割合だけに数え、平均の変化には含めません"
	nextDocumentsEN = "Next: compare over questions about more documents, so that chance leaves less open."
	nextDocumentsJA = "次は、ほかの文書についての質問も加えて比較してください。誤差が小さくなります。"
	nextThemesEN    = "Next: compare over questions of more themes, so that chance leaves less open."
	nextThemesJA    = "次は、ほかのテーマの質問も加えて比較してください。誤差が小さくなります。"
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
