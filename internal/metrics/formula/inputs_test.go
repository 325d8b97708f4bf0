package formula

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
