package foreign

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/experiments/intake"
)

// deepeval reads a test run that DeepEval saves (DEEPEVAL_RESULTS_FOLDER), an EvaluationResult or its list of test results as JSON, and
// a dataset of goldens that were answered, which has no scores.
func (r *foreignReader) deepeval() error {
	if err := r.noMapping(); err != nil {
		return err
	}
	switch {
	case r.ext == ".csv":
		if err := r.csvRows(); err != nil {
			return err
		}
	case r.object != nil:
		if n := len(listOf(firstOf(r.object, "conversationalTestCases"))); n > 0 {
			r.out.Notes = append(r.out.Notes, intake.Plural(n, "conversation")+" left out: only single questions are read")
		}
		if err := r.rowsWithin("the list of test cases", firstOf(r.object, "testCases", "test_results", "testResults")); err != nil {
			return err
		}
	}
	joined, scores := 0, r.deepevalColumns()
	for i, row := range r.rows {
		if row["conversational"] == true {
			r.out.Notes = append(r.out.Notes, "a conversation left out: only single questions are read")
			continue
		}
		item := ForeignItem{Row: r.numbers[i]}
		item.Question = r.words(&item, "input", row["input"])
		item.Reference = r.words(&item, "expected_output", firstOf(row, "expected_output", "expectedOutput"))
		if answer := firstOf(row, "actual_output", "actualOutput"); answer != nil {
			item.Answer = new(r.words(&item, "actual_output", answer))
		}
		contexts := firstOf(row, "retrieval_context", "retrievalContext")
		if s, ok := contexts.(string); ok && s != "" && !strings.HasPrefix(s, "[") { // tables of goldens join them
			joined++
			list := []any{}
			for part := range strings.SplitSeq(s, "|") {
				list = append(list, part)
			}
			contexts = list
		}
		r.contextsOf(&item, "retrieval_context", contexts)
		r.deepevalScores(&item, row)
		for _, name := range scores {
			r.score(&item, strings.TrimSpace(strings.TrimSuffix(name, "(score)")), row[name], "", "")
		}
		r.add(item)
	}
	if joined > 0 {
		r.out.Notes = append(r.out.Notes, fmt.Sprintf("contexts are cut at | in %s, as DeepEval joins them in tables", intake.Plural(joined, "row")))
	}
	return nil
}

// deepevalFields are the columns of its tables that hold no scores.
var deepevalFields = []string{"name", "input", "actual_output", "expected_output", "context", "retrieval_context", "success", "passed",
	"completion_time", "token_cost", "threshold", "evaluation_cost", "order"}

// deepevalColumns are the columns of a table that hold scores, which people write beside the test cases.
func (r *foreignReader) deepevalColumns() (scores []string) {
	if r.ext != ".csv" {
		return nil
	}
	for _, name := range r.columns() {
		if !slices.Contains(deepevalFields, intake.ColumnKey(name)) && r.isForeignMetric(name) {
			scores = append(scores, name)
		}
	}
	return scores
}

// deepevalScores reads the metrics of a test case. A metric that failed has an error and no score.
func (r *foreignReader) deepevalScores(item *ForeignItem, row map[string]any) {
	seen := map[string]bool{}
	for i, one := range listOf(firstOf(row, "metrics_data", "metricsData")) {
		m := objectOf(one)
		name := r.words(item, "metrics_data", m["name"])
		switch {
		case name == "":
			r.fault(item, "metrics_data", "metric %d has no name", i+1)
			continue
		case seen[name]:
			r.fault(item, name, "the metric stands twice; give one of them another name")
			continue
		}
		seen[name] = true
		reason, _ := m["reason"].(string)
		failed, _ := m["error"].(string)
		if m["skipped"] == true {
			continue // it was not measured
		}
		r.score(item, name, m["score"], reason, failed)
		score, scored := cellScore(m["score"])
		threshold, bound := cellScore(m["threshold"])
		if success, said := m["success"].(bool); said && failed == "" && scored == scoreThere && bound == scoreThere {
			r.metric(name).passed(score, threshold, success) // Hallucination, Bias and Toxicity turned round with version 4
		}
	}
}
