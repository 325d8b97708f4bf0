package foreign

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
	"github.com/rag-workbench/workbench/internal/text"
)

// asUnicode is a file of text in UTF-8, whatever it is written in, and what people are told of that; any other file as it is.
func asUnicode(raw []byte, file, encoding string) (decoded []byte, told []text.Said, err error) {
	if !slices.Contains([]string{".json", ".jsonl", ".csv", ".tsv"}, strings.ToLower(filepath.Ext(file))) {
		return raw, nil, nil
	}
	s, name, err := intake.Decoded(raw, file, encoding)
	if err != nil {
		return nil, nil, err
	}
	if said, tells := intake.EncodingSaid(name); tells {
		told = append(told, said)
	}
	return []byte(s), told, nil
}

// tell notes what warns of nothing.
func (f *Foreign) tell(told ...text.Said) {
	f.Told, f.Notes = append(f.Told, told...), append(f.Notes, text.InEnglish(told)...)
}

// InJapanese are the notes, in Japanese where that is known.
func (f *Foreign) InJapanese() map[string]string {
	said := map[string]string{}
	for _, s := range slices.Concat(f.Sheet, f.Told) {
		said[s.EN] = s.JA
	}
	return said
}
