package experiments

import (
	"bytes"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/text"
	"github.com/rag-workbench/workbench/internal/text/yaml"
)

// The taxonomies with a meaning of their own.
const (
	ThemeTaxonomy    = "theme"    // what questions are about; proposed from the questions where nobody wrote one
	CategoryTaxonomy = "category" // never assigned: its gold labels are compared with the categories that were found
)

// The bounds of a taxonomy. A closed choice among more labels is no choice that a judge makes reliably.
const (
	maxTaxonomyLabels = 40
	maxTaxonomyText   = 2000 // code points of a rule
	maxTaxonomyWords  = 200  // key words or examples of a label
	maxTaxonomyGold   = 10_000
)

// slugShape is what ids of taxonomies and labels look like.
var slugShape = text.Lazy(`^[a-z0-9][a-z0-9_-]{0,59}$`)

// ReadTaxonomy reads a taxonomy file, YAML in any encoding that [text.Decode] knows.
func ReadTaxonomy(path string) (Taxonomy, error) {
	raw, err := text.ReadFile(path, MaxDefinitionBytes)
	switch {
	case problem.CodeOf(err) == "file_too_large":
		return Taxonomy{}, err
	case err != nil:
		return Taxonomy{}, problem.New(problem.NotFound, "taxonomy_file", "cannot read the taxonomy file %s", path).With("file", path).
			Because(err).WithHint("check the path; `workbench questions RUN --export-taxonomy FILE` writes one to begin with")
	}
	s, _, err := text.Decode(raw)
	var t Taxonomy
	if err == nil {
		t, err = ParseTaxonomy([]byte(s))
	}
	if err != nil {
		p := *problem.From(err)
		p.Message = filepath.Base(path) + ": " + p.Message
		return Taxonomy{}, p.With("file", path)
	}
	return t, nil
}

// ParseTaxonomy parses and validates a taxonomy file. A field nobody knows is refused, because a misspelt rule would otherwise be
// passed over.
func ParseTaxonomy(raw []byte) (Taxonomy, error) {
	var t Taxonomy
	if err := yaml.ReadStrict(raw, &t); err != nil {
		return Taxonomy{}, yaml.Wrong("taxonomy_yaml", err)
	}
	return t, t.Validate()
}

// YAML is the taxonomy as an editable file.
func (t Taxonomy) YAML() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("# Edit names, rules, examples and words, and add labels; then: workbench questions RUN --taxonomy THIS-FILE\n" +
		"# Ids are append-only: a renamed label keeps its id. version is the version that this file was written from.\n" +
		"# A label with since was appended for questions that fitted none; without since every question is asked about it.\n")
	body, err := yaml.WriteTexts(t)
	if err != nil {
		return nil, fmt.Errorf("write taxonomy %s: %w", t.ID, err)
	}
	b.Write(body)
	return b.Bytes(), nil
}

// String is id@version.
func (t Taxonomy) String() string { return fmt.Sprintf("%s@%d", t.ID, t.Version) }

// Label returns the label with this id.
func (t Taxonomy) Label(id string) (TaxonomyLabel, bool) {
	for _, l := range t.Labels {
		if l.ID == id {
			return l, true
		}
	}
	return TaxonomyLabel{}, false
}

// Name is the display name of a label in lang, "ja" or else English. The label of questions that fit none has one too, and an id
// that the taxonomy does not know is its own name.
func (t Taxonomy) Name(id, lang string) string {
	l, ok := t.Label(id)
	switch {
	case !ok && id == OtherLabel && lang == "ja":
		return "その他"
	case !ok && id == OtherLabel:
		return "Other"
	case !ok:
		return id
	case lang == "ja":
		return l.JA
	}
	return l.EN
}

// Validate returns a Problem that names the first label and field which is missing or impossible.
func (t Taxonomy) Validate() error {
	switch {
	case !slugShape.MatchString(t.ID):
		return taxonomyFault("id", "%q is no id", t.ID).WithHint("lower-case letters, digits, - and _, for example risk")
	case t.Version < 0:
		return taxonomyFault("version", "is %d; it must be 0, for a new one, or more", t.Version)
	case len(t.Labels) == 0:
		return taxonomyFault("labels", "is empty").WithHint("write at least one label: id, en, ja, include")
	case len(t.Labels) > maxTaxonomyLabels:
		return taxonomyFault("labels", "holds %d labels; the limit is %d", len(t.Labels), maxTaxonomyLabels).
			WithHint("merge labels: people and judges choose badly among so many")
	case len(t.Gold) > maxTaxonomyGold:
		return taxonomyFault("gold", "holds %d labels; the limit is %d", len(t.Gold), maxTaxonomyGold)
	}
	seen := map[string]bool{}
	for i, l := range t.Labels {
		where := fmt.Sprintf("labels[%d]", i)
		if l.ID != "" {
			where = "labels." + l.ID
		}
		if err := l.validate(where); err != nil {
			return err
		}
		if seen[l.ID] {
			return taxonomyFault(where, "stands there twice")
		}
		seen[l.ID] = true
	}
	for i, g := range t.Gold {
		for _, id := range g.Labels {
			if !seen[id] && id != OtherLabel {
				return taxonomyFault(fmt.Sprintf("gold[%d]", i), "question %s has the label %q, which is none of labels", g.QuestionID, id)
			}
		}
		if g.QuestionID == "" {
			return taxonomyFault(fmt.Sprintf("gold[%d]", i), "names no question_id")
		}
	}
	return nil
}

func (l TaxonomyLabel) validate(where string) error {
	switch {
	case !slugShape.MatchString(l.ID):
		return taxonomyFault(where+".id", "%q is no id", l.ID).WithHint("lower-case letters, digits, - and _, for example refunds")
	case l.ID == OtherLabel:
		return taxonomyFault(where, "is what questions get that fit no label; it is always there").WithHint("remove it from labels")
	case strings.TrimSpace(l.EN) == "" || strings.TrimSpace(l.JA) == "":
		return taxonomyFault(where, "needs a name in en and in ja")
	case strings.TrimSpace(l.Include) == "":
		return taxonomyFault(where+".include", "is empty").WithHint("say in a sentence what belongs to it: the judge knows nothing else")
	case l.Since < 0:
		return taxonomyFault(where+".since", "is %d; it must be a version, or be left out", l.Since)
	case len(l.Words) > maxTaxonomyWords || len(l.Examples) > maxTaxonomyWords:
		return taxonomyFault(where, "holds more than %d words or examples", maxTaxonomyWords)
	}
	for _, s := range slices.Concat([]string{l.EN, l.JA, l.Include, l.Exclude}, l.Examples, l.Words) {
		if err := CheckText(s); err != nil {
			return taxonomyFault(where, "%v", err)
		}
		if len([]rune(s)) > maxTaxonomyText {
			return taxonomyFault(where, "holds a text of more than %d characters", maxTaxonomyText)
		}
	}
	return nil
}

func taxonomyFault(field, format string, args ...any) *problem.Problem {
	return problem.New(problem.Invalid, "taxonomy_field", "%s: %s", field, fmt.Sprintf(format, args...)).With("field", field)
}

// Succeed returns the taxonomy with the version it gets after the newest stored one, nil for none. changed is false where they
// say the same. A file must have been written from the newest version, or raise it by one; and it must keep every id, because
// labels of earlier runs name them.
func (t Taxonomy) Succeed(newest *Taxonomy) (next Taxonomy, changed bool, err error) {
	if newest == nil {
		t.Version = max(1, t.Version)
		return t, true, nil
	}
	for _, l := range newest.Labels {
		if _, ok := t.Label(l.ID); !ok {
			return t, false, problem.New(problem.Conflict, "taxonomy_id_lost",
				"taxonomy %s has the label %s since an earlier version, and the file lacks it", t.ID, l.ID).
				With("label", l.ID).
				WithHint("ids are append-only: keep the label, and say under include that nothing belongs to it any more")
		}
	}
	same := t
	same.Version = newest.Version
	if reflect.DeepEqual(normalTaxonomy(same), normalTaxonomy(*newest)) {
		return *newest, false, nil
	}
	if t.Version != 0 && t.Version != newest.Version && t.Version != newest.Version+1 {
		return t, false, problem.New(problem.Conflict, "taxonomy_version", "the file was written from %s, and the newest is version %d", t,
			newest.Version).
			With("version", t.Version).With("newest", newest.Version).
			WithHint("write the newest with --export-taxonomy FILE, and edit that")
	}
	t.Version = newest.Version + 1
	return t, true, nil
}

// normalTaxonomy makes empty lists nil, so that a taxonomy equals itself after being written and read.
func normalTaxonomy(t Taxonomy) Taxonomy {
	t.Labels = slices.Clone(t.Labels)
	for i, l := range t.Labels {
		if len(l.Examples) == 0 {
			t.Labels[i].Examples = nil
		}
		if len(l.Words) == 0 {
			t.Labels[i].Words = nil
		}
	}
	if len(t.Aliases) == 0 {
		t.Aliases = nil
	}
	if len(t.Gold) == 0 {
		t.Gold = nil
	}
	return t
}
