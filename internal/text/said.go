package text

import (
	"fmt"
	"strconv"
)

// Said is something that people are told, in both languages.
type Said struct {
	EN string `json:"en"`
	JA string `json:"ja"`
}

// In returns it in a language: "ja", or else English.
func (s Said) In(lang string) string {
	if lang == "ja" {
		return s.JA
	}
	return s.EN
}

// byFlag is how a note says which flag of the command line chooses a sheet, behind what it says to every door.
var byFlag = Lazy(` ?[(（]--sheet [^()（）]*[)）]`)

// How a note says which flag decides how columns of votes are read, in English and in Japanese.
var (
	votesByFlag   = Lazy(`say so: --vote-columns (?:fold|apart)`)
	votesByFlagJA = Lazy(` ?--vote-columns (?:fold|apart) と指定してください`)
)

// ChosenByField is a note as it is told where sheets, and how columns of votes are read, are chosen by a field and not by a flag of the
// command line.
func ChosenByField(note string) string {
	note = votesByFlag.ReplaceAllString(byFlag.ReplaceAllString(note, ""), "choose that for *Columns of votes*")
	return votesByFlagJA.ReplaceAllString(note, "「採点の列」で選んでください")
}

// ChosenByField is [ChosenByField] in both languages.
func (s Said) ChosenByField() Said { return Said{EN: ChosenByField(s.EN), JA: ChosenByField(s.JA)} }

// Say fills in a format in both languages. Arguments that are [Said] themselves stand in the language of the format; where the order of the
// arguments differs, the Japanese format numbers them, as in %[2]s.
func Say(en, ja string, args ...any) Said {
	return Said{EN: fmt.Sprintf(en, in("en", args)...), JA: fmt.Sprintf(ja, in("ja", args)...)}
}

func in(lang string, args []any) []any {
	list := make([]any, len(args))
	for i, a := range args {
		if s, ok := a.(Said); ok {
			a = s.In(lang)
		}
		list[i] = a
	}
	return list
}

// Count is a number of things: "1 row" or "2 rows", and in Japanese the number with its counter, as in 2行.
func Count(n int, noun, counter string) Said {
	s := Said{EN: strconv.Itoa(n) + " " + noun, JA: strconv.Itoa(n) + counter}
	if n != 1 {
		s.EN += "s"
	}
	return s
}

// InEnglish is what is said to programs and in places that have no Japanese.
func InEnglish(list []Said) []string {
	var out []string
	for _, s := range list {
		out = append(out, s.EN)
	}
	return out
}
