package rag

import (
	"encoding/json"
	"strings"
)

// JoinedID is the id of the only document of a corpus made by [JoinCorpus].
const JoinedID = "joined"

// joint stands between two documents: a blank line, two code points.
const joint = "\n\n"

// JoinCorpus returns a corpus called name whose only document, [JoinedID], is all documents of c in order with a blank
// line between them, as when a whole manual lies in one text file. [Corpus.Locate] maps a span of c to the same
// characters of the joined document.
func JoinCorpus(c *Corpus, name string) *Corpus {
	offsets := make(map[string]int, len(c.Documents))
	chars := map[string]int{} // by language
	var b strings.Builder
	at := 0
	for i, d := range c.Documents {
		if i > 0 {
			b.WriteString(joint)
			at += len(joint)
		}
		b.WriteString(d.Text)
		offsets[d.ID] = at
		n := c.Index(d.ID).Len()
		at += n
		chars[d.Lang] += n
	}
	lang := "en"
	if chars["ja"] > chars["en"] {
		lang = "ja"
	}
	parts, err := json.Marshal(offsets)
	if err != nil {
		panic("offsets are not JSON: " + err.Error()) // strings and whole numbers only
	}
	whole := Document{ID: JoinedID, Title: name, Text: b.String(), Lang: lang, Metadata: map[string]string{partsKey: string(parts)}}
	return NewCorpus(name, []Document{withHeadingsOf(whole, c, offsets)})
}

// withHeadingsOf gives a joined document the headings of its parts, if the format of any of them marked some.
func withHeadingsOf(whole Document, c *Corpus, offsets map[string]int) Document {
	marked := false
	var places [][2]int
	for _, d := range c.Documents {
		marked = marked || d.Metadata[headingsKey] != ""
		for _, h := range d.headings() {
			places = append(places, [2]int{offsets[d.ID] + h.Start, h.Level})
		}
	}
	if !marked {
		return whole
	}
	return whole.with(headingsKey, places)
}
