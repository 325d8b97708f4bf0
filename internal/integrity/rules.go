package integrity

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Rule says what a seal covers: the rows of a table once they stay as they are.
type Rule struct {
	Kind    string   // of the seal; a table may have two kinds, of what a row was made with and of how it ended
	Table   string   // whose rows it covers
	Key     []string // columns that tell the rows apart, and its first part what they belong to
	Covers  []string // columns, the key among them, in the order in which they are hashed
	Open    []string // values of the column state in which a row still changes and has no seal
	Replace bool     // people may set the row anew: it gets a new seal then
	Given   bool     // covers what this database has numbered by itself: no study carries the seal, and each database makes its own
	Moving  bool     // people and processes change the row: its seal follows each change (package seals), and no study carries it
}

// Tree is the kind of seal that keeps the root of a finished run under its id. It covers no row of its own.
const Tree = "tree"

// Gone is the kind of seal that covers no row either: it keeps, under the kind and key of a row, that something here names a row which is
// rightly not here, because somebody deleted it or a study left it out. Whatever is named, and is neither here nor kept so, was taken away.
const Gone = "gone"

// GoneDigest is what such a seal holds.
func GoneDigest(key string) Digest {
	h := NewHasher()
	h.Add("gone 1")
	h.Add(key)
	return h.Sum()
}

// Tail is the kind of seal that keeps under the id of a run that is over how many events it has and what its calls cost. It covers no row
// of its own, as none tells of the last event that there was one, or of a call that nothing rests on.
const Tail = "tail"

// TailDigest is what such a seal holds: how many events there are, what the calls have cost, what those under way may cost, and how many
// there are.
func TailDigest(run string, events, spent, reserved, calls int64) Digest {
	h := NewHasher()
	h.Add("tail 1")
	h.Add(run)
	for _, n := range []int64{events, spent, reserved, calls} {
		h.Add(n)
	}
	return h.Sum()
}

// Counted are the kinds of seals whose number is kept where a place has a key: nothing else tells of one of their rows that it is gone,
// when its seal is gone too. Other rows belong to a run or a version, which says how many there are.
var Counted = words(`agreements audit_log baselines corpora datasets endpoints fires judge_cards logs notebook_comments notebook_versions reviews
	revisions run_notes run_tags runs schedules share_links taxonomies`)

// separator stands between the parts of a seal's key. No name that people type holds it.
const separator = "\x1f"

// words splits a list of columns.
func words(s string) []string { return strings.Fields(s) }

// Rules are all seals that rows have.
var Rules = []Rule{
	{Kind: "corpora", Table: "corpora", Key: words("name version"), Covers: words("name version digest items chars created_at")},
	{Kind: "documents", Table: "documents", Key: words("corpus version position"),
		Covers: words("corpus version position doc_id title text lang source metadata")},
	{Kind: "datasets", Table: "datasets", Key: words("name version"), Covers: words("name version digest items chars created_at")},
	{Kind: "questions", Table: "questions", Key: words("dataset version position"),
		Covers: words("dataset version position question_id body")},
	{Kind: "logs", Table: "logs", Key: words("name version"), Covers: words("name version digest items chars dataset created_at")},
	{Kind: "logged_answers", Table: "logged_answers", Key: words("log version position"),
		Covers: words("log version position question_id body")},
	{Kind: "revisions", Table: "revisions", Key: words("experiment revision"), Covers: words("experiment revision definition created_at")},
	{
		Kind: "runs", Table: "runs", Key: words("id"),
		Covers: words("id kind parent_id sweep_id ordinal params setup setup_digest experiment dataset created_at"),
	},
	{
		Kind: "runs_end", Table: "runs", Key: words("id"), Open: words("queued running paused"),
		Covers: words("id state cause budget_micros budget_calls started_at finished_at totals chain"),
	},
	{Kind: "runs_seq", Table: "runs", Key: words("id"), Covers: words("id seq"), Given: true},
	{
		Kind: "answers", Table: "answers", Key: words("run_id question_id replicate"),
		Covers: words("run_id question_id replicate state retrieval_key generation_key failure_cause failure_message latency_ms created_at"),
	},
	{
		Kind: "cells", Table: "cells", Key: words("run_id question_id metric replicate"), Open: words("pending"),
		Covers: words("run_id question_id position metric metric_position metric_version replicate state value reason stages attempt_gen updated_at"),
	},
	{Kind: "events", Table: "events", Key: words("run_id seq"), Covers: words("run_id seq kind body at")},
	{Kind: "stages", Table: "stages", Key: words("key"), Covers: words("key kind body calls")},
	{Kind: "calls", Table: "calls", Key: words("id"), Open: words("sent banked"),
		Covers: append(slices.Clone(bill), "request", "reply", "pruned"), Replace: true},
	{Kind: "vectors", Table: "vectors", Key: words("space digest"), Covers: words("space digest dim body")},
	{Kind: "judge_cards", Table: "judge_cards", Key: words("judge prompt_version measured_at"),
		Covers: words("judge prompt_version measured_at status body"), Replace: true},
	{Kind: "taxonomies", Table: "taxonomies", Key: words("dataset_name id version"),
		Covers: words("id dataset_name version body created_at")},
	{Kind: "agreements", Table: "agreements", Key: words("dataset version"), Covers: words("dataset version digest body created_at")},
	{
		Kind: "reviews", Table: "reviews", Key: words("run_id question_id reviewer revision"),
		Covers: words("run_id question_id reviewer revision digest body created_at"),
	},
	{Kind: "baselines", Table: "baselines", Key: words("dataset"), Covers: words("dataset run_id set_at"), Replace: true},
	{Kind: "endpoints", Table: "endpoints", Key: words("name"), Covers: words("name body created_at changed_at"), Replace: true},
	{Kind: "fires", Table: "fires", Key: words("id"), Open: words("due running"),
		Covers: words("id schedule nominal_at state cancel run_id body")},
	{Kind: "audit_log", Table: "audit_log", Key: words("id"), Covers: words("id at kind actor name action target outcome address detail")},
	{
		Kind: "schedules", Table: "schedules", Key: words("name"), Replace: true, Moving: true,
		Covers: words("name body paused paused_why next_at created_at"),
	},
	{
		Kind: "share_links", Table: "share_links", Key: words("id"), Replace: true, Moving: true,
		Covers: words("id hash kind title runs notebook texts made_by created_at expires_at revoked_at page_en page_ja"),
	},
	{
		Kind: "notebook_versions", Table: "notebook_versions", Key: words("notebook number"), Replace: true, Moving: true,
		Covers: words("notebook number digest lock made_by made_at changed_at origin name params ran"),
	},
	{
		Kind: "notebook_comments", Table: "notebook_comments", Key: words("notebook id"), Replace: true, Moving: true,
		Covers: words("notebook id cell run_id question text made_by made_at resolved_by resolved_at"),
	},
	{
		Kind: "run_notes", Table: "run_notes", Key: words("run_id"), Replace: true, Moving: true,
		Covers: words("run_id note made_by changed_at"),
	},
	{
		Kind: "run_tags", Table: "run_tags", Key: words("run_id tag"), Replace: true, Moving: true,
		Covers: words("run_id tag made_by changed_at"),
	},
}

// bill is what stays of a call for good, when its request and reply have been pruned too.
var bill = words(`id run_id sweep_id question_id stage purpose provider origin model cache_key replicate attempt state sent_at done_at http_status
	estimate_micros cost_micros cost_kind prompt_tokens completion_tokens model_seen reply_sha256 cause`)

// Bill is the leaf of a call under a run: it leaves out what pruning takes away. It is no seal of its own.
var Bill = Rule{Kind: "bill", Table: "calls", Key: words("id"), Covers: bill}

// Open are the columns that no seal covers, by table, with the reason; "*" stands for all columns of a table.
var Open = map[string]map[string]string{
	"runs": {
		"owner":          "who works on it",
		"epoch":          "counts who has worked on it",
		"heartbeat_at":   "whoever works on it is alive",
		"wanted_state":   "what somebody asks it to become",
		"guard_spent":    "a sum of its calls, compared with them",
		"guard_reserved": "a sum of its calls, compared with them",
		"guard_calls":    "the number of its calls, compared with them",
		"pinned":         "people may pin it and let it go",
		"pooled":         "its totals with the votes of its children, compared with their cells",
	},
	"cells": {"writes": "is 1 in every cell that is settled, which is checked"},
	"calls": {
		"owner": "the process that sent it", "beat": "whoever sent it is alive",
		"repair": "read out of the reply, which is sealed", "cached_tokens": "read out of the reply, which is sealed",
	},
	"fires":  {"worker": "who works on it", "seen_at": "whoever works on it is alive"},
	"stages": {"created_at": "when this database got it; nothing rests on it"},
	"experiments": {
		"name": "must have revisions, which is checked", "revision": "the newest of its revisions, which is checked",
		"archived": "people may archive it and bring it back",
	},
	"share_links":      {"opened": "counts who opened it", "opened_at": "says when it was opened last"},
	"results":          {"*": "a copy of answers and cells, compared with them"},
	"grounds":          {"*": "read out of stages, compared with them"},
	"cache":            {"*": "an index of the ledger, compared with it"},
	"seals":            {"*": "are what is compared"},
	"install":          {"*": "belongs to this installation: its secret, and when it was last backed up"},
	"jobs":             {"*": "moves forward; what it made are runs and files"},
	"idempotency_keys": {"*": "only stops a request that is sent twice"},
	"scheduler_clock":  {"*": "when a scheduler was last alive"},
	"notices":          {"*": "moves forward until it is delivered"},
	"notice_attempts":  {"*": "moves forward until it is delivered"},
	"accounts":         {"*": "people change it: name, role, password"},
	"sessions":         {"*": "changes with every request, and expires"},
	"api_tokens":       {"*": "says when it was last used, and can be revoked"},
	"sign_in_links":    {"*": "is used once, or expires"},
	"traces":           {"*": "moves forward, and goes when it is old; what is made of it are versions of datasets and logs"},
	"trace_spans":      {"*": "goes when its trace is read"},
	"probes":           {"*": "can be asked again at any time; nothing rests on it"},
	"providers":        {"*": "people may add and remove servers; what a run asked stands in its setup"},
	"run_views":        {"*": "people may change which lists they keep"},

	"notebook_texts":   {"*": "goes with the last version that has it"},
	"notebook_removed": {"*": "goes when the cell is put back, or after 30 days"},

	"corpus_indexes": {"*": "people may change it; a run keeps the mapping it was started with"},
}

// Of returns the rules of a table's rows.
func Of(table string) []Rule {
	return slices.DeleteFunc(slices.Clone(Rules), func(r Rule) bool { return r.Table != table })
}

// Carried returns the rules of a table's rows whose seals leave this database with the rows.
func Carried(table string) []Rule {
	return slices.DeleteFunc(Of(table), func(r Rule) bool { return r.Given || r.Moving })
}

// Moving are the kinds of seals of rows that people and processes change.
func Moving() (kinds []string) {
	for _, r := range Rules {
		if r.Moving {
			kinds = append(kinds, r.Kind)
		}
	}
	return kinds
}

// Settled reports whether a row in this state stays as it is.
func (r Rule) Settled(state any) bool {
	s, _ := state.(string)
	return len(r.Open) == 0 || !slices.Contains(r.Open, s)
}

// Seal is the key and the digest of a row; value gives its columns in the form of [Hasher.Add]. No bytes and none at all are the same.
func (r Rule) Seal(h *Hasher, value func(column string) any) (key string, d Digest) {
	h.Reset()
	h.Add("row 1")
	h.Add(r.Kind)
	for _, c := range r.Covers {
		v := value(c)
		if b, ok := v.([]byte); ok && len(b) == 0 {
			v = nil
		}
		h.Add(v)
	}
	parts := make([]any, len(r.Key))
	for i, c := range r.Key {
		parts[i] = value(c)
	}
	return KeyOf(parts...), h.Sum()
}

// KeyOf joins the parts of a seal's key.
func KeyOf(parts ...any) string {
	var b strings.Builder
	for i, p := range parts {
		if i > 0 {
			b.WriteString(separator)
		}
		switch p := p.(type) {
		case string:
			b.WriteString(p)
		case int64:
			b.WriteString(strconv.FormatInt(p, 10))
		case time.Time:
			b.WriteString(strconv.FormatInt(p.UnixMicro(), 10))
		default:
			fmt.Fprint(&b, p)
		}
	}
	return b.String()
}

// Under bounds the keys that begin with these parts: from is the least of them, and to is greater than each.
func Under(parts ...any) (from, to string) {
	prefix := KeyOf(parts...)
	return prefix + separator, prefix + string(separator[0]+1)
}

// Name is a key as people read it.
func Name(kind, key string) string { return kind + " " + strings.ReplaceAll(key, separator, "/") }
