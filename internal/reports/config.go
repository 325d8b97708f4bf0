package reports

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rag-workbench/workbench/internal/analysis/findings"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/reports/spreadsheet"
	"github.com/rag-workbench/workbench/internal/reports/wording"
)

// setting is one row of the configuration sheet.
type setting struct {
	section       bool // a heading
	own           bool // of the run itself, such as its id: two runs always differ in it
	again         bool // what a sweep set: it stands among the parameters already
	name          string
	value, before string
}

func (s setting) changed() bool { return !s.own && s.value != s.before }

// differs reports whether it belongs into the list of differences, where each stands once.
func (s setting) differs() bool { return !s.section && !s.again && s.changed() }

func (b *book) configSheet() {
	settings := b.settings()
	note := "config.note"
	value := col(b.words.Say("col.value"), 90, proseLook)
	columns := []column{col(b.words.Say("col.item"), 34, spreadsheet.Look{Wrap: true, Bold: true}), value}
	if b.before != nil {
		note = "config.note.baseline"
		before, after := value, value
		before.title, before.width = b.words.Say("col.before"), 58
		after.title, after.width = b.words.Say("col.after"), 58
		columns = []column{columns[0], before, after, col(b.words.Say("col.changed"), 14, markLook)}
	}
	heading := spreadsheet.Look{Bold: true, Color: spreadsheet.Navy, Fill: spreadsheet.Panel}
	b.stream(table{
		sheet: b.sheetName("sheet.config"), note: b.words.Say(note), columns: columns, frozen: 1, most: 12, rows: len(settings),
		row: func(i int) []cell {
			s := settings[i]
			if s.section {
				cells := []cell{{value: s.name, look: &heading}}
				for range columns[1:] {
					cells = append(cells, cell{value: "", look: &heading})
				}
				return cells
			}
			if b.before == nil {
				return []cell{{value: s.name}, {value: s.value}}
			}
			if !s.changed() {
				return []cell{{value: s.name}, {value: s.before}, {value: s.value}, {value: ""}}
			}
			mark := spreadsheet.Look{Wrap: true, Fill: spreadsheet.Amber, Color: spreadsheet.AmberInk, Bold: true}
			return []cell{
				{value: s.name},
				{value: s.before, look: &mark},
				{value: s.value, look: &mark},
				{value: b.words.Say("word.changed"), look: &checkLook},
			}
		},
	})
}

// settings lists everything that decided the results, of the candidate and, beside it, of the baseline: what differs first, then all.
func (b *book) settings() []setting {
	all := b.allSettings()
	if b.before == nil {
		return all
	}
	out := []setting{{section: true, name: b.words.Say("config.section.differences")}}
	for _, s := range all {
		if s.differs() {
			out = append(out, s)
		}
	}
	if len(out) == 1 {
		out = append(out, setting{own: true, name: b.words.Say("config.same")})
	}
	return append(out, all...)
}

// allSettings lists everything by section.
func (b *book) allSettings() []setting {
	sections := []struct {
		key  string
		list func(side) []pair
	}{
		{"run", b.runPairs},
		{"parameters", func(s side) []pair { return b.named(parameters(s.run.Setup.Config)) }},
		{"swept", func(s side) []pair { return b.named(sweptPairs(s)) }},
		{"judge", func(s side) []pair { return b.judgePairs(s.run.Setup) }},
		{"metrics", func(s side) []pair { return b.metricPairs(s.run.Setup.Suite) }},
	}
	var out []setting
	for _, s := range sections {
		var old []pair
		if b.before != nil {
			old = s.list(*b.before)
		}
		rows := b.beside(s.list(b.after), old)
		for i := range rows {
			rows[i].again = s.key == "swept"
		}
		if len(rows) > 0 {
			out = append(out, setting{section: true, name: b.words.Say("config.section." + s.key)})
			out = append(out, rows...)
		}
	}
	return out
}

type pair struct {
	name, value string
	own         bool
}

// beside joins two lists by name: first in the order of now, then what only then has.
func (b *book) beside(now, then []pair) []setting {
	old := make(map[string]string, len(then))
	for _, p := range then {
		old[p.name] = p.value
	}
	unset := b.words.Say("word.unset")
	shown := func(value string, ok bool) string {
		if !ok || value == "" {
			return unset
		}
		return value
	}
	var out []setting
	seen := map[string]bool{}
	for _, p := range now {
		before, ok := old[p.name]
		out = append(out, setting{own: p.own, name: p.name, value: shown(p.value, true), before: shown(before, ok)})
		seen[p.name] = true
	}
	for _, p := range then {
		if !seen[p.name] {
			out = append(out, setting{name: p.name, value: unset, before: shown(p.value, true)})
		}
	}
	return out
}

func (b *book) runPairs(of side) []pair {
	r, s := of.run, of.run.Setup
	word := func(key string) string { return b.words.Say("config." + key) }
	return []pair{
		{word("run"), r.ID, true},
		{word("experiment"), s.Experiment, false},
		{word("revision"), strconv.Itoa(s.Revision), false},
		{word("kind"), word("kind." + string(r.Kind)), false},
		{word("state"), word("state." + string(r.State)), false},
		{word("created"), clock(&r.CreatedAt), true},
		{word("finished"), clock(r.FinishedAt), true},
		{word("corpus"), s.Corpus.String(), false},
		{word("corpus_digest"), s.Corpus.Digest, false},
		{word("dataset"), s.Dataset.String(), false},
		{word("dataset_digest"), s.Dataset.Digest, false},
		{word("setup_digest"), r.SetupDigest, true},
		{word("asked"), strconv.Itoa(len(of.rows)), false},
		{word("low_score"), b.lowIn(s), false},
		{word("agreement"), b.agreementOf(s), false},
	}
}

// lowIn is what a setup calls low: the threshold of grades, or what the run says in its own terms.
func (b *book) lowIn(s experiments.Setup) string {
	switch {
	case len(s.Low) > 0:
		return b.each(s.LowRule().Short)
	case len(s.Tools()) > 0:
		return b.words.Say("word.none")
	}
	return plain(s.LowScore)
}

// agreementOf names the version of the agreement that was in force when the run was started.
func (b *book) agreementOf(s experiments.Setup) string {
	if s.Agreement == 0 {
		return b.words.Say("word.none")
	}
	return strconv.Itoa(s.Agreement)
}

// named puts the name of a parameter in words before the one that experiment files have for it.
func (b *book) named(params []pair) []pair {
	for i, p := range params {
		if experiments.NamesParam(p.name) {
			params[i].name = b.each(func(lang string) string {
				return wording.Catalogues()[lang].Say("config.param", "title", findings.ParamText(p.name).In(lang), "id", p.name)
			})
		}
	}
	return params
}

func sweptPairs(of side) []pair {
	var out []pair
	for _, p := range of.run.Params {
		out = append(out, pair{name: p.Name, value: fmt.Sprint(p.Value)})
	}
	return out
}

func (b *book) judgePairs(s experiments.Setup) []pair {
	yes := map[bool]string{true: b.words.Say("word.yes"), false: b.words.Say("word.no")}
	word := func(key string) string { return b.words.Say("config." + key) }
	if tools := s.Tools(); len(tools) > 0 { // no judge of ours scored
		if slices.Contains(tools, metrics.PlainTable) {
			tools = []string{word("of_file")}
		}
		return []pair{{word("scores_of"), strings.Join(tools, ", "), false}}
	}
	settled := "settled"
	if s.Config.Log != nil { // who answered may answer otherwise another time
		settled = "settled_judge"
	}
	return []pair{
		{word("judge"), s.Judge.Model.String(), false},
		{word("judge_embedding"), s.Judge.Embedding.String(), false},
		{word("explain_lang"), s.Judge.ExplainLang, false},
		{word("offline"), yes[s.ByOffline()], false},
		{word(settled), yes[s.Settled], false},
	}
}

func (b *book) metricPairs(suite []metrics.Spec) []pair {
	var out []pair
	for _, s := range ordered(suite) {
		direction := "config.higher"
		if s.LowerIsBetter {
			direction = "config.lower"
		}
		name := s.ID
		if title := b.each(s.Title); title != "" {
			name = b.words.Say("config.param", "title", title, "id", s.ID)
		}
		value := b.each(func(lang string) string {
			w := wording.Catalogues()[lang]
			return w.Say("config.metric", "version", s.Version, "min", plain(s.Min), "max", plain(s.Max), "direction", w.Say(direction),
				"meaning", s.Meaning(lang))
		})
		out = append(out, pair{name: name, value: value})
	}
	return out
}

// flatten lists every field of a configuration under its dotted JSON name, in the order of the type, so that a parameter
// added later appears in the report by itself.
// parameters are those of a configuration. Where one had no part in the answers its 0 is nobody's choice, and is told as not set.
func parameters(c rag.Config) []pair {
	out := flatten(c)
	for i, p := range out {
		if p.value == "0" && !c.Decides(p.name) {
			out[i].value = ""
		}
	}
	return out
}

func flatten(config any) []pair {
	body, err := json.Marshal(config)
	if err != nil {
		panic("config is not JSON: " + err.Error()) // only numbers JSON cannot express, refused by Validate
	}
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var out []pair
	walk(dec, "", &out)
	return out
}

func walk(dec *json.Decoder, name string, out *[]pair) {
	token, err := dec.Token()
	if err != nil {
		return
	}
	switch token {
	case json.Delim('{'):
		for dec.More() {
			key, _ := dec.Token()
			child, _ := key.(string)
			if name != "" {
				child = name + "." + child
			}
			walk(dec, child, out)
		}
		_, _ = dec.Token()
	case json.Delim('['):
		var items []pair
		for dec.More() {
			walk(dec, "", &items)
		}
		_, _ = dec.Token()
		values := make([]string, len(items))
		for i, item := range items {
			values[i] = item.value
		}
		*out = append(*out, pair{name: name, value: strings.Join(values, ", ")})
	case nil:
		*out = append(*out, pair{name: name})
	default:
		*out = append(*out, pair{name: name, value: fmt.Sprint(token)})
	}
}
