package rag

import (
	"context"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag/remote"
	"github.com/rag-workbench/workbench/internal/rag/search"
	"github.com/rag-workbench/workbench/internal/text"
)

// IndexMapping says how the rows of an index that a team already has become hits. It is frozen into the configuration of a run; where
// the index is reached stays with the installation, see [IndexSource].
type IndexMapping struct {
	Engine string       `json:"engine" yaml:"engine"`                     // one of [MappedEngines]
	Table  string       `json:"table" yaml:"table"`                       // collection, class, index or table
	Space  string       `json:"space,omitempty" yaml:"space"`             // Chroma: tenant/database; Weaviate: tenant
	Fields MappedFields `json:"fields" yaml:"fields"`                     //
	Offset string       `json:"offsets" yaml:"offsets"`                   // fields | locate | none
	Unit   string       `json:"offset_unit,omitempty" yaml:"offset_unit"` // of fields: codepoint (default) | utf16 | byte

	Distance string         `json:"distance,omitempty" yaml:"distance"` // cosine (default) | dot | l2
	Params   map[string]any `json:"params,omitempty" yaml:"params"`     // of the search; retrieve.params goes before them
	// what the team calls the contents; where it is given, rows are not compared to tell whether they changed
	Version string `json:"version,omitempty" yaml:"version"`

	Identity   string `json:"identity,omitempty" yaml:"-"`   // of the contents when the run was planned
	Rows       int    `json:"rows,omitempty" yaml:"-"`       // then
	Dimensions int    `json:"dimensions,omitempty" yaml:"-"` // of its vectors; 0 where the engine does not say
	Changed    bool   `json:"changed,omitempty" yaml:"-"`    // the contents are not those that were registered; no part of a key
}

// MappedFields name the fields of a row. Chroma's own document is the text where no field is named.
type MappedFields struct {
	ID     string `json:"id,omitempty" yaml:"id"` // of pgvector: the primary key
	Text   string `json:"text,omitempty" yaml:"text"`
	DocID  string `json:"doc_id,omitempty" yaml:"doc_id"` // of the corpus document that the row was cut from
	Start  string `json:"start,omitempty" yaml:"start"`
	End    string `json:"end,omitempty" yaml:"end"`
	Vector string `json:"vector,omitempty" yaml:"vector"`
	Title  string `json:"title,omitempty" yaml:"title"`
}

// Read lists the fields that are read of every row, each once.
func (f MappedFields) Read() []string {
	list := []string{f.Text, f.DocID, f.Start, f.End, f.Title}
	list = slices.DeleteFunc(list, func(s string) bool { return s == "" })
	slices.Sort(list)
	return slices.Compact(list)
}

// IndexSource is a mapping as a corpus has it here: with where the index is reached, and what was found when it was registered.
type IndexSource struct {
	Corpus       string `json:"corpus"`
	IndexMapping `yaml:",inline"`
	Connection   string            `json:"connection" yaml:"connection"` // an address, or ${NAME} of a variable that holds one
	Headers      map[string]string `json:"headers,omitempty" yaml:"headers"`
	Check        MappingCheck      `json:"check" yaml:"-"`
}

// MappingCheck is what a sample of rows showed.
type MappingCheck struct {
	Rows   int     `json:"rows"`   // of the index
	Sample int     `json:"sample"` // rows that were looked at
	Found  int     `json:"found"`  // of them, those whose text stands in the corpus where the mapping says
	Share  float64 `json:"share"`  // Found of Sample, 0–1
}

// Words of a mapping.
const (
	OffsetsFields = "fields"
	OffsetsLocate = "locate"
	OffsetsNone   = "none"
	UnitUTF16     = "utf16"
	UnitByte      = "byte"

	DistanceCosine = "cosine"
	DistanceDot    = "dot"
	DistanceL2     = "l2"
)

// MappedRow is a row of an existing index. Start and End are in the mapping's unit, -1 where the row has none.
type MappedRow struct {
	ID, DocID, Text, Title string
	Start, End             int
	Score                  float64 // of a search: higher is better
}

// MappedFacts is what an engine says of an index.
type MappedFacts struct {
	Server     string // its version; "" where it does not say
	Rows       int
	Dimensions int    // of vectors; 0 where it does not say
	Distance   string // of [IndexMapping]; "" where it does not say
}

// MappedIndex reads an index that a team already has. It never writes. Errors are Problems that name the index.
type MappedIndex interface {
	Facts(ctx context.Context) (MappedFacts, error)
	// Scan shows every row once, in any order.
	Scan(ctx context.Context, visit func(MappedRow) error) error
	// Nearest returns the n rows that are nearest to a vector, best first.
	Nearest(ctx context.Context, vector []float32, n int, params map[string]any) ([]MappedRow, error)
	// Words returns the n best rows by the engine's own BM25, best first.
	Words(ctx context.Context, query string, n int, params map[string]any) ([]MappedRow, error)
}

// Mappings gives access to indexes that teams already have. A [Providers] that serves configurations with an Index implements it too.
type Mappings interface {
	// Mapped returns the index behind a corpus, and its rows; scanned anew where want is not the identity of those at hand.
	Mapped(ctx context.Context, corpus *Corpus, m IndexMapping) (MappedIndex, *MappedRows, error)
}

// mappedEngine is what an engine can do.
type mappedEngine struct {
	words  bool
	params map[string]param
}

// param is a search parameter: what its values must be, and whether one is.
type param struct {
	want string
	fits func(v any) bool
}

func wholeNumber(from, to int) param {
	return param{fmt.Sprintf("a number from %d to %d", from, to), func(v any) bool {
		n, err := strconv.ParseFloat(fmt.Sprint(v), 64)
		return err == nil && n == float64(int(n)) && int(n) >= from && int(n) <= to
	}}
}

var yesOrNo = param{"true or false", func(v any) bool { _, ok := v.(bool); return ok }}

var mappedEngines = map[string]mappedEngine{
	"chroma":        {},
	"weaviate":      {words: true},
	"qdrant":        {params: map[string]param{"hnsw_ef": wholeNumber(1, 100_000), "exact": yesOrNo, "indexed_only": yesOrNo}},
	"opensearch":    {words: true, params: map[string]param{"ef_search": wholeNumber(1, 10_000)}},
	"elasticsearch": {words: true, params: map[string]param{"num_candidates": wholeNumber(1, 10_000)}},
	"pgvector":      {params: map[string]param{"ef_search": wholeNumber(1, 1000), "probes": wholeNumber(1, 32_768), "exact": yesOrNo}},
}

// MappedEngines lists the engines whose indexes can be read, by name.
func MappedEngines() []string { return slices.Sorted(maps.Keys(mappedEngines)) }

// Searches reports whether the engine ranks by words too.
func (m IndexMapping) Searches() bool { return mappedEngines[m.Engine].words }

// NeedsText reports whether the text of rows has to be named.
// Thorough are the search parameters with which the engine misses least: exact search where it has one, else as many candidates as are
// sensible to compare. Nothing where it takes none with a search.
func (m IndexMapping) Thorough() map[string]any {
	switch known := mappedEngines[m.Engine].params; {
	case known["exact"].fits != nil:
		return map[string]any{"exact": true}
	case known["ef_search"].fits != nil:
		return map[string]any{"ef_search": float64(manyCandidates)}
	case known["num_candidates"].fits != nil:
		return map[string]any{"num_candidates": float64(manyCandidates)}
	}
	return nil
}

// manyCandidates is how many candidates a thorough search compares. Every engine takes it.
const manyCandidates = 1000

func (m IndexMapping) needsText() bool { return m.Engine != "chroma" }

func (m IndexMapping) checks() []check {
	engines := MappedEngines()
	return []check{
		{slices.Contains(engines, m.Engine), "engine", m.Engine, "one of " + strings.Join(engines, ", ")},
		{m.Table != "" && len(m.Table) <= 200 && mappedName.MatchString(m.Table), "table", m.Table,
			"the name of a collection, class, index or table: letters, digits and . _ - : @"},
		{m.Space == "" || mappedSpace.MatchString(m.Space), "space", m.Space, "tenant/database of Chroma, or a tenant of Weaviate"},
		{m.Fields.Text != "" || !m.needsText(), "fields.text", "missing", "the field that holds a row's text"},
		{m.Fields.DocID != "" || m.Offset == OffsetsLocate, "fields.doc_id", "missing",
			"the field that holds the id of a row's document; only offsets: locate does without"},
		{oneOf(m.Offset, OffsetsFields, OffsetsLocate, OffsetsNone), "offsets", m.Offset, "fields, locate or none"},
		{m.Offset != OffsetsFields || m.Fields.Start != "" && m.Fields.End != "", "fields.start", m.Fields.Start,
			"given with fields.end where offsets is fields"},
		{oneOf(m.Unit, "", "codepoint", UnitUTF16, UnitByte), "offset_unit", m.Unit, "codepoint, utf16 or byte"},
		{oneOf(m.Distance, DistanceCosine, DistanceDot, DistanceL2), "distance", m.Distance, "cosine, dot or l2"},
		{m.Engine != "pgvector" || m.Fields.Vector != "" && m.Fields.ID != "", "fields.vector", m.Fields.Vector,
			"given with fields.id where the engine is pgvector"},
		{m.Engine != "opensearch" && m.Engine != "elasticsearch" || m.Fields.Vector != "", "fields.vector", m.Fields.Vector,
			"the field that holds a row's vector"},
	}
}

var (
	mappedName  = text.Lazy(`^[\p{L}\p{N}_][\p{L}\p{N}._:@-]*$`)
	mappedSpace = text.Lazy(`^[\p{L}\p{N}._-]+(/[\p{L}\p{N}._-]+)?$`)
	graphQLName = text.Lazy(`^[A-Za-z_][A-Za-z0-9_]*$`)
	mappedField = text.Lazy(`^[\p{L}_@][\p{L}\p{N}._@-]*$`)
)

// Normalised fills in what is usual.
func (m IndexMapping) Normalised() IndexMapping {
	if m.Distance == "" {
		m.Distance = DistanceCosine
	}
	if m.Offset == "" {
		m.Offset = OffsetsNone
		if m.Fields.Start != "" {
			m.Offset = OffsetsFields
		}
	}
	return m
}

// Validate returns a Problem that names the first field with an impossible value.
func (m IndexMapping) Validate() error {
	for _, c := range m.checks() {
		if !c.ok {
			return mappingField(c.field, c.value, c.want)
		}
	}
	f, allowed, letters := m.Fields, mappedField, "letters, digits and . _ - @"
	if m.Engine == "weaviate" {
		allowed, letters = graphQLName, "letters, digits and _"
		if !allowed.MatchString(m.Table) {
			return mappingField("table", m.Table, "the name of a class of Weaviate: "+letters)
		}
	}
	for name, value := range map[string]string{"id": f.ID, "text": f.Text, "doc_id": f.DocID, "start": f.Start, "end": f.End,
		"vector": f.Vector, "title": f.Title} {
		if value != "" && !allowed.MatchString(value) {
			return mappingField("fields."+name, value, "the name of a field: "+letters)
		}
	}
	return m.checkParams("params", m.Params)
}

func mappingField(field string, value any, want string) *problem.Problem {
	return problem.New(problem.Invalid, "index_field", "index.%s is %v; it must be %s", field, value, want).
		With("field", "index."+field).With("value", value).With("want", want).
		WithHint("`workbench corpus add --help` shows an example")
}

// checkParams refuses search parameters that the engine does not take with a search.
func (m IndexMapping) checkParams(field string, params map[string]any) error {
	known := mappedEngines[m.Engine].params
	for _, name := range slices.Sorted(maps.Keys(params)) {
		p, ok := known[name]
		if !ok {
			want := "left out: " + m.Engine + " takes no parameters with a search"
			if len(known) > 0 {
				want = "one of " + strings.Join(slices.Sorted(maps.Keys(known)), ", ") + " where the engine is " + m.Engine
			}
			return mappingField(field+"."+name, params[name], want)
		}
		if !p.fits(params[name]) {
			return mappingField(field+"."+name, params[name], p.want)
		}
	}
	return nil
}

// Validate checks the mapping and where it is reached. A password is never repeated in what is said.
func (s IndexSource) Validate() error {
	if err := s.IndexMapping.Validate(); err != nil {
		return err
	}
	if only := remote.KeyRef.FindString(s.Connection); only == "" || only != s.Connection {
		if s.Engine == "pgvector" {
			return mappingField("connection", "given", "${NAME} of an environment variable: an address of PostgreSQL holds a password")
		}
		if err := checkMappedAddress(s.Connection); err != nil {
			return err
		}
	}
	return remote.Endpoint{Headers: s.Headers}.CheckHeaders()
}

func checkMappedAddress(address string) error {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" || u.User != nil || u.RawQuery != "" ||
		u.Fragment != "" {
		return mappingField("connection", "not usable", "an http or https address without a user, a query and a fragment, "+
			"or ${NAME} of an environment variable that holds one; keys go into headers: {Authorization: 'Bearer ${NAME}'}")
	}
	return nil
}

// Resolve returns the address and the headers with the values of their variables.
func (s IndexSource) Resolve(getenv func(string) string) (address string, headers map[string]string, err error) {
	var missing string
	value := func(text string) string {
		return remote.KeyRef.ReplaceAllStringFunc(text, func(ref string) string {
			name := ref[2 : len(ref)-1]
			v := getenv(name)
			if (v == "" || strings.ContainsAny(v, "\r\n")) && missing == "" {
				missing = name
			}
			return v
		})
	}
	address = value(s.Connection)
	headers = make(map[string]string, len(s.Headers))
	for name, text := range s.Headers {
		headers[name] = value(text)
	}
	if missing != "" {
		return "", nil, problem.New(problem.Invalid, "index_key",
			"the index of corpus %s needs the environment variable %s, which is empty",
			s.Corpus, missing).With("name", s.Corpus).With("variable", missing).WithHint("export %s=…, or put it into .env", missing)
	}
	if s.Engine != "pgvector" {
		err = checkMappedAddress(address)
	}
	return address, headers, err
}

// In returns the configuration of a search in the index: of base it keeps what has an effect there. chunk and retrieve.bm25 have none:
// the team has cut and indexed already.
func (m IndexMapping) In(base Config) (Config, error) {
	out := base.Clone()
	out.Chunk, out.Retrieve.BM25 = Chunking{}, search.BM25{}
	if err := m.checkParams("params", m.Params); err != nil {
		return out, err
	}
	if err := m.checkParams("retrieve.params", base.Retrieve.Params); err != nil {
		return out, err
	}
	params := maps.Clone(m.Params)
	if params == nil {
		params = map[string]any{}
	}
	maps.Copy(params, base.Retrieve.Params)
	m.Params, out.Retrieve.Params = nil, nil
	if len(params) > 0 {
		out.Retrieve.Params = plainNumbers(params)
	}
	out.Index = &m
	return out, out.Validate()
}

// plainNumbers writes whole numbers alike, whether they come from a file or from JSON: they are part of keys.
func plainNumbers(params map[string]any) map[string]any {
	for name, v := range params {
		if n, err := strconv.ParseFloat(fmt.Sprint(v), 64); err == nil && n == float64(int(n)) {
			params[name] = n
		}
	}
	return params
}

// existingChecks are the rules of a search in an index that exists already.
func (c Config) existingChecks() []check {
	m, r := *c.Index, c.Retrieve
	return []check{
		{c.Chunk.same(Chunking{}), "chunk", "given", "left out: corpus index " + m.Table + " is cut already"},
		{m.Searches() || !r.words(), "retrieve.mode", r.Mode, "dense: " + m.Engine + " does not rank by words"},
		{len(r.Filter) == 0, "retrieve.filter", "given", "left out: it is not sent to an index that exists already"},
		{r.MMR == (search.MMR{}), "retrieve.mmr", "given", "left out: vectors of an index that exists already are not read"},
		{r.Neighbours == 0 || m.Offset != OffsetsNone, "retrieve.neighbours", r.Neighbours, "0 where offsets is none: rows have no order"},
	}
}
