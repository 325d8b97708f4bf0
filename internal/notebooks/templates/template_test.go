package templates

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/problem"
)

const slotted = "---\nragnb: 1\ntitle: T\ntemplate:\n  slots:\n    - {name: corpus, type: corpus, default: \"air-[[lang]]\"}\n" +
	"    - {name: k, type: integer, min: 1, max: 9, default: \"4\"}\n    - {name: word, type: text, optional: true}\n---\n\n" +
	"```rag corpus pages\nsource: [[corpus]]\n```\n[[if themes]]\nthemes\n[[else]]\nnone\n[[if not word]]\nno word\n[[end]]\n[[end]]\n" +
	"[[!kept]] [[k]] [[word]]\n```rag note n\ntitle: [[word]]\nen: x\nja: x\n```\n"

// TestATemplateIsFilled: values, conditions within conditions, texts that YAML would read otherwise, and marks that stay.
func TestATemplateIsFilled(t *testing.T) {
	t.Parallel()
	tpl, err := Parse("own", []byte(slotted))
	if err != nil {
		t.Fatal(err)
	}
	values := tpl.OnDemo("ja")
	values["word"], values["themes"] = "a: b", ""
	body, err := tpl.Fill(values)
	if err != nil {
		t.Fatal(err)
	}
	const want = "---\nragnb: 1\ntitle: T\n---\n\n```rag corpus pages\nsource: air-ja\n```\nnone\n[[kept]] 4 a: b\n" +
		"```rag note n\ntitle: \"a: b\"\nen: x\nja: x\n```\n"
	if string(body) != want {
		t.Errorf("got %q\nwant %q", body, want)
	}
	if _, err := document.Parse("own", body); err != nil {
		t.Error(err)
	}
}

// TestATemplateWithAMistakeNamesTheLine breaks a template in ten ways.
func TestATemplateWithAMistakeNamesTheLine(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		from, to string
		line     int
		says     string
	}{
		{"type: integer", "type: whole", 4, `"whole"`}, {"name: k,", "name: corpus,", 4, "two slots"},
		{"name: k,", "name: demo,", 4, "no name"}, {"default: \"4\"", "default: \"12\"", 4, "does not fit"},
		{"source: [[corpus]]", "source: [[corpse]]", 12, `did you mean "corpus"?`}, {"[[if themes]]", "[[if theme]]", 14, `"themes"`},
		{"[[end]]\n[[end]]", "[[end]]", 14, "no [[end]]"}, {"none\n", "none\n[[else]]\n", 18, "no [[if]]"},
		{"[[if not word]]", "[[if no word]]", 18, "no condition"}, {"template:", "templates:", 1, "what its slots are"},
		{"optional: true", "optionally: true", 8, "optionally"},
	} {
		_, err := Parse("own", []byte(strings.Replace(slotted, c.from, c.to, 1)))
		p := problem.From(err)
		if err == nil || p.Params["line"] != c.line || !strings.Contains(p.Message+p.Hint, c.says) {
			t.Errorf("%s: %v, want line %d and %q", c.to, err, c.line, c.says)
		}
	}
}

// TestValuesFitTheirSlots checks values of each type.
func TestValuesFitTheirSlots(t *testing.T) {
	t.Parallel()
	low, high := 1.0, 9.0
	for kind, values := range map[SlotType][2][]string{
		CorpusSlot:  {{"manual", "文書@2", "a.b_c-d"}, {"", "../etc", "a b", "x@", "{{ x }}", "a\nb"}},
		IntegerSlot: {{"1", "9"}, {"0", "10", "1.5", "x", ""}}, ChoiceSlot: {{"a"}, {"b", ""}},
		TextSlot: {{"any: text", ""}, {"two\nlines", strings.Repeat("x", 201)}},
	} {
		s := TemplateSlot{Name: "s", Type: kind, Choices: []string{"a"}, Min: &low, Max: &high}
		for i, list := range values {
			for _, v := range list {
				if err := s.Check(v); (err == nil) != (i == 0) {
					t.Errorf("%s %q: %v", kind, v, err)
				}
			}
		}
	}
}

// TestSavingAsTemplateTurnsNamesIntoSlots saves a notebook, fills the slots with what it named, and has the notebook again.
func TestSavingAsTemplateTurnsNamesIntoSlots(t *testing.T) {
	t.Parallel()
	for _, name := range Gallery() {
		body, err := FromGallery(name)
		if err != nil {
			t.Fatal(err)
		}
		body = []byte(strings.ReplaceAll(string(body), "airline-${p.lang}", "airline-en") + "\nA [[wiki]] link.\n")
		saved, err := AsTemplate(name, body)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		tpl, err := Parse(name, saved)
		if err != nil {
			t.Errorf("%s: %v\n%s", name, err, saved)
			continue
		}
		values := map[string]string{"corpus": "airline-en", "dataset": "airline-en", "corpus_2": "airline-en-stale",
			"dataset_2": "airline-ja"}
		if name == "languages" {
			values["corpus_2"] = "airline-ja"
		}
		again, err := tpl.Fill(values)
		if err != nil || string(again) != string(body) {
			t.Errorf("%s: %v\n%s", name, err, again)
		}
	}
	if _, err := AsTemplate("none", []byte("---\nragnb: 1\n---\n\ntext\n")); problem.CodeOf(err) != "template_slots" {
		t.Error(fmt.Errorf("nothing to fill in: %w", err))
	}
}
