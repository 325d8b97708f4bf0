package validation

import (
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/text"
)

// The models and prompts of the other worlds: faults that look different from those that the procedure was made on.
const (
	otherScattered = "scattered" // wrong as soon as there are more than three contexts
	otherCautious  = "cautious"  // refuses as soon as the contexts are long
	otherSkims     = "skims"     // overlooks what stands in the middle half of all text
	otherVaries    = "varies"    // right now and then, although its temperature is 0

	otherRightVarying = .35
)

var (
	otherKeyword = map[string]string{"en": "Reply with one keyword only, never with a sentence.", "ja": "キーワード一つだけで答え、文にしないこと。"}
	otherVague   = map[string]string{"en": "Keep it general: no names, no figures, no dates.", "ja": "固有名詞・数値・日付は書かず、一般論で答えること。"}
)

// otherConditions are faults that were written after the procedure, to see how it does on what it was not made on.
func otherConditions(lang string) []worldCondition {
	if lang != "ja" {
		lang = "en"
	}
	model, retriever := []causes.Component{causes.GenerationModel}, []causes.Component{causes.Retriever}
	named := func(m string) func(*rag.Config) { return func(c *rag.Config) { c.Generate.Name = m } }
	prompt := func(words map[string]string) func(*rag.Config) {
		return func(c *rag.Config) { c.Generate.Prompt = words[lang] }
	}
	prompts := []causes.Component{causes.SystemPrompt}
	hash := func(c *rag.Config) {
		c.Retrieve.Mode, c.Retrieve.K, c.Embedding.Name = "dense", 2, "hash"
	}
	k2 := func(c *rag.Config) { c.Retrieve.K = 2 }
	tiny := func(c *rag.Config) { c.Chunk, c.Retrieve.K = rag.Chunking{By: "chars", Size: 60}, 3 }
	return []worldCondition{
		{name: "database+keyword", expected: []causes.Component{causes.Database}, deleted: true, fault: prompt(otherKeyword)},
		{name: "poor_embedder", expected: retriever, starves: true, fault: hash},
		{name: "keyword_prompt", expected: prompts, fault: prompt(otherKeyword)},
		{name: "vague_prompt", expected: prompts, fault: prompt(otherVague)},
		{name: "scattered", expected: model, fault: named(otherScattered)},
		{name: "cautious", expected: model, fault: named(otherCautious)},
		{name: "skims", expected: model, fault: named(otherSkims)},
		{name: "varies", expected: []causes.Component{causes.GenerationModel, causes.Unstable}, fault: named(otherVaries)},
		{name: "k2+cautious", expected: retriever, starves: true, fault: both(k2, named(otherCautious))},
		{name: "poor_embedder+vague", expected: retriever, starves: true, fault: both(hash, prompt(otherVague))},
		{name: "tiny_chunks+keyword", expected: retriever, starves: true, fault: both(tiny, prompt(otherKeyword))},
	}
}

// skimmed reports whether anything that is needed lies in the middle half of the contexts, read as one text.
func (i *worldItem) skimmed(contexts []string) bool {
	all := strings.Join(contexts, "\n")
	for _, need := range i.needs {
		at := strings.Index(all, need)
		if at > len(all)/4 && at+len(need) < 3*len(all)/4 {
			return true
		}
	}
	return false
}

// keyword is the first word of the question that carries meaning: it answers nothing.
func (i *worldItem) keyword() string {
	for _, t := range text.Terms(i.question.Text) {
		if t.Class == text.Content {
			return t.Text
		}
	}
	return i.refusal
}

// WorldFault returns a fault of whole systems by its name in [WorldConditions] or among those of other texts, with the prompts of a
// language: what it changes in a configuration, and the component that a diagnosis should name. change is nil where documents are taken
// away instead; ok is false where there is no such fault.
func WorldFault(name, lang string) (change func(*rag.Config), expected causes.Component, ok bool) {
	for _, c := range append(worldConditions(), otherConditions(lang)...) {
		if c.name == name {
			return c.fault, c.expected[0], true
		}
	}
	return nil, "", false
}
