package validations

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/validation"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/stats"
)

// readMaterial reads a file, a folder, or a folder of such folders. What a file holds is told by its fields, not by its name.
func readMaterial(path string) (material, error) {
	m := material{source: filepath.Base(filepath.Clean(path))}
	info, err := os.Stat(path)
	if err != nil {
		return m, problem.New(problem.NotFound, "items_file", "cannot read %s", path).With("path", path).Because(err).
			WithHint("%s", itemsHint)
	}
	if !info.IsDir() {
		rows, err := rowsIn(path)
		if err == nil {
			err = m.take(rows, stem(path), filepath.Dir(path))
		}
		return m.orNothing(path, err)
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return m, problem.New(problem.Invalid, "items_file", "cannot read %s", path).With("path", path).Because(err)
	}
	for _, entry := range entries {
		name := filepath.Join(path, entry.Name())
		if entry.IsDir() || !strings.HasSuffix(name, ".jsonl") || slices.Contains(besides, entry.Name()) {
			continue
		}
		rows, err := rowsIn(name)
		if err != nil {
			return m, err
		}
		if err := m.take(rows, m.source, path); err != nil {
			return m, err
		}
	}
	if len(m.items)+len(m.sets) == 0 {
		for _, entry := range entries {
			if entry.IsDir() {
				if inner, err := readMaterial(filepath.Join(path, entry.Name())); err == nil {
					m.items, m.sets = append(m.items, inner.items...), append(m.sets, inner.sets...)
				}
			}
		}
	}
	return m.orNothing(path, nil)
}

// besides are files that only stand beside items.
var besides = []string{"corpus.jsonl", "contexts.jsonl", "tasks.jsonl", "recorded_run.jsonl", "corpus_outdated.jsonl"}

func stem(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}

func (m material) orNothing(path string, err error) (material, error) {
	if err == nil && len(m.items)+len(m.sets) == 0 {
		err = nothingToJudge(path)
	}
	return m, err
}

// take reads the rows of one file by the fields of the first.
func (m *material) take(rows []row, name, dir string) error {
	if len(rows) == 0 {
		return nil
	}
	set := validation.LabelledSet{Name: name}
	var err error
	switch first := rows[0]; {
	case first.has("premise", "hypothesis", "label"):
		set.Kind, set.Items = "entailment", each(rows, entailed)
	case first.has("right_answer", "hallucinated_answer"):
		set.Kind, set.Metric, set.Items = "answer_pairs", "trust", each(rows, hallucinated)
	case first.has("response_a", "response_b", "human"):
		set.Kind, set.Metric, set.Items = "preference", "correctness", each(rows, preferred)
	case first.has("task_id", "response", "human"):
		set.Kind, set.Metric = "ratings", "trust"
		set.Items, err = rated(rows, dir)
	case first.has("context", "response", "human"):
		set.Kind, set.Metric, set.Items = "attribution", "trust", each(rows, attributed)
	case first.has("question"):
		return m.takeItems(rows, dir)
	default:
		return nil
	}
	if len(set.Items) > 0 {
		m.sets = append(m.sets, set)
	}
	return err
}

// each reads rows and leaves out those that have no use; ids are made where there are none.
func each(rows []row, read func(row) (validation.Labelled, bool)) []validation.Labelled {
	var out []validation.Labelled
	seen := map[string]bool{}
	for i, r := range rows {
		item, ok := read(r)
		if !ok {
			continue
		}
		item.ID = r.text("item_id", "pair_id", "id")
		if item.ID == "" || seen[item.ID] {
			item.ID = fmt.Sprintf("row-%d", i+1)
		}
		seen[item.ID] = true
		for k := range item.Sides {
			item.Sides[k].QuestionID = item.ID
		}
		out = append(out, item)
	}
	return out
}

func side(lang, question, answer, reference string, contexts ...string) metrics.Sample {
	s := metrics.Sample{Question: question, Answer: answer, Reference: reference, Answerable: true, Lang: langOf(lang, question+answer)}
	for _, c := range contexts {
		s.Contexts = append(s.Contexts, rag.Hit{Text: c})
	}
	return s
}

func entailed(r row) (validation.Labelled, bool) {
	item := validation.Labelled{Premise: r.text("premise"), Hypothesis: r.text("hypothesis"), Verdict: r.text("label")}
	level, known := map[string]float64{"contradiction": 0, "neutral": 1, "entailment": 2}[item.Verdict]
	item.Label = level
	if level == 2 {
		item.Binary = 1
	}
	return item, known && item.Premise != "" && item.Hypothesis != ""
}

func hallucinated(r row) (validation.Labelled, bool) {
	question, right, wrong, context := r.text("question"), r.text("right_answer"), r.text("hallucinated_answer"),
		r.text("context", "knowledge")
	item := validation.Labelled{Label: 1, Binary: -1, Sides: []metrics.Sample{
		side(r.text("lang"), question, wrong, right, context), side(r.text("lang"), question, right, right, context),
	}}
	return item, right != "" && wrong != "" && context != ""
}

func attributed(r row) (validation.Labelled, bool) {
	var human struct{ Attribution string }
	_ = json.Unmarshal(r["human"], &human) // a row of another form is left out
	item := validation.Labelled{Sides: []metrics.Sample{side(r.text("lang"), r.text("message", "question"), r.text("response"), "",
		r.text("context"))}}
	switch human.Attribution {
	case "attributable":
		item.Label, item.Binary = 1, 1
	case "not_attributable":
	default:
		return item, false // generic replies state nothing
	}
	return item, r.text("response") != "" && r.text("context") != ""
}

func preferred(r row) (validation.Labelled, bool) {
	var a, b struct{ Text string }
	var human struct{ Correctness []float64 }
	ok := json.Unmarshal(r["response_a"], &a) == nil && json.Unmarshal(r["response_b"], &b) == nil &&
		json.Unmarshal(r["human"], &human) == nil &&
		len(human.Correctness) > 0
	if !ok {
		return validation.Labelled{}, false
	}
	question, reference := r.text("question"), r.text("reference")
	item := validation.Labelled{Label: stats.Mean(human.Correctness), Binary: -1, Sides: []metrics.Sample{
		side(r.text("lang"), question, a.Text, reference), side(r.text("lang"), question, b.Text, reference),
	}}
	switch {
	case item.Label > 0:
		item.Binary = 1
	case item.Label < 0:
		item.Binary = 0
	}
	return item, reference != "" && a.Text+b.Text != ""
}

// rated reads answers with people's ratings; their tasks and contexts stand in files beside them.
func rated(rows []row, dir string) ([]validation.Labelled, error) {
	tasks, texts := map[string]row{}, map[string]string{}
	list, err := rowsIn(filepath.Join(dir, "tasks.jsonl"))
	if err != nil {
		return nil, err
	}
	for _, t := range list {
		tasks[t.text("task_id")] = t
	}
	if list, err = rowsIn(filepath.Join(dir, "contexts.jsonl")); err != nil {
		return nil, err
	}
	for _, c := range list {
		texts[c.text("doc_id")] = c.text("text")
	}
	return each(rows, func(r row) (validation.Labelled, bool) {
		var human struct{ Faithfulness []float64 }
		task, known := tasks[r.text("task_id")]
		if json.Unmarshal(r["human"], &human) != nil || len(human.Faithfulness) == 0 || !known || r.text("response") == "" {
			return validation.Labelled{}, false
		}
		var ids []string
		_ = json.Unmarshal(task["context_ids"], &ids) // without contexts the answer rests on none
		sample := side(r.text("lang"), task.text("question"), r.text("response"), task.text("reference"))
		for _, id := range ids {
			if texts[id] != "" {
				sample.Contexts = append(sample.Contexts, rag.Hit{Text: texts[id]})
			}
		}
		item := validation.Labelled{Label: stats.Mean(human.Faithfulness), Sides: []metrics.Sample{sample}}
		if item.Label > 3 {
			item.Binary = 1
		}
		return item, true
	}), nil
}

// takeItems reads items in the layout of WikiEval, its original field names and ours.
func (m *material) takeItems(rows []row, dir string) error {
	texts := map[string]string{}
	corpus, err := rowsIn(filepath.Join(dir, "corpus.jsonl"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, d := range corpus {
		texts[d.text("doc_id", "id")] = d.text("text")
	}
	for i, r := range rows {
		item := validation.JudgeItem{
			ID: r.text("question_id", "item_id", "id"), Question: r.text("question"),
			Answer: r.text("answer", "grounded_answer", "answer_grounded", "reference"),
			Ideal:  r.text("context_v1", "context_ideal", "context"), Redundant: r.text("context_v2", "context_redundant"),
			Ungrounded: r.text("ungrounded_answer", "answer_ungrounded"), Poor: r.text("poor_answer", "answer_poor"),
		}
		if item.ID == "" {
			item.ID = fmt.Sprintf("row-%d", i+1)
		}
		if item.Ideal == "" {
			item.Ideal = evidenceText(r, texts)
		}
		item.Lang = langOf(r.text("lang"), item.Question+item.Answer)
		if item.Question != "" && item.Answer != "" && item.Ideal != "" && r.boolean("answerable", true) {
			m.items = append(m.items, item)
		}
	}
	return nil
}

// evidenceText is the documents that hold an item's evidence, or the evidence itself where they are not here.
func evidenceText(r row, texts map[string]string) string {
	var evidence []struct {
		DocID string `json:"doc_id"`
		Text  string `json:"text"`
	}
	_ = json.Unmarshal(r["evidence"], &evidence) // an item without evidence has no ideal context
	var out []string
	for _, e := range evidence {
		whole := texts[e.DocID]
		if whole == "" {
			whole = e.Text
		}
		if whole != "" {
			out = with(out, whole)
		}
	}
	return strings.Join(out, "\n\n")
}
