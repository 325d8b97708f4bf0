// Package compact writes the results of a finished run, and what a comparison asks of its answers, in a form that is read in one pass
// (docs/adr/0046-results-of-finished-runs-are-read-in-one-pass.md). It reaches no database.
package compact

import (
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
)

// The compact form of a result is two strings of bytes, the second of which has all stage keys. Numbers are varints, floats are their bits
// in eight bytes, texts and lists begin with their length. A list that is not there has length 0, others one more than they are long.
// The first byte is the version: whoever changes the form gives it the next one, and reads the older ones too.
const compactVersion = 1

// ErrDamaged tells of bytes that are no compact result.
var ErrDamaged = errors.New("the compact form of a result is not readable")

// The states of a score in compact form.
var compactStates = []metrics.State{metrics.Pending, metrics.Scored, metrics.NotApplicable, metrics.Errored}

// What a score has besides its state, in the byte that holds both.
const (
	hasValue   = 1 << (iota + 4) // it is not 0
	hasReason                    //
	hasVersion                   // another one than the suite's
)

// What a result has.
const (
	hasAnswer = 1 << iota
	hasFailure
	hasRetrieved
)

// writer appends values.
type writer struct {
	body  []byte
	known map[string]int // stage keys of this result, by their place
	list  []string
	refs  []byte
}

func (w *writer) uint(n int)    { w.body = binary.AppendUvarint(w.body, uint64(n)) } //nolint:gosec // lengths
func (w *writer) int(n int64)   { w.body = binary.AppendVarint(w.body, n) }
func (w *writer) byte(b byte)   { w.body = append(w.body, b) }
func (w *writer) text(s string) { w.uint(len(s)); w.body = append(w.body, s...) }
func (w *writer) float(f float64) {
	w.body = binary.LittleEndian.AppendUint64(w.body, math.Float64bits(f))
}

// length begins a list.
func (w *writer) length(n int, none bool) {
	if !none {
		n++
	}
	w.uint(n)
}

// key refers to a stage key.
func (w *writer) key(key string) {
	at, ok := w.known[key]
	if !ok {
		at = len(w.list)
		w.known[key] = at
		w.list = append(w.list, key)
	}
	w.refs = binary.AppendUvarint(w.refs, uint64(at)) //nolint:gosec // a place
}

// Encode returns the compact form of one of a run's results, of which there are so many.
func Encode(r experiments.Result, suite []metrics.Spec, of int) (body, stages []byte) {
	w := &writer{known: map[string]int{}}
	w.byte(compactVersion)
	w.uint(of)
	w.text(r.QuestionID)
	w.int(r.LatencyMS)
	has := byte(0)
	for i, there := range []bool{r.Answer != nil, r.Failure != nil, r.Retrieved != nil} {
		if there {
			has |= 1 << i
		}
	}
	w.byte(has)
	if r.Failure != nil {
		w.text(r.Failure.Cause)
		w.text(r.Failure.Message)
	}
	if r.Retrieved != nil {
		w.key(r.Retrieved.RetrievalKey)
		w.retrieval(r.Retrieved.Retrieval)
	}
	if r.Answer != nil {
		w.key(r.Answer.RetrievalKey)
		w.key(r.Answer.GenerationKey)
		w.retrieval(r.Answer.Retrieval)
		w.generation(r.Answer.Generation)
	}
	for i, s := range r.Scores {
		w.score(s, suite[i])
	}
	return w.body, w.stages()
}

func (w *writer) score(s metrics.Score, spec metrics.Spec) {
	head := byte(max(0, slices.Index(compactStates, s.State))) //nolint:gosec // four of them
	if math.Float64bits(s.Value) != 0 {
		head |= hasValue
	}
	if s.Reason != "" {
		head |= hasReason
	}
	if s.Version != spec.Version {
		head |= hasVersion
	}
	w.byte(head)
	if head&hasValue != 0 {
		w.float(s.Value)
	}
	if head&hasReason != 0 {
		w.text(s.Reason)
	}
	if head&hasVersion != 0 {
		w.text(s.Version)
	}
	n := len(s.Stages)
	if s.Stages != nil {
		n++
	}
	w.refs = binary.AppendUvarint(w.refs, uint64(n)) //nolint:gosec // a length
	for _, key := range s.Stages {
		w.key(key)
	}
}

func (w *writer) span(s rag.Span) {
	w.text(s.DocID)
	w.int(int64(s.Start))
	w.int(int64(s.End) - int64(s.Start))
}

func (w *writer) spans(list []rag.Span) {
	w.length(len(list), list == nil)
	for _, s := range list {
		w.span(s)
	}
}

func (w *writer) retrieval(r rag.Retrieval) {
	w.text(r.Query)
	w.length(len(r.Hits), r.Hits == nil)
	for _, h := range r.Hits {
		w.span(h.Span)
		w.float(h.Score)
		w.text(h.Text)
		w.text(h.Lead)
		w.spans(h.Matched)
	}
	w.text(r.Hidden)
	w.length(len(r.Notes), r.Notes == nil)
	for _, n := range r.Notes {
		w.text(n)
	}
	w.length(0, r.Approximate == nil)
	if a := r.Approximate; a != nil {
		w.int(int64(a.Depth))
		w.float(a.Recall)
		w.int(int64(a.Short))
		w.spans(a.Missed)
	}
}

func (w *writer) generation(g rag.Generation) {
	w.text(g.Text)
	w.text(g.Raw)
	w.text(g.FinishReason)
	w.length(0, g.Measured == nil)
	if m := g.Measured; m != nil {
		for _, n := range []int64{m.LatencyMS, int64(m.PromptTokens), int64(m.CompletionTokens), m.CostMicros} {
			w.int(n)
		}
		known := byte(0)
		if m.CostKnown {
			known = 1
		}
		w.byte(known)
	}
}

// stages are the keys of a result, each once, and behind them who refers to which. A key as stages have it is 32 bytes.
func (w *writer) stages() []byte {
	out := binary.AppendUvarint(nil, uint64(len(w.list)))
	for _, key := range w.list {
		raw, err := hex.DecodeString(key)
		if err == nil && len(raw) > 0 && hex.EncodeToString(raw) == key {
			out = append(binary.AppendUvarint(out, uint64(len(raw))*2), raw...)
			continue
		}
		out = append(binary.AppendUvarint(out, uint64(len(key))*2+1), key...)
	}
	return append(out, w.refs...)
}

// reader reads values. The first that is not there ends it: all that follow are empty. What it reads are copies.
type reader struct {
	data  []byte
	names *shared // read before
	bad   bool
}

func (r *reader) fail() { r.bad, r.data = true, nil }

func (r *reader) byte() byte {
	if len(r.data) == 0 {
		r.fail()
		return 0
	}
	b := r.data[0]
	r.data = r.data[1:]
	return b
}

func (r *reader) uvarint() (n uint64) {
	for shift := 0; shift < 64; shift += 7 {
		b := r.byte()
		n |= uint64(b&0x7f) << shift
		if b < 0x80 {
			return n
		}
	}
	r.fail()
	return 0
}

// uint is a length or a place, which the data that is left bounds.
func (r *reader) uint() int {
	n := r.uvarint()
	if n > 1<<31 {
		r.fail()
		return 0
	}
	return int(n) //nolint:gosec // bounded
}

func (r *reader) int() int64 {
	n := r.uvarint()
	return int64(n>>1) ^ -int64(n&1) //nolint:gosec // the bits count
}

// take is the next n bytes.
func (r *reader) take(n int) []byte {
	if n > len(r.data) {
		r.fail()
		return nil
	}
	s := r.data[:n]
	r.data = r.data[n:]
	return s
}

func (r *reader) text() string { return string(r.take(r.uint())) }

// name is a text that results have in common, of which one copy is enough.
func (r *reader) name() string { return r.names.one(r.take(r.uint())) }

// shared are texts that results have in common, one copy of each.
type shared struct {
	known map[string]string
	asked int
	last  string // what stands in a row is mostly the same: a document of which several passages were found
}

func newShared() *shared { return &shared{known: map[string]string{}} }

// one is the one copy of a text. Where nearly all that was read is new, as with the words of a judge that is a model, looking for it again
// is given up: it took longer than all else of a score.
func (s *shared) one(read []byte) string {
	const tried = 1000
	if len(read) == 0 || len(s.known) > tried && s.asked < len(s.known)*2 {
		return string(read)
	}
	s.asked++
	if string(read) == s.last {
		return s.last
	}
	known, ok := s.known[string(read)]
	if !ok {
		known = string(read)
		s.known[known] = known
	}
	s.last = known
	return known
}

func (r *reader) float() float64 {
	if len(r.data) < 8 {
		r.fail()
		return 0
	}
	bits := binary.LittleEndian.Uint64(r.data)
	r.data = r.data[8:]
	return math.Float64frombits(bits)
}

// length is that of a list, each part of which takes a byte at least; there is false for a list that is not there.
func (r *reader) length() (n int, there bool) {
	n = r.uint()
	if n == 0 {
		return 0, false
	}
	if n-1 > len(r.data) {
		r.fail()
		return 0, false
	}
	return n - 1, true
}

// Decoder reads the results of one run. They share the names in them, and where no keys are read also the lists of scores that are equal
// but for the judge's words, which then stand beside them: nobody is to change one. Some hundreds of lists do for thousands of results, and
// lists and words were half of what two runs held in memory.
type Decoder struct {
	suite  []metrics.Spec
	names  *shared
	words  *shared                    // of the judge
	scores map[string][]metrics.Score // without words, by their compact form

	// of the result that is read
	form    []byte // of its list
	reasons []byte

	prints experiments.Prints // room for those of results to come
}

// NewDecoder reads results with the scores of a suite.
func NewDecoder(suite []metrics.Spec) *Decoder {
	return &Decoder{suite: suite, names: newShared(), words: newShared(), scores: map[string][]metrics.Score{}}
}

// Decode reads the compact form of a result and returns how many results the run has. Of keys in short it sets their prints alone. Neither
// the body nor the keys are held.
func (d *Decoder) Decode(body []byte, keys *Keys, into *experiments.Result) (of int, err error) {
	r := &reader{data: body, names: d.names}
	if version := r.byte(); version != compactVersion {
		return 0, fmt.Errorf("%w: it has version %d, and this program reads %d", ErrDamaged, version, compactVersion)
	}
	of = r.uint()
	into.QuestionID, into.LatencyMS = r.text(), r.int()
	has := r.byte()
	if has&hasFailure != 0 {
		into.Failure = &experiments.Failure{Cause: r.name(), Message: r.text()}
	}
	if has&hasRetrieved != 0 {
		into.Retrieved = &rag.Retrieved{RetrievalKey: keys.next()}
		r.retrieval(&into.Retrieved.Retrieval)
	}
	keys.print = 0
	if has&hasAnswer != 0 {
		into.Answer = &rag.Answer{RetrievalKey: keys.next(), GenerationKey: keys.next()}
		r.retrieval(&into.Answer.Retrieval)
		r.generation(&into.Answer.Generation)
	}
	if keys.short {
		into.Prints = d.room()
		into.Prints[0] = keys.print
		into.Scores, into.Reasons = d.inShort(r, keys, into.Prints[1:])
	} else {
		into.Scores = d.scoresOf(r, keys)
	}
	if r.bad || keys.bad || len(r.data)+len(keys.data) > 0 {
		return 0, ErrDamaged
	}
	return of, nil
}

// scoresOf reads the scores that end a result.
func (d *Decoder) scoresOf(r *reader, keys *Keys) []metrics.Score {
	out := make([]metrics.Score, len(d.suite))
	for i := range out {
		out[i].Reason = d.words.one(r.score(&out[i], d.suite[i]))
		out[i].Stages = keys.some()
	}
	return out
}

// inShort is [Decoder.scoresOf] with the judge's words apart. What says why there is no score is a code, and stays where it is. A list is
// read only where none of its form was before, which is once in some hundred times.
func (d *Decoder) inShort(r *reader, keys *Keys, prints experiments.Prints) ([]metrics.Score, experiments.Reasons) {
	d.form, d.reasons = d.form[:0], d.reasons[:0]
	for i := range d.suite {
		var words []byte
		if d.form, words = r.passScore(d.form); len(words) > 0 {
			d.reasons = experiments.AppendReason(d.reasons, i, words)
		}
		keys.print = 0
		keys.some()
		prints[i] = keys.print
	}
	list, ok := d.scores[string(d.form)]
	if !ok && !r.bad {
		own := &reader{data: d.form, names: r.names}
		list = make([]metrics.Score, len(d.suite))
		for i := range list {
			list[i].Reason = r.names.one(own.score(&list[i], d.suite[i]))
		}
		d.scores[string(d.form)] = list
	}
	return list, experiments.Reasons(d.words.one(d.reasons))
}

// passScore passes a score, which it appends to form as it stands, but for the words of the judge, which it returns.
func (r *reader) passScore(form []byte) (longer, words []byte) {
	head, at := r.byte(), len(form)
	if int(head&0x0f) >= len(compactStates) {
		r.fail()
		return form, nil
	}
	form = append(form, head)
	if head&hasValue != 0 {
		form = append(form, r.take(8)...)
	}
	if head&hasReason != 0 {
		reason := r.take(r.uint())
		if compactStates[head&0x0f] == metrics.Scored {
			form[at] &^= hasReason
			words = reason
		} else {
			form = append(binary.AppendUvarint(form, uint64(len(reason))), reason...)
		}
	}
	if head&hasVersion != 0 {
		version := r.take(r.uint())
		form = append(binary.AppendUvarint(form, uint64(len(version))), version...)
	}
	return form, words
}

// room is that for the prints of one result, out of a piece of memory for many.
func (d *Decoder) room() experiments.Prints {
	const atOnce = 256
	size := 1 + len(d.suite)
	if len(d.prints) < size {
		d.prints = make(experiments.Prints, atOnce*size)
	}
	out := d.prints[:size:size]
	d.prints = d.prints[size:]
	return out
}

// score reads a score but for its reason, which it returns.
func (r *reader) score(s *metrics.Score, spec metrics.Spec) (reason []byte) {
	head := r.byte()
	s.Metric, s.Version = spec.ID, spec.Version
	if at := int(head & 0x0f); at < len(compactStates) {
		s.State = compactStates[at]
	} else {
		r.fail()
	}
	if head&hasValue != 0 {
		s.Value = r.float()
	}
	if head&hasReason != 0 {
		reason = r.take(r.uint())
	}
	if head&hasVersion != 0 {
		s.Version = r.name()
	}
	return reason
}

func (r *reader) span() (s rag.Span) {
	s.DocID, s.Start = r.name(), int(r.int())
	s.End = s.Start + int(r.int())
	return s
}

func (r *reader) spans() (out []rag.Span) {
	n, there := r.length()
	if !there {
		return nil
	}
	out = make([]rag.Span, n)
	for i := range out {
		out[i] = r.span()
	}
	return out
}

func (r *reader) retrieval(into *rag.Retrieval) {
	into.Query = r.text()
	if n, there := r.length(); there {
		into.Hits = make([]rag.Hit, n)
	}
	for i := range into.Hits {
		into.Hits[i] = rag.Hit{Span: r.span(), Score: r.float(), Text: r.text(), Lead: r.name(), Matched: r.spans()}
	}
	into.Hidden = r.name()
	if n, there := r.length(); there {
		into.Notes = make([]string, n)
	}
	for i := range into.Notes {
		into.Notes[i] = r.name()
	}
	if _, there := r.length(); there {
		into.Approximate = &rag.Approximation{Depth: int(r.int()), Recall: r.float(), Short: int(r.int()), Missed: r.spans()}
	}
}

func (r *reader) generation(into *rag.Generation) {
	into.Text, into.Raw, into.FinishReason = r.text(), r.text(), r.name()
	if _, there := r.length(); there {
		into.Measured = &rag.Measured{LatencyMS: r.int(), PromptTokens: int(r.int()), CompletionTokens: int(r.int()), CostMicros: r.int(),
			CostKnown: r.byte() == 1}
	}
}
