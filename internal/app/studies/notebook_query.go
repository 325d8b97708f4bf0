package studies

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/app/analyses"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/notebooks/document"
	"github.com/rag-workbench/workbench/internal/rag"
)

// tableRows collects the rows of the tables that a query reads.
type tableRows struct {
	wanted map[string]bool
	out    map[string][][]any
	titles map[string]string // of documents
}

func (t *tableRows) add(table string, row ...any) {
	if t.wanted[table] {
		t.out[table] = append(t.out[table], row)
	}
}

// Tables implements [notebooks.Engine]. Rows stand in the order of the runs, of their questions and of the suite.
func (n *NotebookEngine) Tables(ctx context.Context, wanted map[string]bool, runs []notebooks.QueryRun,
	datasets []document.Source) (map[string][][]any, error) {
	t := &tableRows{wanted: wanted, out: map[string][][]any{}}
	for _, m := range metrics.Catalogue() {
		t.add("metrics", m.ID, m.TitleEN, m.TitleJA, m.Min, m.Max, !m.LowerIsBetter, unitOf(m))
	}
	if wanted["questions"] {
		had := map[string]bool{}
		for _, s := range datasets {
			d, err := n.W.Store.Dataset(ctx, s.Ref)
			if err != nil {
				return nil, err
			}
			asked := map[string]bool{}
			for _, q := range (app.Select{Limit: s.Limit, Filter: s.Filter}).From(d.Questions) {
				asked[q.ID] = !had[s.Ref+"/"+q.ID]
				had[s.Ref+"/"+q.ID] = true
			}
			t.questions(d, asked)
		}
	}
	runs, err := n.wholeSweeps(ctx, runs)
	if err != nil {
		return nil, err
	}
	if err := n.askedBy(ctx, t, runs, datasets); err != nil {
		return nil, err
	}
	seen := map[string]bool{}
	for _, q := range runs {
		if seen[q.ID] || !t.any("runs", "settings", "answers", "contexts", "scores", "calls", "results", "reviews", "notes") {
			continue
		}
		seen[q.ID] = true
		if err := n.runRows(ctx, t, q); err != nil {
			return nil, err
		}
	}
	return t.out, nil
}

// wholeSweeps puts the finished runs of a sweep into the place of a sweep that is named by its id.
func (n *NotebookEngine) wholeSweeps(ctx context.Context, runs []notebooks.QueryRun) ([]notebooks.QueryRun, error) {
	var out []notebooks.QueryRun
	for _, q := range runs {
		if q.Cell != "" {
			out = append(out, q)
			continue
		}
		run, err := n.W.FindRun(ctx, q.ID)
		if err != nil {
			return nil, err
		}
		if run.Kind != experiments.KindSweep {
			out = append(out, notebooks.QueryRun{ID: run.ID, Config: q.Config})
			continue
		}
		parts, err := n.W.SweepRuns(ctx, run.ID)
		if err != nil {
			return nil, err
		}
		for _, r := range parts {
			if r.State == experiments.Finished {
				out = append(out, notebooks.QueryRun{ID: r.ID})
			}
		}
	}
	return out, nil
}

// askedBy are the questions of runs that are named by their ids: no cell of the notebook has their dataset.
func (n *NotebookEngine) askedBy(ctx context.Context, t *tableRows, runs []notebooks.QueryRun, datasets []document.Source) error {
	if !t.wanted["questions"] {
		return nil
	}
	asked := map[string]map[string]bool{} // by dataset and question
	for _, q := range runs {
		if q.Cell != "" {
			continue
		}
		run, err := n.W.FindRun(ctx, q.ID)
		if err != nil {
			return err
		}
		ref := run.Setup.Dataset.String()
		if slices.ContainsFunc(datasets, func(s document.Source) bool { return s.Ref == ref }) {
			continue
		}
		d, err := n.W.Store.Dataset(ctx, ref)
		if err != nil {
			return err
		}
		if asked[ref] == nil {
			asked[ref] = map[string]bool{}
		}
		fresh := map[string]bool{}
		for _, question := range d.Questions {
			if len(run.Setup.Questions) == 0 || slices.Contains(run.Setup.Questions, question.ID) {
				fresh[question.ID] = !asked[ref][question.ID]
				asked[ref][question.ID] = true
			}
		}
		t.questions(d, fresh)
	}
	return nil
}

// any reports whether one of some tables is wanted.
func (t *tableRows) any(names ...string) bool {
	return slices.ContainsFunc(names, func(name string) bool { return t.wanted[name] })
}

// Stamp implements [notebooks.Engine].
func (n *NotebookEngine) Stamp(ctx context.Context, runs []notebooks.QueryRun) (string, error) {
	runs, err := n.wholeSweeps(ctx, runs)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	for _, q := range runs {
		run, err := n.W.FindRun(ctx, q.ID)
		if err != nil {
			return "", err
		}
		votes, err := n.votes(ctx, run)
		if err != nil {
			return "", err
		}
		body, err := json.Marshal([]any{q, run, votes, n.W.Options.DataDir, n.W.Options.DatabaseURL})
		if err != nil {
			return "", err
		}
		h.Write(body)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// Themes implements [notebooks.Engine].
func (n *NotebookEngine) Themes(ctx context.Context, runs []notebooks.QueryRun, datasets []document.Source) (
	map[string]document.Words, error) {
	names := map[string]bool{}
	for _, s := range datasets {
		names[app.NameOnly(s.Ref)] = true
	}
	for _, q := range runs {
		run, err := n.W.FindRun(ctx, q.ID)
		if err != nil {
			return nil, err
		}
		names[run.Setup.Dataset.Name] = true
	}
	out := map[string]document.Words{}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		known, err := analyses.Taxonomies(ctx, n.W, name)
		if err != nil {
			return nil, err
		}
		for _, t := range known {
			if t.ID != experiments.ThemeTaxonomy {
				continue
			}
			for _, l := range t.Labels {
				out[l.ID] = document.Words{EN: l.EN, JA: l.JA}
			}
		}
	}
	return out, nil
}

// unitOf is what the values of a metric count.
func unitOf(m metrics.Spec) string {
	switch {
	case m.ID == "latency":
		return "s"
	case m.ID == "tokens" || m.ID == "cost":
		return m.ID
	case m.Max == 1:
		return "share"
	}
	return "points"
}

// questions are those of a dataset that are asked, each with its place in the whole.
func (t *tableRows) questions(d *experiments.Dataset, asked map[string]bool) {
	for i, q := range d.Questions {
		if !asked[q.ID] {
			continue
		}
		theme, kind := "", ""
		for _, tag := range q.Tags {
			if name, ok := strings.CutPrefix(tag, "theme:"); ok && theme == "" {
				theme = name
			}
			if name, ok := strings.CutPrefix(tag, "type:"); ok && kind == "" {
				kind = name
			}
		}
		tags, err := json.Marshal(append([]string{}, q.Tags...))
		if err != nil {
			tags = []byte("[]") // texts are always JSON
		}
		t.add("questions", d.Name, q.ID, i+1, q.Text, q.Reference, orNil(theme), orNil(kind), string(tags), q.Critical)
	}
}

func orNil(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func (n *NotebookEngine) runRows(ctx context.Context, t *tableRows, q notebooks.QueryRun) error {
	run, err := n.W.FindRun(ctx, q.ID)
	if err != nil {
		return err
	}
	if err := n.run(ctx, t, run, q); err != nil {
		return err
	}
	if t.any("answers", "contexts", "scores", "results") {
		if err := n.results(ctx, t, run); err != nil {
			return err
		}
	}
	if t.wanted["calls"] {
		calls, err := n.W.Store.Calls(ctx, run.ID)
		if err != nil {
			return err
		}
		for _, c := range calls {
			var ms any
			if c.DoneAt != nil {
				ms = c.DoneAt.Sub(c.SentAt).Milliseconds()
			}
			t.add("calls", run.ID, c.QuestionID, c.Stage, c.Purpose, c.Provider, c.Model, c.CachedTokens, c.PromptTokens,
				c.CompletionTokens, c.CostMicros, ms)
		}
	}
	return n.said(ctx, t, run.ID)
}

// results are the rows of what a run answered and how it was scored. The texts of contexts are those of the corpus: they are looked up
// only where contexts are wanted.
func (n *NotebookEngine) results(ctx context.Context, t *tableRows, run experiments.Run) error {
	var e experiments.Evaluation
	var err error
	if t.wanted["contexts"] {
		if e, err = n.W.Evaluation(ctx, run.ID); err == nil {
			t.titles, err = n.titles(ctx, run.Setup.Corpus)
		}
	} else {
		e.Results, err = experiments.PooledResults(ctx, n.W.Store, run.ID)
	}
	if err != nil {
		return err
	}
	evidence := map[string][]experiments.Evidence{}
	for _, q := range e.Questions {
		evidence[q.ID] = q.Evidence
	}
	for _, r := range e.Results {
		t.result(run.ID, r, evidence[r.QuestionID])
	}
	if !t.wanted["results"] {
		return nil
	}
	standing, votes := experiments.Standing(e.Results)
	for _, r := range standing {
		t.mean(run, r, votes[r.QuestionID])
	}
	return nil
}

// titles are those of the documents of a corpus; none where there is no corpus.
func (n *NotebookEngine) titles(ctx context.Context, corpus experiments.Ref) (map[string]string, error) {
	out := map[string]string{}
	if corpus.Name == "" {
		return out, nil
	}
	c, err := n.W.Store.Corpus(ctx, corpus.String())
	if err != nil {
		return out, err
	}
	for _, d := range c.Documents {
		out[d.ID] = d.Title
	}
	return out, nil
}

// said are the rows of what people said about a run. Who said it stays on the machine: over HTTP it is left out.
func (n *NotebookEngine) said(ctx context.Context, t *tableRows, run string) error {
	if t.wanted["reviews"] {
		reviews, err := n.W.Whole.Reviews(ctx, run)
		if err != nil {
			return err
		}
		for _, r := range reviews {
			by := r.Reviewer
			if n.Sent {
				by = ""
			}
			t.add("reviews", r.QuestionID, run, orNil(by), orNil(string(r.Verdict)), orNone(r.Correctness), orNone(r.Trust), orNil(r.Cause),
				orNil(r.Comment), r.At.UTC().Format(time.RFC3339))
		}
	}
	if t.wanted["notes"] {
		notes, err := n.W.Whole.Notes(ctx, []string{run})
		if err != nil {
			return err
		}
		if notes[run].Note != "" {
			t.add("notes", run, nil, notes[run].Note)
		}
		for _, tag := range notes[run].Tags {
			t.add("notes", run, tag, nil)
		}
	}
	return nil
}

func orNone(x *int) any {
	if x == nil {
		return nil
	}
	return *x
}

// run is the row of the table runs, with the settings of the run.
func (n *NotebookEngine) run(ctx context.Context, t *tableRows, run experiments.Run, q notebooks.QueryRun) error {
	c := run.Setup.Config
	votes, err := n.votes(ctx, run)
	if err != nil {
		return err
	}
	finished := 1
	for _, v := range votes {
		if v.State == experiments.Finished {
			finished++
		}
	}
	spent, err := n.W.Store.Spent(ctx, run.ID)
	if err != nil {
		return err
	}
	questions := 0
	if run.Totals != nil {
		questions = run.Totals.Questions
	}
	config := q.Config
	if config == "" {
		config = cellRun(run, "").Label
	}
	t.add("runs", run.ID, orNil(q.Cell), config, run.Setup.Dataset.Name, string(run.State), finished, questions, spent.Calls,
		spent.ConfirmedMicros+spent.PossibleMicros, n.W.Config.Currency, run.CreatedAt.UTC().Format(time.RFC3339), c.Chunk.By,
		c.Chunk.Size, c.Chunk.Overlap, c.Embedding.Name, c.Retrieve.Mode, c.Retrieve.K, c.Rerank.Mode, c.Generate.Name,
		shortHash(c.Generate.Prompt), c.Generate.Temperature)
	if !t.wanted["settings"] {
		return nil
	}
	body, err := json.Marshal(c)
	var fields map[string]any
	if err == nil {
		err = json.Unmarshal(body, &fields)
	}
	t.settings(run.ID, "", fields)
	return err
}

// settings are the leaves of a configuration, by their dotted names.
func (t *tableRows) settings(run, under string, fields map[string]any) {
	names := make([]string, 0, len(fields))
	for name := range fields {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		switch v := fields[name].(type) {
		case map[string]any:
			t.settings(run, under+name+".", v)
		case float64:
			t.add("settings", run, under+name, nil, v)
		case string:
			t.add("settings", run, under+name, v, nil)
		default:
			body, err := json.Marshal(v)
			if err == nil {
				t.add("settings", run, under+name, string(body), nil)
			}
		}
	}
}

func (t *tableRows) result(run string, r experiments.Result, evidence []experiments.Evidence) {
	for _, s := range r.Scores {
		var value any
		if s.State == metrics.Scored {
			value = s.Value
		}
		t.add("scores", run, r.QuestionID, r.Replicate, s.Metric, value, string(s.State), orNil(s.Reason), s.Version)
	}
	switch {
	case r.Answer != nil:
		t.add("answers", run, r.QuestionID, r.Replicate, "answered", r.Answer.Text, nil, r.LatencyMS)
		for i, h := range r.Answer.Hits {
			t.add("contexts", run, r.QuestionID, r.Replicate, i+1, h.DocID, orNil(t.titles[h.DocID]), h.Start, h.End, h.Score,
				relevant(h.Span, evidence), h.Text)
		}
	case r.Failure != nil:
		t.add("answers", run, r.QuestionID, r.Replicate, "failed", nil, r.Failure.Cause+": "+r.Failure.Message, r.LatencyMS)
	}
}

// relevant reports whether a place holds some of the evidence; nil where either is not known.
func relevant(s rag.Span, evidence []experiments.Evidence) any {
	known := false
	for _, e := range evidence {
		known = known || e.Placed()
		if e.Overlap(s) > 0 {
			return true
		}
	}
	if !known || !s.Placed() {
		return nil
	}
	return false
}

// mean is the row of one question: the mean over its votes of each metric that was scored.
func (t *tableRows) mean(run experiments.Run, standing experiments.Result, votes int) {
	row := []any{run.ID, standing.QuestionID, votes, standing.Low(run.Setup.LowRule())}
	for _, m := range metrics.Catalogue() {
		if v, ok := standing.Value(m.ID); ok {
			row = append(row, v)
		} else {
			row = append(row, nil)
		}
	}
	t.add("results", row...)
}
