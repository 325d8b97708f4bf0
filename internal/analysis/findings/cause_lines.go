package findings

import (
	"cmp"
	"slices"
	"strings"
)

// CauseLine is a line of a short list of causes: the answers of one part whose cause is named, those whose cause is not proven, those whose
// cause is probable only, or the rest.
type CauseLine struct {
	N    int
	Name Text
	Text Text // what it means; may be empty
}

// Lines are the causes in short, a part to change in one line whatever ways there are to see it: so many named ones, most first; how many
// answers have no proven cause, and how many a probable one; then how many have other named causes. Together they are all low-score
// answers.
func (c Causes) Lines(most int) []CauseLine {
	named, open, probable := c.grouped()
	rest := 0
	if len(named) > most {
		for _, g := range named[most:] {
			rest += counted(g)
		}
		named = named[:most]
	}
	out := make([]CauseLine, 0, len(named)+3)
	for _, g := range named {
		out = append(out, CauseLine{counted(g), say("cause.line", "name", g[0].Name, "certainty", certaintyOf(g)), meansOf(g)})
	}
	if len(open) > 0 {
		out = append(out, CauseLine{counted(open), say("cause.open"), meansOf(open)})
	}
	if len(probable) > 0 {
		out = append(out, CauseLine{counted(probable), say("cause.probable"), meansOf(probable)})
	}
	if rest > 0 {
		out = append(out, CauseLine{N: rest, Name: say("cause.rest")})
	}
	return out
}

// grouped are the named causes by the part to change, most answers first; those that are not proven; and those that are probable only.
func (c Causes) grouped() (named [][]Cause, open, probable []Cause) {
	for _, x := range c.List {
		switch x.Certainty {
		case NotKnown:
			open = append(open, x)
			continue
		case ByJudgement:
			probable = append(probable, x)
			continue
		}
		i := slices.IndexFunc(named, func(g []Cause) bool { return g[0].Code == x.Code })
		if i < 0 {
			named = append(named, nil)
			i = len(named) - 1
		}
		named[i] = append(named[i], x)
	}
	slices.SortStableFunc(named, func(x, y []Cause) int { return cmp.Compare(counted(y), counted(x)) })
	return named, open, probable
}

func counted(list []Cause) (n int) {
	for _, x := range list {
		n += x.N
	}
	return n
}

// certaintyOf names how the answers of a part are known, each word once.
func certaintyOf(list []Cause) Text {
	var out []Text
	for _, x := range list {
		word := Text{EN: x.Certainty.Word("en"), JA: x.Certainty.Word("ja")}
		if !slices.Contains(out, word) {
			out = append(out, word)
		}
	}
	return Text{EN: strings.Join(Texts(out, "en"), ", "), JA: strings.Join(Texts(out, "ja"), "、")}
}

// meansOf says what several causes mean, each with its number of answers where there are several.
func meansOf(list []Cause) Text {
	if len(list) == 1 {
		return list[0].Text
	}
	out := make([]Text, len(list))
	for i, x := range list {
		out[i] = say("cause.part", "n", x.N, "text", x.Text)
	}
	return Text{EN: strings.Join(Texts(out, "en"), "; "), JA: strings.Join(Texts(out, "ja"), "、")}
}
