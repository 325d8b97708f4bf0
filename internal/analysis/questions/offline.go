package questions

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/text"
)

// QuestionOfflineHandlers answer the prompts of the question analysis for the offline provider: rules for scope and hops, lexical
// clusters for themes, key words for assignment, sentences for drafts. They understand nothing, and depend on nothing but the
// data: the wording of the prompt and the order of labels change no reply.
func QuestionOfflineHandlers() map[string]llm.Handler {
	return map[string]llm.Handler{
		PurposeQuestionCategory: offlineQuestion(offlineCategory),
		PurposeQuestionPropose:  offlineQuestion(offlinePropose),
		PurposeQuestionMerge:    offlineQuestion(offlineMerge),
		PurposeQuestionAssign:   offlineQuestion(offlineAssign),
		PurposeQuestionDraft:    offlineQuestion(offlineDraft),
	}
}

func offlineQuestion[D, R any](answer func(D) R) llm.Handler {
	model := metrics.DefaultJudge().Name
	return func(req llm.Request) (string, error) {
		if req.Model != model {
			return "", llm.UnknownModel("judge", req.Model, []string{model})
		}
		var d D
		if err := json.Unmarshal(req.Data, &d); err != nil {
			return "", fmt.Errorf("offline question analysis, %s: %w", req.Purpose, err)
		}
		body, err := json.Marshal(answer(d))
		return string(body), err
	}
}

// The sizes of offline themes.
const (
	maxThemeWords   = 40
	shownThemeWords = 3
	questionsATheme = 5 // questions for each cluster
	themePrecision  = .5
	themeSameness   = .34 // overlap of key words from which two proposals are one theme
)

// offlinePropose makes a theme of every lexical cluster of at least two questions.
func offlinePropose(d proposeData) proposeReply {
	least := 2
	if len(d.Existing) > 0 { // what is left over may well be about one thing
		least = 1
	}
	k := min(d.AtMost, max(least, len(d.Questions)/questionsATheme))
	groups := clusterTexts(d.Questions, k, 0)
	total := map[string]int{}
	words := make([][]string, len(d.Questions))
	for i, q := range d.Questions {
		words[i] = keywordCandidates(q, nil)
		for _, w := range words[i] {
			total[w]++
		}
	}
	taken := map[string]bool{}
	for _, l := range d.Existing {
		for _, w := range l.Words {
			taken[text.Fold(w)] = true
		}
	}
	reply := proposeReply{Themes: []proposedTheme{}}
	for g := range k {
		var members []int
		for i, group := range groups {
			if group == g {
				members = append(members, i)
			}
		}
		if t, ok := offlineTheme(d.Questions, words, members, total, taken); ok {
			reply.Themes = append(reply.Themes, t)
		}
	}
	return reply
}

// offlineTheme names a cluster by the words that set it apart.
func offlineTheme(questions []string, words [][]string, members []int, total map[string]int, taken map[string]bool) (proposedTheme, bool) {
	inside := map[string]int{}
	for _, i := range members {
		for _, w := range words[i] {
			inside[w]++
		}
	}
	weight := func(w string) float64 {
		if inside[w] < 2 {
			return 0 // it may recognise a question, and it names nothing
		}
		return float64(inside[w]) * math.Log(float64(1+len(questions))/float64(total[w]))
	}
	var typical []string
	for w, n := range inside {
		if float64(n) > themePrecision*float64(total[w]) && !taken[w] {
			typical = append(typical, w)
		}
	}
	slices.SortFunc(typical, func(a, b string) int { return cmp.Or(cmp.Compare(weight(b), weight(a)), cmp.Compare(a, b)) })
	if len(members) < 2 || len(typical) == 0 || inside[typical[0]] < 2 {
		return proposedTheme{}, false
	}
	kept := typical[:min(shownThemeWords, len(typical))]
	covered := func(i int) bool {
		return slices.ContainsFunc(kept, func(w string) bool { return slices.Contains(words[i], w) })
	}
	for _, w := range typical[len(kept):] { // what recognises the questions that are not recognised yet
		useful := slices.ContainsFunc(members, func(i int) bool { return slices.Contains(words[i], w) && !covered(i) })
		if len(kept) < maxThemeWords/2 && (useful || inside[w] > 1) {
			kept = append(kept, w)
		}
	}
	var examples []string
	for _, i := range members {
		if covered(i) && len(examples) < 2 {
			examples = append(examples, questions[i])
		}
	}
	return namedTheme(kept, examples), true
}

// namedTheme is the theme that key words make.
func namedTheme(words, examples []string) proposedTheme {
	shown := words[:min(2, len(words))]
	listed := words[:min(6, len(words))]
	t := proposedTheme{
		ID: themeSlug(strings.Join(shown, "-")), EN: strings.Join(shown, " / "), JA: strings.Join(shown, "・"), Words: words,
		Examples: examples,
		Include:  "Questions with words such as " + strings.Join(listed, ", ") + ".",
	}
	if text.Language(strings.Join(words, " ")) == "ja" {
		t.Include = "「" + strings.Join(listed, "」「") + "」などの語を含む質問。"
	}
	return t
}

// offlineMerge joins proposals that share key words, until there are few enough. Proposals that are too many and alike to nothing
// are left out: their questions become other, which extending looks at.
func offlineMerge(d mergeData) proposeReply {
	themes := slices.Clone(d.Proposals)
	for len(themes) > 1 {
		at, with, most := 0, 0, -1.0
		for i := range themes {
			for k := i + 1; k < len(themes); k++ {
				if s := sharedWords(themes[i], themes[k]); s > most {
					at, with, most = i, k, s
				}
			}
		}
		if most < themeSameness && len(themes) <= d.AtMost || most <= 0 {
			break
		}
		both := themes[at]
		for _, w := range themes[with].Words {
			if len(both.Words) < maxThemeWords && !slices.Contains(both.Words, w) {
				both.Words = append(slices.Clone(both.Words), w)
			}
		}
		themes[at] = namedTheme(both.Words, both.Examples)
		themes = slices.Delete(themes, with, with+1)
	}
	return proposeReply{Themes: themes[:min(d.AtMost, len(themes))]}
}

// sharedWords is the overlap of the first key words of two themes, in [0, 1].
func sharedWords(a, b proposedTheme) float64 {
	const first = 8
	x, y := a.Words[:min(first, len(a.Words))], b.Words[:min(first, len(b.Words))]
	common := 0.0
	for _, w := range x {
		if slices.Contains(y, w) {
			common++
		}
	}
	if common == 0 {
		return 0
	}
	return common / float64(min(len(x), len(y)))
}

// The weights of what an offline assignment rests on. Key words were chosen to recognise a label; the words of its rule and
// examples only happen to be there.
const (
	byKeyWord    = 1.0
	byRuleWord   = .4
	assignedFrom = .8 // evidence from which a label is given
	secondFrom   = .6 // of the first label's evidence
)

// offlineAssign gives the label whose key words, rule and examples share most with the question.
func offlineAssign(d assignData) assignReply {
	type candidate struct {
		id       string
		evidence float64
	}
	q := newRecognised(d.Question)
	var list []candidate
	for _, l := range d.Labels {
		if e := q.evidence(l); e >= assignedFrom {
			list = append(list, candidate{l.ID, e})
		}
	}
	slices.SortFunc(list, func(a, b candidate) int { return cmp.Or(cmp.Compare(b.evidence, a.evidence), cmp.Compare(a.id, b.id)) })
	reply := assignReply{Reason: "key words", Primary: experiments.OtherLabel, Second: noSecond, Labels: []string{}}
	for _, c := range list {
		reply.Labels = append(reply.Labels, c.id)
	}
	if len(list) > 0 {
		reply.Primary = list[0].id
	}
	if len(list) > 1 && list[1].evidence >= secondFrom*list[0].evidence {
		reply.Second = list[1].id
	}
	return reply
}

// ruleWords are the words of a label's rule, name or example; labelWord is a key word, ready to be looked for. The same labels are
// shown with every question.
var (
	ruleWords = text.NewMemo(4096, func(s string) []string { return keywordCandidates(s, nil) })
	labelWord = text.NewMemo(16384, func(s string) sought {
		w := sought{folded: text.Fold(s)}
		if terms := text.Terms(s); len(terms) == 1 && terms[0].Class == text.Content && text.Language(s) != "ja" {
			w.stem = terms[0].Text
		}
		return w
	})
)

type sought struct {
	folded string
	stem   string // of one English word, which also counts in another form
}

// recognised is a question in which words are looked for.
type recognised struct {
	folded string
	stems  map[string]bool
}

func newRecognised(question string) recognised {
	q := recognised{folded: text.Fold(question), stems: map[string]bool{}}
	for _, t := range text.Terms(question) {
		q.stems[t.Text] = t.Class == text.Content
	}
	return q
}

func (q recognised) holds(w sought) bool {
	return w.stem != "" && q.stems[w.stem] || holdsWord(q.folded, w.folded)
}

// evidence is how much of a label the question holds.
func (q recognised) evidence(l labelData) float64 {
	sum := 0.0
	seen := map[string]bool{}
	count := func(word string, weight float64) {
		w := labelWord.Of(word)
		if !seen[w.folded] && q.holds(w) {
			sum += weight
		}
		seen[w.folded] = true
	}
	for _, w := range l.Words {
		count(w, byKeyWord)
	}
	for _, s := range append([]string{l.Name, l.Include}, l.Examples...) {
		for _, w := range ruleWords.Of(s) {
			count(w, byRuleWord)
		}
	}
	for _, s := range ruleWords.Of(l.Exclude) {
		if w := labelWord.Of(s); !seen[w.folded] && q.holds(w) {
			sum -= byRuleWord
		}
	}
	return sum
}

// QuestionStandIn is a reply to a prompt of the question analysis that satisfies it without saying anything: what a plan puts in
// the place of a reply that would have to be bought. ok is false for other purposes.
func QuestionStandIn(req llm.Request) (reply string, ok bool) {
	var out any
	switch req.Purpose {
	case PurposeQuestionCategory:
		out = categoryReply{Reason: "stand-in", Scope: experiments.Specific, Hops: experiments.SingleHop, Quality: []string{},
			Keywords: []string{}}
	case PurposeQuestionPropose, PurposeQuestionMerge:
		themes := make([]proposedTheme, fewestThemes)
		for i := range themes {
			themes[i] = proposedTheme{
				ID: fmt.Sprintf("stand-in-%d", i+1), EN: "stand-in", JA: "仮", Include: strings.Repeat("stand-in ", 20),
				Examples: []string{strings.Repeat("stand-in ", 10), strings.Repeat("stand-in ", 10)}, Words: []string{"stand-in"},
			}
		}
		out = proposeReply{Themes: themes}
	case PurposeQuestionAssign:
		var d assignData
		_ = json.Unmarshal(req.Data, &d) // without labels it says other
		r := assignReply{Reason: "stand-in", Primary: experiments.OtherLabel, Second: noSecond, Labels: []string{}}
		for _, l := range d.Labels { // the first by id, whatever the order
			if r.Primary == experiments.OtherLabel || l.ID < r.Primary {
				r.Primary = l.ID
			}
		}
		out = r
	case PurposeQuestionDraft:
		out = draftReply{Quotes: []draftQuote{}}
	default:
		return "", false
	}
	body, err := json.Marshal(out)
	return string(body), err == nil
}
