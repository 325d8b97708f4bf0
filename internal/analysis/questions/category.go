package questions

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// FindEvidence looks for the places of the corpus that a question's answer needs: a minimal set, one place for each key claim of
// the reference. found says whether the corpus holds them; an error is that of a model.
type FindEvidence func(ctx context.Context, q experiments.Question) (spans []rag.Span, found bool, err error)

// The ways in which hops were decided.
const (
	HopsByEvidence = "evidence"
	HopsByText     = "text"
	HopsByDataset  = "dataset" // it registers that the documents hold no answer
)

// Registered are the labels of a question as it is registered. Labels are kept as its wording and evidence give them: an unchanged
// question never changes its label, and those of older analyses are read like newer ones. That the documents do not answer a question
// is no finding; the dataset says so, and another version of it may not. Labels of another question stay as they are.
func Registered(l experiments.QuestionLabels, q experiments.Question) experiments.QuestionLabels {
	if q.ID != l.QuestionID || q.Answerable {
		return l
	}
	l.Hops, l.HopsBy, l.Answerable = experiments.Unanswerable, HopsByDataset, new(false)
	l.Category = experiments.CategoryOf(l.Hops, l.Scope)
	return l
}

// HopsOf decides how many places of the corpus an answer needs, from its evidence: two documents, or two sections of one that do
// not adjoin, are several hops; one place, or one section with what adjoins it, is a single one. known is false where it cannot be
// told: without evidence, or with several pieces in one document whose text is not at hand. Sections are where the evidence lies in
// this corpus; in a joined one the documents are still those of the labelling.
func HopsOf(q experiments.Question, corpus *rag.Corpus) (hops experiments.Hops, known bool) {
	if len(q.Evidence) == 0 {
		return "", false
	}
	for _, e := range q.Evidence[1:] {
		if e.DocID != q.Evidence[0].DocID {
			return experiments.MultiHop, true
		}
	}
	if len(q.Evidence) == 1 {
		return experiments.SingleHop, true
	}
	if corpus == nil {
		return "", false
	}
	return hopsOfSpans(q.EvidenceIn(corpus), corpus)
}

// hopsOfSpans is [HopsOf] for places that were found.
func hopsOfSpans(spans []rag.Span, corpus *rag.Corpus) (hops experiments.Hops, known bool) {
	if len(spans) == 0 {
		return "", false
	}
	for _, s := range spans[1:] {
		if s.DocID != spans[0].DocID {
			return experiments.MultiHop, true
		}
	}
	index := corpus.Index(spans[0].DocID)
	if len(spans) == 1 {
		return experiments.SingleHop, true
	}
	if index == nil {
		return "", false
	}
	borders := sectionStarts(index.String())
	lowest, highest := len(borders), 0
	for _, s := range spans {
		at, found := slices.BinarySearch(borders, s.Start)
		if !found {
			at--
		}
		lowest, highest = min(lowest, at), max(highest, at)
	}
	if highest-lowest > 1 {
		return experiments.MultiHop, true
	}
	return experiments.SingleHop, true
}

// sectionStarts are the code points at which the sections of a text begin: at headings where it has at least two, else at its
// paragraphs.
func sectionStarts(s string) []int {
	headings, paragraphs := []int{0}, []int{0}
	runes := []rune(s)
	blank := true // the line before is empty, or there is none
	for start := 0; start < len(runes); {
		end := start
		for end < len(runes) && runes[end] != '\n' {
			end++
		}
		line := strings.TrimSpace(string(runes[start:end]))
		switch line {
		case "":
			blank = true
		default:
			if blank && start > 0 {
				paragraphs = append(paragraphs, start)
			}
			next := ""
			if end+1 < len(runes) {
				next = firstLine(runes[end+1:])
			}
			if start > 0 && isHeading(line, blank, next) {
				headings = append(headings, start)
			}
			blank = false
		}
		start = end + 1
	}
	if len(headings) > 2 {
		return headings
	}
	return paragraphs
}

func firstLine(runes []rune) string {
	if end := slices.Index(runes, '\n'); end >= 0 {
		runes = runes[:end]
	}
	return strings.TrimSpace(string(runes))
}

// isHeading reports whether a line is a heading: by its mark (Markdown, an underline, 【…】, 第…条, a numbered title), or because it
// is short, ends without punctuation and stands between blank lines.
func isHeading(line string, blankBefore bool, next string) bool {
	runes := []rune(line)
	if strings.HasPrefix(line, "#") && strings.HasPrefix(strings.TrimLeft(line, "#"), " ") {
		return true
	}
	if len(next) > 2 && (strings.Trim(next, "=") == "" || strings.Trim(next, "-") == "") {
		return true
	}
	if len(runes) > 80 || strings.ContainsRune("。．.!！?？,、;；:：", runes[len(runes)-1]) {
		return false
	}
	if strings.HasPrefix(line, "【") || strings.HasPrefix(line, "■") || strings.HasPrefix(line, "第") && strings.ContainsAny(line, "条章節編") {
		return blankBefore || next == ""
	}
	if unicode.IsDigit(runes[0]) && blankBefore && strings.ContainsAny(line, " 　") {
		return true
	}
	return blankBefore && next == "" && len(runes) <= 60
}

// categoryVotes is what the votes on a question's wording say.
type categoryVotes struct {
	scope                 experiments.Scope
	hops                  experiments.Hops
	scopeShare, hopsShare float64
	quality, keywords     []string
	votes                 map[string][]string
}

// category asks about a question's wording.
func (j *questionJudge) category(ctx context.Context, q experiments.Question) (categoryVotes, error) {
	v := categoryVotes{votes: map[string][]string{}}
	faults, candidates := map[string]int{}, []string{}
	for vote := range questionVotes {
		reply, err := askQuestion[categoryReply](ctx, j, questionTask{
			purpose: PurposeQuestionCategory, lang: langOfQuestion(q), data: categoryData{Question: q.Text}, schema: categorySchema,
			maxTokens: 1000, vote: vote,
		})
		if err != nil {
			return v, err
		}
		v.votes["scope"] = append(v.votes["scope"], string(reply.Scope))
		v.votes["hops"] = append(v.votes["hops"], string(reply.Hops))
		for _, f := range slices.Compact(slices.Sorted(slices.Values(reply.Quality))) {
			faults[f]++
		}
		candidates = append(candidates, reply.Keywords...)
	}
	scope, hops := majorityOf(v.votes["scope"]), majorityOf(v.votes["hops"])
	v.scope, v.scopeShare = experiments.Scope(scope.value), scope.share
	v.hops, v.hopsShare = experiments.Hops(hops.value), hops.share
	for _, f := range []string{AmbiguousQuestion, MissingEntity} {
		if 2*faults[f] > questionVotes {
			v.quality = append(v.quality, f)
		}
	}
	v.keywords = nounKeywords(q.Text, candidates)
	return v, nil
}

type questionVote struct {
	value string
	share float64
}

// majorityOf is the value with most votes, the first by name between equals.
func majorityOf(votes []string) questionVote {
	count := map[string]int{}
	best := questionVote{}
	for _, v := range votes {
		count[v]++
	}
	for v, n := range count {
		if share := float64(n) / float64(len(votes)); share > best.share || share == best.share && v < best.value {
			best = questionVote{v, share}
		}
	}
	return best
}

// keywordCandidates are a question's content words that can be keywords, folded. Which of them are keywords only the whole set of
// questions can tell.
func keywordCandidates(question string) []string {
	return keywordsIn(question, text.Keywords(question))
}

// nounKeywords are a question's possible keywords, folded: what a model named, if it stands in the question, and its nouns.
func nounKeywords(question string, named []string) []string {
	words := slices.Clone(named)
	for _, p := range nounPhrases(question) {
		words = append(words, p.shown)
	}
	return keywordsIn(question, words)
}

// keywordsIn are the words that can be keywords and stand in the question, folded, each once and in order.
func keywordsIn(question string, words []string) []string {
	var out []string
	folded := text.Fold(question)
	for _, w := range words {
		if w = text.Fold(w); isKeyword(w) && strings.Contains(folded, w) && !slices.Contains(out, w) {
			out = append(out, w)
		}
	}
	return out
}
