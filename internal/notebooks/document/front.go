package document

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/experiments/timetable"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Words is a text in English, Japanese or both. In a document it is a text, which stands for both, or {en: …, ja: …}.
type Words struct {
	EN string `json:"en,omitempty"`
	JA string `json:"ja,omitempty"`
}

// In is the text in a language, or in the other one where it is missing.
func (w Words) In(lang string) string {
	if lang == "ja" && w.JA != "" || w.EN == "" {
		return w.JA
	}
	return w.EN
}

// Front is the front matter.
type Front struct {
	Version   int        `json:"ragnb"` // of the format; 1
	Title     Words      `json:"title"`
	Lang      []string   `json:"lang"` // of reading mode, "en" and "ja"; both when it says nothing
	Schedules []Schedule `json:"schedules,omitempty"`
}

// Schedule says when a notebook is executed. It is kept for the scheduler; nothing here fires it.
type Schedule struct {
	Name   string         `json:"name"`
	Cron   string         `json:"cron"`             // five fields
	Zone   string         `json:"zone,omitempty"`   // of the time, like Asia/Tokyo; "" is that of the machine
	Params map[string]any `json:"params,omitempty"` // in the place of the defaults
	Limit  string         `json:"budget,omitempty"` // as written: "2.50" or "500calls"
	Notify []string       `json:"notify,omitempty"` // addresses

	line int
}

var frontFields = []Field{
	{Name: "ragnb", Type: IntegerField, Required: true, Doc: Words{"write ragnb: 1, the version of the format", "ragnb: 1 と書きます（形式の版）"}},
	{Name: "title", Type: WordsField},
	{Name: "lang", Type: ListField},
	{Name: "schedules", Type: ListField},
}

var scheduleFields = []Field{
	{Name: "name", Type: TextField, Required: true},
	{Name: "cron", Type: TextField, Required: true},
	{Name: "zone", Type: TextField},
	{Name: "params", Type: MapField},
	{Name: "budget", Type: TextField},
	{Name: "notify", Type: ListField},
}

// front reads the front matter.
func (r *Reader) front() {
	d := r.Document
	if len(d.Blocks) == 0 || d.Blocks[0].Kind != FrontBlock {
		r.add(d.Wrong(1, nil, "front_missing", "a notebook begins with its front matter").
			WithHint("its first lines are:\n---\nragnb: 1\ntitle: …\n---"))
		return
	}
	text := d.Text(d.Blocks[0])
	text = text[strings.IndexByte(text, '\n')+1:]
	text = text[:strings.LastIndex(text, "---")]
	fields, lines, err := decode(text)
	if err != nil {
		r.add(d.yaml(1, nil, err))
		return
	}
	b := body{document: d, line: 1, fields: fields, lines: lines}
	b.check(frontFields, fields, "")
	r.Wrong = append(r.Wrong, b.wrong...)
	if len(b.wrong) > 0 {
		return
	}
	f := &d.Front
	f.Version, f.Title, f.Lang = int(NumberOf(fields["ragnb"])), WordsOf(fields["title"]), TextsOf(fields["lang"])
	if f.Version != 1 {
		r.add(d.Wrong(1+lines["ragnb"], nil, "front_version", "ragnb is %v; this program reads version 1", fields["ragnb"]).
			With("version", fields["ragnb"]).
			WithHint("a newer program may read it"))
	}
	if len(f.Lang) == 0 {
		f.Lang = []string{"en", "ja"}
	}
	for _, lang := range f.Lang {
		if lang != "en" && lang != "ja" {
			r.add(d.Wrong(1+lines["lang"], nil, "front_lang", "lang holds %q; languages are en and ja", lang).With("lang", lang))
		}
	}
	r.schedules(fields, lines)
}

func (r *Reader) schedules(fields map[string]any, lines map[string]int) {
	list, _ := fields["schedules"].([]any)
	for _, item := range list {
		m, ok := item.(map[string]any)
		b := body{document: r.Document, line: 1 + lines["schedules"]}
		if ok {
			b.check(scheduleFields, m, "schedules.")
		} else {
			b.add(b.mistake("schedules", "type", "schedules holds %v; a schedule is a mapping with name and cron", item).
				With("value", ShownValue(item)).With("must", Words{"a mapping with name and cron", "name と cron を持つマッピング"}).
				With("doc", Words{"schedules: [{name: weekly, cron: 0 6 * * 1}]", "schedules: [{name: weekly, cron: 0 6 * * 1}]"}))
		}
		r.Wrong = append(r.Wrong, b.wrong...)
		if len(b.wrong) > 0 || len(r.Wrong) > MaxMistakes {
			return
		}
		s := Schedule{Name: TextOf(m["name"]), Cron: TextOf(m["cron"]), Zone: TextOf(m["zone"]), Limit: TextOf(m["budget"]),
			Notify: TextsOf(m["notify"])}
		s.Params, _ = m["params"].(map[string]any)
		if _, err := timetable.ParseTimetable(s.Cron, s.Zone, time.Time{}); err != nil {
			r.add(r.Document.at(b.line, err))
		}
		if _, err := experiments.ParseBudget(s.Limit); err != nil {
			r.add(r.Document.at(b.line, err))
		}
		if slices.ContainsFunc(r.Document.Front.Schedules, func(o Schedule) bool { return o.Name == s.Name }) {
			r.add(r.Document.Wrong(b.line, nil, "schedule_twice", "two schedules are named %s", s.Name).With("name", s.Name))
		}
		s.line = b.line
		r.Document.Front.Schedules = append(r.Document.Front.Schedules, s)
	}
}

// fires checks that the parameters that schedules set are those of the notebook, and can take their values.
func (r *Reader) fires() {
	for _, s := range r.Document.Front.Schedules {
		for _, name := range SortedKeys(s.Params) {
			if _, _, err := r.Document.ParamOf(name, fmt.Sprint(s.Params[name])); err != nil {
				r.add(r.Document.at(s.line, err))
			}
		}
	}
}

// yaml turns an error of decoding into a Problem of the document; line is that of the line before the YAML.
func (d *Document) yaml(line int, c *Cell, err error) *problem.Problem {
	at, said := YAMLError(err)
	ja := said.In("ja")
	return d.Wrong(line+at, c, "cell_yaml", said.Format, said.Args...).With("said", Words{said.Message, ja.Message}).
		With("write", Words{said.Hint, ja.Hint}).WithHint(said.HintFormat, said.HintArgs...)
}
