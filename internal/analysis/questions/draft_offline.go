package questions

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/text"
)

// draftFigure is a number with its unit.
var draftFigure = text.Lazy(`[¥$€£]?[0-9０-９][0-9０-９,，.:]*[0-9０-９]|[0-9０-９]`)

var draftUnit = text.Lazy(`^ ?(％|%|円|年度?|か月|ヶ月|カ月|月|日|時間|時|分|秒|人|名|個|件|回|歳|本|枚|台|km|kg|cm|mm|m|g|(percent|years?|` +
	`months?|weeks?|days?|hours?|minutes?|yen|dollars?|euros?|people|patients|cases|pieces|times|degrees|million|billion|` +
	`thousand)\b)`)

// offlineDraft makes a question of sentences: a gap where a figure stands, or what is said about a word. The reference is what the
// documents say, word for word.
func offlineDraft(d draftData) draftReply {
	none := draftReply{Quotes: []draftQuote{}}
	if len(d.Passages) == 0 || d.Hops == experiments.MultiHop && len(d.Passages) < 2 {
		return none
	}
	if d.Hops == experiments.SingleHop {
		d.Passages = d.Passages[:1]
	} else {
		d.Passages = d.Passages[:2]
	}
	ja := text.Language(d.Passages[0].Text) == "ja"
	if d.Scope == experiments.Specific {
		return draftGaps(d, ja, none)
	}
	return draftAbout(d, ja, none)
}

// draftGaps asks for the figure of a sentence of each passage.
func draftGaps(d draftData, ja bool, none draftReply) draftReply {
	var gaps, figures []string
	r := draftReply{Usable: true, Quotes: []draftQuote{}}
	for _, p := range d.Passages {
		sentence, gap, value, ok := gapOf(p.Text)
		if !ok {
			return none
		}
		gaps, figures = append(gaps, gap), append(figures, value)
		r.Quotes = append(r.Quotes, draftQuote{p.Number, sentence})
	}
	r.Reference = strings.Join(figures, "; ")
	switch {
	case ja:
		r.Question = "次の空欄に入る数値は何ですか。「" + strings.Join(gaps, "」「") + "」"
	case len(gaps) > 1:
		r.Question = "Which figures belong in the gaps: \"" + strings.Join(gaps, "\" and \"") + "\"?"
	default:
		r.Question = "Which figure belongs in the gap: \"" + gaps[0] + "\"?"
	}
	return r
}

// gapOf finds the first whole sentence of a handy length with a figure that it has once, and takes the figure out.
func gapOf(s string) (sentence, gap, value string, ok bool) {
	for _, sentence = range draftSentences(s) {
		if n := len([]rune(sentence)); n < 15 || n > 300 || strings.Contains(sentence, "http") || !wholeSentence(sentence) {
			continue
		}
		for _, at := range draftFigure.FindAllStringIndex(sentence, -1) {
			before, _ := utf8.DecodeLastRuneInString(sentence[:at[0]])
			if unit := draftUnit.FindStringIndex(sentence[at[1]:]); unit != nil {
				at[1] += unit[1]
			} else if after, _ := utf8.DecodeRuneInString(sentence[at[1]:]); latinOrDigit(after) {
				continue
			}
			// Parts of names and numbers of laws are no figures that somebody asks for.
			if latinOrDigit(before) || strings.ContainsRune("-–(（第", before) {
				continue
			}
			value = sentence[at[0]:at[1]]
			if strings.Count(sentence, value) == 1 && len(keywordCandidates(sentence)) > 1 {
				return sentence, sentence[:at[0]] + "＿＿" + sentence[at[1]:], value, true
			}
		}
	}
	return "", "", "", false
}

// wholeSentence reports whether a text ends as sentences do and is no heading or note.
func wholeSentence(s string) bool {
	last, _ := utf8.DecodeLastRuneInString(s)
	return strings.ContainsRune("。．.!！?？", last) && !strings.HasPrefix(s, "【") && !strings.Contains(s, "\n")
}

// draftAbout asks what the documents say about the word that all passages have and that the first has most often.
func draftAbout(d draftData, ja bool, none draftReply) draftReply {
	topic, most := "", 0
	first := text.Fold(d.Passages[0].Text)
	for _, w := range keywordCandidates(d.Passages[0].Text) {
		everywhere := !slices.ContainsFunc(d.Passages, func(p draftPassage) bool { return !holdsWord(text.Fold(p.Text), w) })
		n := strings.Count(first, w)
		if everywhere && len([]rune(w)) < 30 && len([]rune(w)) > 2 && !strings.Contains(w, "第") && !strings.HasSuffix(w, "ly") && n > most {
			topic, most = w, n
		}
	}
	if topic == "" {
		return none
	}
	r := draftReply{Usable: true, Quotes: []draftQuote{}}
	var said []string
	for _, p := range d.Passages {
		for _, s := range draftSentences(p.Text) {
			if holdsWord(text.Fold(s), topic) && len([]rune(s)) > 15 && wholeSentence(s) && len(r.Quotes) < 2*len(d.Passages) {
				said = append(said, strings.Join(strings.Fields(s), " "))
				r.Quotes = append(r.Quotes, draftQuote{p.Number, s})
				if len(d.Passages) > 1 {
					break // one of each
				}
			}
		}
	}
	if len(said) < len(d.Passages) {
		return none
	}
	r.Reference = strings.Join(said, " ")
	titles := titlesOf(d.Passages)
	switch {
	case ja && len(titles) > 1:
		r.Question = fmt.Sprintf("「%s」と「%s」では、%sについてそれぞれどのように説明されていますか。比べて述べてください。", titles[0], titles[1], topic)
	case ja:
		r.Question = strings.Join(append(titles, topic), "の") + "について説明してください。"
	case len(titles) > 1:
		r.Question = fmt.Sprintf("Compare what is said about %s under \"%s\" and under \"%s\".", topic, titles[0], titles[1])
	case len(titles) == 1:
		r.Question = fmt.Sprintf("Explain what is known about %s with regard to \"%s\".", topic, titles[0])
	default:
		r.Question = fmt.Sprintf("Explain what is known about %s.", topic)
	}
	return r
}

// titlesOf are the different titles of passages.
func titlesOf(passages []draftPassage) []string {
	var out []string
	for _, p := range passages {
		if t := clipTo(p.Title, 80); t != "" && !slices.Contains(out, t) {
			out = append(out, t)
		}
	}
	return out
}

func draftSentences(s string) []string {
	index := text.NewIndex(s)
	var out []string
	for _, span := range text.Sentences(s) {
		out = append(out, index.Slice(span.Start, span.End))
	}
	return out
}
