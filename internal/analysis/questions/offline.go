package questions

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/text"
)

// QuestionOfflineHandlers answer the prompts of the question analysis for the offline provider: rules for scope and hops, noun
// phrases for themes, key words for assignment, sentences for drafts. They understand nothing, and depend on nothing but the
// data: the wording of the prompt and the order of labels change no reply.
func QuestionOfflineHandlers() map[string]llm.Handler {
	return map[string]llm.Handler{
		PurposeQuestionCategory: offlineQuestion(offlineCategory),
		PurposeQuestionPropose:  offlineQuestion(offlinePropose),
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
		d, err := llm.DataOf[D](req)
		if err != nil {
			return "", fmt.Errorf("offline question analysis, %s: %w", req.Purpose, err)
		}
		body, err := json.Marshal(answer(d))
		return string(body), err
	}
}

// The sizes of offline themes.
const (
	maxThemeWords  = 40
	themePrecision = .5 // share of a word's questions that a theme must hold before the word recognises the theme
)

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
	ruleWords = text.NewMemo(4096, func(s string) []string { return keywordCandidates(s) })
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
	case PurposeQuestionPropose:
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
