package causes

import (
	"github.com/rag-workbench/workbench/internal/rag"
)

// referencePrompts are the system prompts that stand in for a good one.
var referencePrompts = map[string]string{
	"en": "Answer the question from the contexts only. Give every fact, amount, condition and exception that the question asks for, and nothing else. " +
		"If the contexts do not hold the answer, say that the documents do not say. Answer in the language of the question.",
	"ja": "コンテキストだけに基づいて質問に答えてください。質問が求める事実・金額・条件・例外をすべて述べ、それ以外のことは述べないでください。" +
		"コンテキストに答えがない場合は、文書には記載がないと答えてください。質問と同じ言語で答えてください。",
}

// rewordedPrompts say the same in other words.
var rewordedPrompts = map[string]string{
	"en": "Use the contexts, and nothing else, to answer what is asked. State all facts, figures, conditions and exceptions that belong to " +
		"the answer; leave out what does not. Where the contexts do not say it, answer that the documents do not say. " +
		"Write in the language of the question.",
	"ja": "与えられたコンテキストの記載だけから、質問に答えてください。答えに必要な事実・数値・条件・例外は漏れなく書き、関係のないことは書かないでください。" +
		"コンテキストに記載がないときは、文書に記載がない旨を答えてください。質問の言語で書いてください。",
}

// ReferencePromptOf is the reference prompt of a swap.
func ReferencePromptOf(lang string, reworded bool) string {
	switch {
	case !reworded:
		return ReferencePrompt(lang)
	case lang == "ja":
		return rewordedPrompts["ja"]
	}
	return rewordedPrompts["en"]
}

// ReferencePrompt is the minimal grounded prompt that stands in for a good one, in "ja" or else English.
func ReferencePrompt(lang string) string {
	if lang == "ja" {
		return referencePrompts["ja"]
	}
	return referencePrompts["en"]
}

// DefaultReference is the generator that stands in for a good one where nobody names one: the offline provider's best for a system
// whose generator is offline, and none otherwise, since which of somebody's models is strong only they know.
func DefaultReference(c rag.Config) *rag.Model {
	best := rag.DefaultConfig().Generate.Model
	if c.IsOutside() || c.Generate.Provider != best.Provider {
		return nil
	}
	return &best
}
