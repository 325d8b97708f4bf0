package experiments

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/problem"
)

const riskFile = `
id: risk
en: Risk
ja: リスク
multi: true
labels:
  - {id: money, en: Money, ja: 金銭, include: A wrong answer costs money., words: [refund, 手数料]}
  - id: safety
    en: Safety
    ja: 安全
    include: A wrong answer can hurt people.
    exclude: Lost luggage.
    examples: [May I bring a lithium battery?]
aliases: [[refund, 払戻, 払い戻し]]
gold:
  - {question_id: q1, labels: [money]}
  - {question_id: q2, labels: []}
`

func TestTaxonomyFile(t *testing.T) {
	t.Parallel()
	want := Taxonomy{
		ID: "risk", EN: "Risk", JA: "リスク", Multi: true,
		Labels: []TaxonomyLabel{
			{ID: "money", EN: "Money", JA: "金銭", Include: "A wrong answer costs money.", Words: []string{"refund", "手数料"}},
			{ID: "safety", EN: "Safety", JA: "安全", Include: "A wrong answer can hurt people.", Exclude: "Lost luggage.",
				Examples: []string{"May I bring a lithium battery?"}},
		},
		Aliases: []AliasGroup{{"refund", "払戻", "払い戻し"}},
		Gold:    []GoldLabel{{QuestionID: "q1", Labels: []string{"money"}}, {QuestionID: "q2", Labels: []string{}}},
	}
	path := filepath.Join(t.TempDir(), "risk.yaml")
	write := func(body []byte) Taxonomy {
		if err := os.WriteFile(path, body, 0o600); err != nil {
			t.Fatal(err)
		}
		got, err := ReadTaxonomy(path)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	got := write([]byte(riskFile))
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	body, err := got.YAML()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, write(body)); diff != "" {
		t.Errorf("written and read again: %s", diff)
	}
	for id, names := range map[string][2]string{"money": {"Money", "金銭"}, "other": {"Other", "その他"}, "gone": {"gone", "gone"}} {
		if en, ja := got.Name(id, "en"), got.Name(id, "ja"); en != names[0] || ja != names[1] {
			t.Errorf("%s is called %s and %s", id, en, ja)
		}
	}
}

func TestTaxonomyFaults(t *testing.T) {
	t.Parallel()
	label := "\nlabels: [{id: a, en: A, ja: A, include: x}]"
	for name, c := range map[string]struct{ file, says string }{
		"unknown field": {"id: r" + label + "\nincl: x", `there is no field "incl"`},
		"no id":         {"en: r" + label, "id: "},
		"bad id":        {"id: Risk Level" + label, "Risk Level"},
		"no labels":     {"id: r\nen: R", "labels: is empty"},
		"other":         {"id: r\nlabels: [{id: other, en: A, ja: A, include: x}]", "labels.other"},
		"twice": {"id: r\nlabels: [{id: a, en: A, ja: A, include: x}, {id: a, en: A, ja: A, include: x}]",
			"labels.a: stands there twice"},
		"no rule":        {"id: r\nlabels: [{id: a, en: A, ja: A}]", "labels.a.include"},
		"one name":       {"id: r\nlabels: [{id: a, en: A, include: x}]", "labels.a: needs a name"},
		"gold":           {"id: r" + label + "\ngold: [{question_id: q, labels: [b]}]", "gold[0]: question q has the label \"b\""},
		"gold of none":   {"id: r" + label + "\ngold: [{labels: [a]}]", "question_id"},
		"long rule":      {"id: r\nlabels: [{id: a, en: A, ja: A, include: " + strings.Repeat("x", 2001) + "}]", "2000 characters"},
		"not UTF-8":      {"id: r\xff" + label, "UTF-8"},
		"not a taxonomy": {"- 1\n- 2", "[1, 2] stands where names with values"},
		"negative":       {"id: r\nversion: -1" + label, "version"},
	} {
		_, err := ParseTaxonomy([]byte(c.file))
		if !problem.Is(err, problem.Invalid) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := ReadTaxonomy(filepath.Join(t.TempDir(), "none.yaml")); problem.CodeOf(err) != "taxonomy_file" {
		t.Errorf("a missing file: %v", err)
	}
}

func TestTaxonomySucceeds(t *testing.T) {
	t.Parallel()
	stored, err := ParseTaxonomy([]byte(riskFile))
	if err != nil {
		t.Fatal(err)
	}
	stored.Version = 4
	edit := func(version int, change func(*Taxonomy)) Taxonomy {
		x, _ := ParseTaxonomy([]byte(riskFile))
		x.Version = version
		change(&x)
		return x
	}
	rename := func(x *Taxonomy) { x.Labels[0].JA = "お金" }
	for name, c := range map[string]struct {
		file    Taxonomy
		version int
		changed bool
		code    string
	}{
		"the same":         {edit(4, func(*Taxonomy) {}), 4, false, ""},
		"the same, raised": {edit(5, func(*Taxonomy) {}), 4, false, ""},
		"edited":           {edit(4, rename), 5, true, ""},
		"edited, raised":   {edit(5, rename), 5, true, ""},
		"without version":  {edit(0, rename), 5, true, ""},
		"from an old one":  {edit(3, rename), 0, false, "taxonomy_version"},
		"label lost":       {edit(4, func(x *Taxonomy) { x.Labels, x.Gold = x.Labels[1:], nil }), 0, false, "taxonomy_id_lost"},
	} {
		next, changed, err := c.file.Succeed(&stored)
		if problem.CodeOf(err) != c.code || c.code == "" && (next.Version != c.version || changed != c.changed) {
			t.Errorf("%s: version %d, changed %v, %v", name, next.Version, changed, err)
		}
	}
}
