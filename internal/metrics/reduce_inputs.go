package metrics

import (
	"slices"
	"strings"
)

// reduceInput is what a row holds for a metric before any judge is asked.
type reduceInput struct {
	Question  string
	Answer    string
	Reference string
	Contexts  []string
}

// inputNeed is what a metric cannot be computed without.
type inputNeed struct {
	all         string // in every profile: letters q question, a answer, r reference, c contexts
	collections string // what the collections of Ragas fail without, where the legacy metrics ask their judge all the same
	zeroNoCtx   bool   // fixed: no contexts is 0, not "not applicable"
}

// inputNeeds: a metric that is not listed looks at its inputs itself.
var inputNeeds = map[string]inputNeed{
	"faithfulness":             {collections: "qac"},
	"answer_relevancy":         {collections: "qa"},
	"context_precision":        {collections: "qrc", zeroNoCtx: true},
	"context_utilization":      {collections: "qac", zeroNoCtx: true},
	"context_recall":           {collections: "qrc", zeroNoCtx: true},
	"noise_sensitivity":        {all: "qarc", collections: "qarc"},
	"factual_correctness":      {collections: "ar"},
	"nv_accuracy":              {collections: "qar"},
	"nv_context_relevance":     {collections: "qc"},
	"nv_response_groundedness": {collections: "ac"},
}

// inputWants is what each metric reads, for the fixed profile: without it the metric is not applicable.
var inputWants = map[string]string{
	"faithfulness": "ac", "answer_relevancy": "qa", "context_precision": "rc", "context_utilization": "ac", "context_recall": "rc",
	"context_entity_recall": "rc", "noise_sensitivity": "arc", "factual_correctness": "ar", "answer_correctness": "ar",
	"semantic_similarity": "ar", "nv_accuracy": "qar", "nv_context_relevance": "qc", "nv_response_groundedness": "ac",
}

var inputCodes = map[rune]string{'q': "no_question", 'a': "no_answer", 'r': "no_reference", 'c': "no_contexts"}

// reduceInputs decides a metric that needs no judge because something is missing: fixed makes it not applicable (no contexts:
// a ranking or recall of 0), Ragas raises. The two context metrics of NVIDIA also have values of their own for blank and for
// contained texts. ok is false when a judge is to be asked.
func reduceInputs(p Profile, metric string, in reduceInput) (r Reduction, ok bool) {
	if p == ProfileFixed {
		return fixedInputs(metric, in)
	}
	need := inputNeeds[metric].all
	if p == ProfileCollections {
		need = inputNeeds[metric].collections
	}
	if code := in.lacks(need, func(s string) bool { return s == "" }); code != "" {
		return reducedFailed(code), true
	}
	switch {
	case p == ProfileLegacy && (metric == "context_precision" || metric == "context_utilization") && len(in.Contexts) == 0:
		return reducedTo(0), true
	case metric == "nv_context_relevance":
		return relevanceWithoutJudge(in)
	case metric == "nv_response_groundedness":
		return groundednessWithoutJudge(p, in)
	}
	return Reduction{}, false
}

func fixedInputs(metric string, in reduceInput) (Reduction, bool) {
	code := in.lacks(inputWants[metric], noText)
	switch {
	case code == "no_contexts" && inputNeeds[metric].zeroNoCtx:
		return reducedTo(0), true
	case code != "":
		return reducedNA(code), true
	case metric == "nv_context_relevance":
		return relevanceWithoutJudge(in)
	}
	return Reduction{}, false
}

// lacks returns the code of the first of these inputs that is missing, "" when none is. A list of contexts that are all
// blank is missing where blank texts are.
func (in reduceInput) lacks(letters string, missing func(string) bool) string {
	for _, letter := range letters {
		gone := false
		switch letter {
		case 'q':
			gone = missing(in.Question)
		case 'a':
			gone = missing(in.Answer)
		case 'r':
			gone = missing(in.Reference)
		case 'c':
			gone = len(in.Contexts) == 0 || missing(" ") && !slices.ContainsFunc(in.Contexts, func(c string) bool { return !missing(c) })
		}
		if gone {
			return inputCodes[letter]
		}
	}
	return ""
}

// relevanceWithoutJudge: blank texts, and contexts that only repeat the question, are irrelevant.
func relevanceWithoutJudge(in reduceInput) (Reduction, bool) {
	joined := strings.TrimSpace(strings.Join(in.Contexts, "\n"))
	question := strings.TrimSpace(in.Question)
	if question == "" || strings.Contains(question, joined) { // holds the blank and the equal
		return reducedTo(0), true
	}
	return Reduction{}, false
}

// groundednessWithoutJudge: blank texts are not grounded; the legacy metric takes a copy out of the contexts as grounded.
func groundednessWithoutJudge(p Profile, in reduceInput) (Reduction, bool) {
	joined := strings.TrimSpace(strings.Join(in.Contexts, "\n"))
	answer := strings.TrimSpace(in.Answer)
	switch {
	case answer == "" || joined == "":
		return reducedTo(0), true
	case p == ProfileLegacy && strings.Contains(joined, answer):
		return reducedTo(1), true
	}
	return Reduction{}, false
}
