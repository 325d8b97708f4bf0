package wording

import (
	"maps"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestCataloguesAgree(t *testing.T) {
	t.Parallel()
	en, ja := Catalogues()["en"], Catalogues()["ja"]
	if diff := cmp.Diff(slices.Sorted(maps.Keys(en)), slices.Sorted(maps.Keys(ja))); diff != "" {
		t.Errorf("keys (-en +ja):\n%s", diff)
	}
	for key := range en {
		if diff := cmp.Diff(placeholders(en[key]), placeholders(ja[key])); diff != "" {
			t.Errorf("%s placeholders (-en +ja):\n%s", key, diff)
		}
		if strings.TrimSpace(en[key]) == "" || strings.TrimSpace(ja[key]) == "" {
			t.Errorf("%s is empty", key)
		}
		if strings.HasPrefix(key, "sheet.") && (utf8.RuneCountInString(en[key]) > 31 || utf8.RuneCountInString(ja[key]) > 31) {
			t.Errorf("%s is longer than a sheet name may be", key)
		}
	}
}

func placeholders(text string) []string {
	names := []string{}
	for _, m := range placeholder.FindAllStringSubmatch(text, -1) {
		if !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	slices.Sort(names)
	return names
}

func TestSay(t *testing.T) {
	t.Parallel()
	c := Catalogue{"k": "{n} {n?question|questions} of {m}, {unknown}"}
	for n, want := range map[int]string{1: "1 question of 5, {unknown}", 2: "2 questions of 5, {unknown}",
		0: "0 questions of 5, {unknown}"} {
		if got := c.Say("k", "n", n, "m", 5); got != want {
			t.Errorf("say = %q, want %q", got, want)
		}
	}
	if got := c.Say("k", "n", "{m}", "m", 5); got != "{m} questions of 5, {unknown}" {
		t.Errorf("a value was taken for a placeholder: %q", got)
	}
}
