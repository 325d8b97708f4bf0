package app

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/outbound"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/mappings"
	"github.com/rag-workbench/workbench/internal/text"
	"github.com/rag-workbench/workbench/internal/text/yaml"
)

// mappingFile is an index that a team already has, as a file describes it.
type mappingFile struct {
	Index rag.IndexSource `yaml:"index"`
}

// ReadMapping reads the description of an index from a YAML file. It is checked when it is added.
func ReadMapping(path string) (rag.IndexSource, error) {
	raw, err := text.ReadFile(path, maxEndpointBytes)
	if err != nil {
		return rag.IndexSource{}, err
	}
	var f mappingFile
	if err := yaml.ReadStrict(raw, &f); err != nil {
		return rag.IndexSource{}, yaml.WrongIn(path, "index_yaml", err)
	}
	return f.Index, nil
}

// MappedCorpus is a corpus with an index that the team already has.
type MappedCorpus struct {
	Imported
	Index rag.IndexSource `json:"index"`
}

// mappingSeed chooses the rows that are looked at when an index is registered.
const mappingSeed = 24

// AddMapping registers an index that a team already has: as a corpus of this name with the documents of another one, or of a path. It
// reads every row, looks at a sample of them, and refuses a mapping that does not fit. Nothing is written to the index.
func AddMapping(ctx context.Context, w *Workbench, name, documents, dir string, s rag.IndexSource) (MappedCorpus, error) {
	var out MappedCorpus
	if err := experiments.ValidName("a corpus", name); err != nil {
		return out, err
	}
	s.Corpus, s.IndexMapping = name, s.Normalised()
	if err := s.Validate(); err != nil {
		return out, err
	}
	from, err := w.ResolveCorpus(ctx, documents, dir)
	if err != nil {
		return out, err
	}
	engine, err := w.Providers.openMapping(s)
	if err != nil {
		return out, err
	}
	facts, err := engine.Facts(ctx)
	if err != nil {
		return out, err
	}
	if err := sameDistance(s.IndexMapping, facts); err != nil {
		return out, err
	}
	rows, err := rag.ScanMapped(ctx, from, s.IndexMapping, engine)
	if err != nil {
		return out, err
	}
	s.Check = rows.Sample(from, s.IndexMapping, mappingSeed)
	if err := s.Check.Refusal(s.IndexMapping); err != nil {
		return out, err
	}
	s.Identity, s.Rows, s.Dimensions = rows.Identity, s.Check.Rows, facts.Dimensions
	ref, created, err := w.Store.PutCorpus(ctx, &rag.Corpus{Name: name, Documents: from.Documents}, w.Options.Now())
	if err != nil {
		return out, err
	}
	out = MappedCorpus{Imported: Imported{Ref: ref, Created: created, Items: len(from.Documents), Notes: NonNil[text.Said](nil)}, Index: s}
	return out, w.Store.PutIndex(ctx, s, w.Options.Now())
}

// DetachMapping forgets the index behind a corpus: its documents stay, and the workbench searches them itself from now on. What runs found
// stays as it is stored; while one that searches the index is not over, it is refused. Nothing is written to the index.
func DetachMapping(ctx context.Context, w *Workbench, corpus string) (rag.IndexSource, error) {
	s, found, err := w.Store.Index(ctx, corpus)
	if err != nil {
		return s, err
	}
	if !found {
		return s, problem.New(problem.NotFound, "index_none", "corpus %s has no index of a team", corpus).With("name", corpus).
			WithHint("`workbench corpus show NAME` says what a corpus is searched in")
	}
	for _, state := range []experiments.RunState{experiments.Queued, experiments.Running, experiments.Paused} {
		runs, err := w.Store.Runs(ctx, experiments.RunFilter{State: state})
		if err != nil {
			return s, err
		}
		for _, r := range runs {
			if r.Setup.Config.Index != nil && r.Setup.Corpus.Name == corpus {
				return s, problem.New(problem.Conflict, "index_in_use", "run %s is %s and searches index %s", r.ID, r.State, s.Table).
					With("run", r.ID).With("state", string(r.State)).With("name", s.Table).
					WithHint("let it end or cancel it, then detach the index: workbench runs cancel %s", r.ID)
			}
		}
	}
	return s, w.Store.DeleteIndex(ctx, corpus)
}

// sameDistance refuses a distance that is not the index's: scores would say something else than they seem to.
func sameDistance(m rag.IndexMapping, facts rag.MappedFacts) error {
	if facts.Distance == "" || facts.Distance == m.Distance {
		return nil
	}
	return problem.New(problem.Invalid, "index_field", "index.distance is %s; it must be %s, as the index has it", m.Distance,
		facts.Distance).With("field", "index.distance").With("value", m.Distance).With("want", facts.Distance).
		WithHint("`workbench corpus add --help` shows an example")
}

// openMapping is the reader of an index, of which there is one for each description. Its requests have time-outs and capped replies as
// all that leave the process.
func (p *Providers) openMapping(s rag.IndexSource) (rag.MappedIndex, error) {
	address, headers, err := s.Resolve(p.Getenv)
	if err != nil {
		return nil, err
	}
	key := fmt.Sprintf("%q %q %v %v", address, headers, s.Engine, s.Space) + fmt.Sprintf("%q %+v %s", s.Table, s.Fields, s.Distance)
	p.mu.Lock()
	defer p.mu.Unlock()
	if reader, ok := p.readers[key]; ok {
		return reader, nil
	}
	client, err := outbound.New(outbound.Options{MaxBody: maxMappedReply})
	if err != nil {
		return nil, err
	}
	reader, err := mappings.Open(s.IndexMapping, address, headers, client)
	if err == nil && p.readers == nil {
		p.readers = map[string]rag.MappedIndex{}
	}
	if err == nil {
		p.readers[key] = reader
	}
	return reader, err
}

// maxMappedReply bounds a page of rows.
const maxMappedReply = 64 << 20

// openMappings are the indexes that this process has read.
type openMappings struct {
	mu   sync.Mutex
	read map[string]readMapping // by corpus, its digest and the description of the index
}

type readMapping struct {
	engine rag.MappedIndex
	rows   *rag.MappedRows
}

// Mapped implements [rag.Mappings]. What a run was planned with must be how the index is described here still: a study from elsewhere
// cannot say where requests go.
func (p *Providers) Mapped(ctx context.Context, corpus *rag.Corpus, m rag.IndexMapping) (rag.MappedIndex, *rag.MappedRows, error) {
	source, found, err := p.Store.Index(ctx, corpus.Name)
	if err != nil {
		return nil, nil, err
	}
	if !found || !sameMapping(source.IndexMapping, m) {
		return nil, nil, problem.New(problem.Conflict, "index_unknown", "corpus %s has no index here that is read as this run reads it",
			corpus.Name).With("name", corpus.Name).
			WithHint("register it: workbench corpus add %s --index FILE --documents NAME", corpus.Name)
	}
	return p.rows(ctx, corpus, source, m.Identity)
}

// sameMapping compares what rows mean, not what was found in them.
func sameMapping(a, b rag.IndexMapping) bool {
	for _, m := range []*rag.IndexMapping{&a, &b} {
		m.Params, m.Version, m.Identity, m.Rows, m.Dimensions, m.Changed = nil, "", "", 0, 0, false
	}
	return fmt.Sprint(a) == fmt.Sprint(b)
}

// rows reads the index, unless what is at hand has the identity that is wanted. One that nobody names is read.
func (p *Providers) rows(ctx context.Context, corpus *rag.Corpus, s rag.IndexSource, want string) (rag.MappedIndex, *rag.MappedRows,
	error) {
	described := s
	described.Check, described.Identity, described.Rows = rag.MappingCheck{}, "", 0
	body, err := json.Marshal(described)
	if err != nil {
		return nil, nil, err
	}
	key := strings.Join([]string{corpus.Name, corpus.Digest, string(body)}, "\x00")
	p.mappings.mu.Lock()
	defer p.mappings.mu.Unlock()
	if known, ok := p.mappings.read[key]; ok && want != "" && known.rows.Identity == want {
		return known.engine, known.rows, nil
	}
	engine, err := p.openMapping(s)
	if err != nil {
		return nil, nil, err
	}
	rows, err := rag.ScanMapped(ctx, corpus, s.IndexMapping, engine)
	if err != nil {
		return nil, nil, err
	}
	p.mappings.read = map[string]readMapping{key: {engine, rows}} // places of one index at a time: they are large
	return engine, rows, nil
}

var _ rag.Mappings = (*Providers)(nil)

// Mapped implements [rag.Mappings] for a plan: reading an index costs nothing.
func (t *Tally) Mapped(ctx context.Context, corpus *rag.Corpus, m rag.IndexMapping) (rag.MappedIndex, *rag.MappedRows, error) {
	return t.workbench.Providers.Mapped(ctx, corpus, m)
}

// indexesOf are the indexes that the jobs of one plan search, by corpus, as they are now.
type indexesOf map[string]rag.IndexMapping

// mapped is the configuration as it searches the index behind a corpus, with what is in the index now; a corpus without one leaves it
// as it is.
func (w *Workbench) mapped(ctx context.Context, corpus *rag.Corpus, c rag.Config, known indexesOf) (rag.Config, error) {
	if m, ok := known[corpus.Name]; ok {
		return m.In(c)
	}
	source, found, err := w.Store.Index(ctx, corpus.Name)
	if err != nil {
		return c, err
	}
	if !found {
		if len(c.Retrieve.Params) > 0 {
			return c, problem.New(problem.Invalid, "config_field",
				"retrieve.params is given; it must be left out: corpus %s is searched by the "+
					"workbench itself", corpus.Name).With("field", "retrieve.params").With("value", "given").With("want", "left out")
		}
		return c, nil
	}
	m := source.IndexMapping
	if m.Identity = m.Given(); m.Identity == "" {
		_, rows, err := w.Providers.rows(ctx, corpus, source, "")
		if err != nil {
			return c, err
		}
		m.Identity, m.Rows, m.Changed = rows.Identity, rows.Len(), rows.Identity != source.Identity
	}
	known[corpus.Name] = m
	return m.In(c)
}

// checkMappedAxes refuses to vary what has no effect on an index that is cut and weighed already.
func (w *Workbench) checkMappedAxes(ctx context.Context, d experiments.Definition, all []experiments.Combination) error {
	seen := map[string]bool{}
	for _, c := range all {
		name := NameOnly(c.Corpus)
		if d.IsOutside() || seen[name] {
			continue
		}
		seen[name] = true
		source, found, err := w.Store.Index(ctx, name)
		if err != nil {
			return err
		}
		for _, axis := range d.Sweep {
			if found && (strings.HasPrefix(axis.Name, "chunk") || strings.HasPrefix(axis.Name, "retrieve.bm25")) {
				return problem.New(problem.Invalid, "index_axis",
					"sweep.%s is %v: corpus %s is index %s, which is cut and weighed already, so every "+
						"value would find the same", axis.Name, axis.Values, name, source.Table).
					With("field", "sweep."+axis.Name).With("name", name).With("table", source.Table).
					WithHint("leave the axis out, or sweep it over a corpus of the same documents that the workbench cuts itself")
			}
		}
	}
	return nil
}
