package server

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/app/views"
)

// vocabularies are the words of the domain by what they name: code → English and Japanese, read from the reply of /catalogue.
func vocabularies(t *testing.T) map[string]map[string][2]string {
	t.Helper()
	c, err := views.NewViews(apptest.NewWorld(t, "").Workbench).Catalogue()
	if err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(c)
	if err != nil {
		t.Fatal(err)
	}
	var reply map[string]any
	if err := json.Unmarshal(raw, &reply); err != nil {
		t.Fatal(err)
	}
	out := map[string]map[string][2]string{"metrics": {}}
	for _, m := range c.Metrics {
		out["metrics"][m.ID] = [2]string{m.TitleEN, m.TitleJA}
	}
	lists := map[string]any{}
	for name, value := range reply {
		lists[name] = value
	}
	names, _ := reply["names"].(map[string]any)
	for name, value := range names {
		lists["names."+name] = value
	}
	for name, value := range lists {
		list, _ := value.([]any)
		words := map[string][2]string{}
		for _, entry := range list {
			w, _ := entry.(map[string]any)
			code, _ := w["code"].(string)
			en, _ := w["en"].(string)
			ja, _ := w["ja"].(string)
			if code != "" && en != "" && ja != "" {
				words[code] = [2]string{en, ja}
			}
		}
		if len(words) > 0 {
			out[name] = words
		}
	}
	return out
}

// saidTwice lists the groups of the pages' words that name two or more codes of a vocabulary as the catalogue does, in both languages.
func saidTwice(en, ja map[string]any, path string, vocabularies map[string]map[string][2]string) []string {
	var found []string
	for name, words := range vocabularies {
		var same []string
		for code, both := range words {
			english, _ := en[code].(string)
			japanese, _ := ja[code].(string)
			if strings.EqualFold(english, both[0]) && japanese == both[1] {
				same = append(same, code)
			}
		}
		if len(same) >= 2 {
			found = append(found, fmt.Sprintf("%s says %d words of the catalogue's %s again", path, len(same), name))
		}
	}
	for key, value := range en {
		inner, ok := value.(map[string]any)
		other, both := ja[key].(map[string]any)
		if ok && both {
			found = append(found, saidTwice(inner, other, strings.TrimPrefix(path+"."+key, "."), vocabularies)...)
		}
	}
	return found
}

// TestDomainWordsAreSaidOnce: what the catalogue names, the pages do not name again. They fetch /catalogue.
func TestDomainWordsAreSaidOnce(t *testing.T) {
	t.Parallel()
	all := vocabularies(t)
	for _, name := range []string{"metrics", "labels", "details", "classes", "cause_names", "data_causes", "category_names",
		"pattern_names",
		"corner_names", "chunk_units", "names.answer_kind", "names.cause_method", "names.judge_check", "names.review_verdict",
		"names.priority"} {
		if len(all[name]) < 3 {
			t.Errorf("the catalogue names %d of %s", len(all[name]), name)
		}
	}
	en, ja := pageWords(t, "en.json"), pageWords(t, "ja.json")
	for _, found := range saidTwice(en, ja, "", all) {
		t.Errorf("%s: let the page ask for it (useWords)", found)
	}
	kinds := all["names.answer_kind"]
	en["again"] = map[string]any{"right": kinds["right"][0], "wrong": kinds["wrong"][0]}
	ja["again"] = map[string]any{"right": kinds["right"][1], "wrong": kinds["wrong"][1]}
	if found := saidTwice(en, ja, "", all); len(found) == 0 {
		t.Error("two words that were put in again are not found")
	}
}

// pageWords is a file of the pages' words.
func pageWords(t *testing.T, file string) map[string]any {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "frontend", "src", "locales", file))
	if err != nil {
		t.Fatal(err)
	}
	var words map[string]any
	if err := json.Unmarshal(raw, &words); err != nil {
		t.Fatal(err)
	}
	return words
}
