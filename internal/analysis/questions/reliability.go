package questions

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/stats"
)

// QuestionReliability says how far labels can be trusted: whether the same question gets the same label when the prompt is worded
// otherwise and the labels stand in another order, and how labels compare with those of people and of the analysis before.
// Figures that the data cannot give are nil.
type QuestionReliability struct {
	Votes int `json:"votes"` // on each closed choice
	// the judge is deterministic: its votes differ only by wording and order
	Settled bool `json:"settled"`
	// Krippendorff's over the votes, by "scope", "hops" and taxonomy id; of several labels by their MASI distance
	Alpha        map[string]*float64 `json:"alpha"`
	OtherShare   float64             `json:"other_share"`   // of the questions, without a theme
	LargestTheme float64             `json:"largest_theme"` // share of the questions
	ByText       int                 `json:"by_text"`       // questions whose hops are a guess from the wording
	// share of the questions in common with the previous analysis whose label changed
	Churn *float64 `json:"churn,omitempty"`
	// mean share of a question's keywords that were candidates in the previous analysis
	KeywordMatch *float64         `json:"keyword_match,omitempty"`
	Confusable   []ConfusablePair `json:"confusable,omitempty"`
	Gold         []GoldAgreement  `json:"gold,omitempty"`
}

// ConfusablePair is two themes between which votes on the same questions split often: merge them, or sharpen their rules.
type ConfusablePair struct {
	A     string  `json:"a"`
	B     string  `json:"b"`
	Share float64 `json:"share"` // of the pairs of votes that involve either, those that name one and the other
	Pairs int     `json:"pairs"`
}

// GoldAgreement compares labels with those that people gave.
type GoldAgreement struct {
	Taxonomy string         `json:"taxonomy"`
	N        int            `json:"n"`
	Agree    int            `json:"agree"`
	Kappa    *float64       `json:"kappa"`    // Cohen's; nil where chance alone would agree fully. Of several labels the mean over labels
	Interval stats.Interval `json:"interval"` // of kappa, 95%, bootstrap over questions
}

// confusableFrom is the share from which a pair of themes is listed (science.md 4.3).
const confusableFrom = .05

func (r *QuestionReport) reliability(previous *QuestionAnalysis) QuestionReliability {
	out := QuestionReliability{Votes: questionVotes, Alpha: map[string]*float64{}}
	n := float64(max(1, len(r.Questions)))
	for _, t := range r.Themes {
		if t.Label == experiments.OtherLabel {
			out.OtherShare = float64(t.Count) / n
		} else {
			out.LargestTheme = max(out.LargestTheme, float64(t.Count)/n)
		}
	}
	for _, l := range r.Questions {
		if l.HopsBy == HopsByText {
			out.ByText++
		}
	}
	for _, id := range append([]string{"scope", "hops", experiments.ThemeTaxonomy}, slices.Sorted(maps.Keys(r.Further))...) {
		out.Alpha[id] = r.alpha(id)
	}
	out.Confusable = confusable(r.Questions)
	for _, t := range r.Taxonomies {
		if g, ok := r.gold(t); ok {
			out.Gold = append(out.Gold, g)
		}
	}
	if previous != nil {
		out.Churn, out.KeywordMatch = r.against(previous.Labels)
	}
	return out
}

// alpha is Krippendorff's over the votes of a choice. Sets of labels are as far apart as [masi] says; single labels 0 or 1.
func (r *QuestionReport) alpha(id string) *float64 {
	several := r.taxonomy(id).Multi
	units := make([][]string, 0, len(r.Questions))
	for _, l := range r.Questions {
		if len(l.Votes[id]) > 1 {
			units = append(units, l.Votes[id])
		}
	}
	apart := func(a, b string) float64 {
		switch {
		case a == b:
			return 0
		case !several:
			return 1
		}
		return 1 - masi(a, b)
	}
	count, total, observed := map[string]float64{}, 0.0, 0.0
	for _, votes := range units {
		for _, a := range votes {
			count[a]++
			total++
			for _, b := range votes {
				observed += apart(a, b) / float64(len(votes)-1)
			}
		}
	}
	expected := 0.0
	values := slices.Sorted(maps.Keys(count))
	for _, a := range values {
		for _, b := range values {
			expected += count[a] * count[b] * apart(a, b)
		}
	}
	if expected == 0 {
		return nil // one value throughout: chance agrees fully
	}
	alpha := 1 - (total-1)*observed/expected
	return &alpha
}

// masi is the agreement of two sets of labels, joined by commas (Passonneau 2006): Jaccard, times 1 for equal sets, 2/3 where one
// holds the other, 1/3 where they overlap, 0 otherwise.
func masi(a, b string) float64 {
	x, y := splitLabels(a), splitLabels(b)
	common := 0
	for _, l := range x {
		if slices.Contains(y, l) {
			common++
		}
	}
	all := len(x) + len(y) - common
	switch {
	case all == 0:
		return 1
	case common == 0:
		return 0
	case common == len(x) || common == len(y):
		return 2. / 3 * float64(common) / float64(all)
	}
	return 1. / 3 * float64(common) / float64(all)
}

func splitLabels(s string) []string {
	if s == "" {
		return nil
	}
	return strings.Split(s, ",")
}

// confusable lists the pairs of themes between which votes split.
func confusable(questions []experiments.QuestionLabels) []ConfusablePair {
	split, involved := map[[2]string]int{}, map[string]int{}
	for _, l := range questions {
		votes := l.Votes[experiments.ThemeTaxonomy]
		for i, a := range votes {
			for _, b := range votes[i+1:] {
				involved[a]++
				if a == b {
					continue
				}
				involved[b]++
				split[[2]string{min(a, b), max(a, b)}]++
			}
		}
	}
	var out []ConfusablePair
	for pair, n := range split {
		either := involved[pair[0]] + involved[pair[1]] - n
		if share := float64(n) / float64(either); share > confusableFrom {
			out = append(out, ConfusablePair{A: pair[0], B: pair[1], Share: share, Pairs: n})
		}
	}
	slices.SortFunc(out, func(a, b ConfusablePair) int {
		return cmp.Or(cmp.Compare(b.Share, a.Share), cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B))
	})
	return out
}

// against compares with the analysis before: the share of questions with the same wording whose label changed, and the
// share of keywords that were candidates then.
func (r *QuestionReport) against(before map[string]experiments.QuestionLabels) (churn, match *float64) {
	common, jaccard := 0, 0.0
	for _, l := range r.Questions {
		b, ok := before[l.QuestionID]
		if !ok || b.TextDigest != l.TextDigest {
			continue
		}
		common++
		kept := 0
		for _, k := range l.Keywords {
			if slices.Contains(b.Keywords, k) {
				kept++
			}
		}
		if len(l.Keywords) == 0 {
			jaccard++
		} else {
			jaccard += float64(kept) / float64(len(l.Keywords))
		}
	}
	if common == 0 {
		return nil, nil
	}
	c, m := float64(len(r.Changed))/float64(common), jaccard/float64(common)
	return &c, &m
}

// goldResamples is the number of bootstrap samples of a kappa.
const goldResamples = 1000

// gold compares the labels of a taxonomy with those of people. ok is false where no labelled question was analysed.
func (r *QuestionReport) gold(t experiments.Taxonomy) (g GoldAgreement, ok bool) {
	byID := map[string]experiments.QuestionLabels{}
	for _, l := range r.Questions {
		byID[l.QuestionID] = l
	}
	var people, ours [][]string
	g.Taxonomy = t.ID
	for _, x := range t.Gold {
		l, found := byID[x.QuestionID]
		if !found || t.ID == experiments.CategoryTaxonomy && l.Hops == experiments.Unanswerable { // there was nothing to find out
			continue
		}
		labels := l.Labels[t.ID]
		switch t.ID {
		case experiments.ThemeTaxonomy:
			labels = []string{l.Theme}
		case experiments.CategoryTaxonomy:
			labels = []string{string(l.Category.Sure())}
		}
		people, ours = append(people, sortedLabels(x.Labels, t.Multi)), append(ours, sortedLabels(labels, t.Multi))
		if slices.Equal(people[len(people)-1], ours[len(ours)-1]) {
			g.Agree++
		}
	}
	g.N = len(people)
	if g.N == 0 {
		return g, false
	}
	kappa := goldKappa(people, ours, t, nil)
	if !math.IsNaN(kappa) {
		g.Kappa = &kappa
	}
	random, resampled := stats.NewSplitMix64(1), make([]float64, 0, goldResamples)
	for range goldResamples {
		pick := make([]int, g.N)
		for i := range pick {
			pick[i] = random.Below(g.N)
		}
		if k := goldKappa(people, ours, t, pick); !math.IsNaN(k) {
			resampled = append(resampled, k)
		}
	}
	if len(resampled) > 0 {
		g.Interval = stats.PercentileInterval(resampled, .95)
	}
	return g, true
}

func sortedLabels(labels []string, several bool) []string {
	if !several {
		return labels[:min(1, len(labels))] // the primary one
	}
	return slices.Sorted(slices.Values(labels))
}

// goldKappa is Cohen's kappa over the questions picked, nil for all: of one label each by the label, of several the mean over the
// labels of has it or has it not.
func goldKappa(people, ours [][]string, t experiments.Taxonomy, pick []int) float64 {
	if pick == nil {
		for i := range people {
			pick = append(pick, i)
		}
	}
	if !t.Multi {
		number := map[string]int{}
		at := func(labels []string) int {
			id := strings.Join(labels, ",")
			if _, ok := number[id]; !ok {
				number[id] = len(number)
			}
			return number[id]
		}
		var a, b []int
		for _, i := range pick {
			a, b = append(a, at(people[i])), append(b, at(ours[i]))
		}
		agreement, err := stats.TwoRaters(a, b, len(number))
		if err != nil {
			return math.NaN()
		}
		return agreement.Kappa
	}
	sum, n := 0.0, 0.0
	for _, l := range t.Labels {
		var a, b []int
		for _, i := range pick {
			a, b = append(a, has(people[i], l.ID)), append(b, has(ours[i], l.ID))
		}
		if agreement, err := stats.TwoRaters(a, b, 2); err == nil && !math.IsNaN(agreement.Kappa) {
			sum, n = sum+agreement.Kappa, n+1
		}
	}
	if n == 0 {
		return math.NaN()
	}
	return sum / n
}

func has(labels []string, id string) int {
	if slices.Contains(labels, id) {
		return 1
	}
	return 0
}
