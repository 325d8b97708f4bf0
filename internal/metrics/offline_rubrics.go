package metrics

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/metrics/textual"
	"github.com/rag-workbench/workbench/internal/text"
)

// offlineCorrectness grades by how much of the reference the answer covers, and takes back where they contradict.
func offlineCorrectness(d correctnessData, lang string) rubricReply {
	refused := onlyRefuses(d.Answer)
	if onlyRefuses(d.Reference) {
		d.Answerable = false
	}
	switch {
	case !d.Answerable && refused:
		return rubricReply{Score: 5, Reason: say(lang, "rightly says that the documents do not hold the answer", "文書に答えがないことを正しく述べている")}
	case !d.Answerable && textual.Refuses(d.Answer):
		return rubricReply{Score: 4, Reason: say(lang, "rightly says that the documents do not hold the answer, and adds to it",
			"文書に答えがないことを正しく述べたうえで、ほかの記述を加えている")}
	case !d.Answerable:
		return rubricReply{Score: 1, Reason: say(lang, "answers although the documents do not hold the answer", "文書に答えがないのに回答している")}
	case text.Fold(textual.WithoutCitations(d.Answer)) == text.Fold(textual.WithoutCitations(d.Reference)):
		return rubricReply{Score: 5, Reason: correctnessReason(lang, 1, "", "")}
	case refused:
		return rubricReply{Score: 1, Reason: say(lang, "says that the documents do not hold the answer, but the reference does",
			"文書に記載がないと述べているが、正解は存在する")}
	}
	if reply, settled := gradeYesNo(d, lang); settled {
		return reply
	}
	return gradeCoverage(d, lang)
}

// Refusal says by its phrases whether a text says that the documents do not hold the answer, in English or Japanese, and whether it
// says nothing else.
func Refusal(s string) (says, only bool) { return textual.Refuses(s), onlyRefuses(s) }

// What the offline judge prepares of texts is remembered: at some kilobytes each, tens of megabytes when full.
var refusing = text.NewMemo(4096, onlyRefusing)

// onlyRefuses reports whether a text says that the documents do not hold the answer, and nothing else.
func onlyRefuses(s string) bool { return refusing.Of(s) }

func onlyRefusing(s string) bool { return textual.Refuses(s) && len(textual.SplitClaims(s)) == 0 }

// gradeYesNo settles references that are a bare yes or no, and answers that open with the opposite of the reference.
func gradeYesNo(d correctnessData, lang string) (rubricReply, bool) {
	want, bare, ok := textual.YesOrNo(d.Reference)
	if !ok {
		return rubricReply{}, false
	}
	got, _, said := textual.YesOrNo(d.Answer)
	answer := textual.NewPassage(d.Answer)
	question := textual.DistinctTerms(d.Question)
	onTopic := question.Weight > 0 && answer.Share(question) >= 0.5
	denies := textual.Negates(d.Answer) != textual.Negates(d.Question)
	switch {
	case said && got != want:
		return rubricReply{Score: 1, Reason: say(lang, "says the opposite of the reference", "正解と逆の回答である")}, true
	case !bare:
		return rubricReply{}, false
	case said:
		return rubricReply{Score: 5, Reason: correctnessReason(lang, 1, "", "")}, true
	case onTopic && denies != want:
		return rubricReply{Score: 3, Reason: say(lang, "agrees with the reference without saying yes or no", "「はい」「いいえ」と明言していないが、正解と一致する")},
			true
	}
	return rubricReply{Score: 1, Reason: say(lang, "does not answer yes or no", "「はい」か「いいえ」かを答えていない")}, true
}

// gradeCoverage grades by the share of the reference's units that the answer covers.
func gradeCoverage(d correctnessData, lang string) rubricReply {
	c := coverageOf(d)
	sharesSeen.put(coverKey(d), c.share)
	score := grade(c.share, correctnessBands)
	if c.wrong {
		score = max(1, score-1)
	}
	return rubricReply{Score: score, Reason: correctnessReason(lang, c.share, c.missing, c.conflict)}
}

// coverage is how far an answer covers a reference.
type coverage struct {
	share    float64 // of the reference's units, weighted
	wrong    bool    // it contradicts too much of them
	missing  string  // the first unit that it does not cover; "" without any
	conflict string  // its words that contradict first; "" without any
}

func coverageOf(d correctnessData) coverage {
	answer := textual.NewPassage(textual.WithoutRefusals(said(textual.WithoutCitations(d.Answer), d.Question)))
	var covered, total, against, stated float64
	missing, conflict := "", ""
	var open []textual.ClaimTerms // what it does not contradict
	for _, claim := range textual.ReferenceUnits(textual.WithoutCitations(d.Reference), d.Question) {
		s := answer.Cover(claim)
		covered += s.Strength * claim.Weight
		total += claim.Weight
		stated = max(stated, s.Strength)
		if !s.Contradicted {
			open = append(open, claim)
		}
		if s.Contradicted {
			against += claim.Weight
		}
		if s.Contradicted && conflict == "" {
			conflict = s.Quote
		} else if _, bare, _ := textual.YesOrNo(claim.Text); s.Strength < textual.SupportedAt && missing == "" && !bare {
			missing = claim.Text // not to say yes is no gap where the rest is said
		}
	}
	share := 0.0
	if total > 0 {
		share = covered / total
	}
	wrong := against >= conflictShare*total && conflict != "" // of a long reference one slip does not spoil all
	long := max(0, min(1, (total-shortReference)/shortReference))
	if !wrong {
		w := precisionWeight * long
		share = (1-w)*share + w*min(1, 2*share, 2*precision(d))
	}
	// words of the reference, but nothing that it says: of a short one too little
	if stated < textual.SupportedAt && !(total < 2*shortReference && slices.ContainsFunc(open, answer.StatesNumbers)) {
		long = max(0, min(1, (total-2*shortReference)/(2*shortReference)))
		share *= long + (1-long)*unstatedAt
	}
	switch all, lacking := textual.CodeWords(d.Reference, d.Question, d.Answer); {
	case lacking == 0, total >= 2*shortReference: // a long one may be met without the odd path
	case lacking < all:
		share = min(share, partOfCode)
	default:
		share = min(share, noCode)
	}
	return coverage{textual.Round(share), wrong, missing, conflict}
}

// said is an answer without the lines that only announce it and repeat the question, such as "As to “…”:".
func said(answer, question string) string {
	asked := textual.NewPassage(question)
	lines := strings.Split(answer, "\n")
	kept := lines[:0]
	for _, line := range lines {
		if announces(line) {
			c := textual.DistinctTerms(line)
			if c.Weight == 0 || asked.Share(c) >= repeatsAt {
				continue
			}
		}
		kept = append(kept, line)
	}
	return strings.Join(kept, "\n")
}

// announces reports whether a line only says that something follows.
func announces(line string) bool {
	line = strings.TrimSpace(line)
	return textual.OpensList(line) || strings.HasSuffix(line, "次のとおりです。")
}

// repeatsAt is the share of the words of an announcing line from which on it is the question again.
const repeatsAt = 0.6

// A reference of up to shortReference terms says only the essential, to which an answer may add; from twice as many on it
// says all that should be said, and precisionWeight of the mark is how far the answer keeps to it.
const (
	shortReference  = 12.0
	conflictShare   = 0.2
	unstatedAt      = 0.5 // what is left of a mark for words that add up to no statement of the reference
	precisionWeight = 0.5
	partOfCode      = 0.57 // the most for an answer that lacks some path, setting or name of a file of the reference: a 3
	noCode          = 0.39 // and for one that lacks all of them: a 2
)

// precision is the share of the answer's distinct terms, other than those of the question, that the reference holds.
func precision(d correctnessData) float64 {
	reference, question := textual.NewPassage(textual.WithoutCitations(d.Reference)), textual.NewPassage(d.Question)
	var held, total float64
	for _, t := range textual.DistinctTerms(textual.WithoutCitations(d.Answer)).List {
		if t.Weight < 1 || question.Holds(t) {
			continue
		}
		total += t.Weight
		if reference.Holds(t) {
			held += t.Weight
		}
	}
	if total == 0 {
		return 1
	}
	return held / total
}

func correctnessReason(lang string, share float64, missing, conflict string) string {
	reason := say(lang, "nothing of the reference was found in it", "正解に当たる記述が見つからない")
	if percent := int(share*100 + 0.5); percent > 0 {
		reason = fmt.Sprintf(say(lang, "covers %d%% of the reference", "正解の%d%%を含む"), percent)
	}
	if conflict != "" {
		reason += fmt.Sprintf(say(lang, "; conflicts with it: %q", "。正解と矛盾する記述：「%s」"), text.Cut(conflict, mostQuoted))
	}
	if missing != "" {
		reason += fmt.Sprintf(say(lang, "; missing: %q", "。不足：「%s」"), text.Cut(missing, mostQuoted))
	}
	return reason
}

// offlineTrust grades by how far the contexts support the answer's sentences, each counting the same.
func offlineTrust(d trustData, lang string) rubricReply {
	claims := textual.SplitClaims(d.Answer)
	if len(claims) == 0 {
		return rubricReply{Score: 5, Reason: say(lang, "claims nothing beyond the contexts", "参照箇所にない主張はない")}
	}
	passages := make([]textual.Passage, len(d.Contexts))
	for i, c := range d.Contexts {
		passages[i] = textual.NewPassage(c.Text)
	}
	var sum float64
	weakest, low := "", 2.0
	for _, c := range claims {
		claim := textual.DistinctTerms(c)
		best := 0.0
		for i := range passages {
			best = max(best, passages[i].Support(claim).Strength)
		}
		sum += max(0, min(1, (best-textual.UnsupportedAt)/(textual.GroundedAt-textual.UnsupportedAt)))
		if best < low {
			low, weakest = best, c
		}
	}
	share := sum / float64(len(claims))
	reason := fmt.Sprintf(say(lang, "the contexts support %d%% of the answer", "回答の%d%%が参照箇所に基づく"), int(share*100+0.5))
	if low < textual.SupportedAt {
		reason += fmt.Sprintf(say(lang, "; not found: %q", "。見つからない記述：「%s」"), text.Cut(weakest, mostQuoted))
	}
	return rubricReply{Score: grade(share, trustBands), Reason: reason}
}

// Bands are the smallest shares for a 2, 3, 4 and 5.
var (
	correctnessBands = [4]float64{0.22, 0.40, 0.58, 0.78}
	trustBands       = [4]float64{0.22, 0.48, 0.74, 0.95}
)

func grade(share float64, bands [4]float64) int {
	score := 1
	for _, b := range bands {
		if share >= b {
			score++
		}
	}
	return score
}
