package server

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/rag-workbench/workbench/internal/app/studies"
	"github.com/rag-workbench/workbench/internal/server/api"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// isJapanese says whether a text is, apart from names and keys.
func isJapanese(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana) })
}

// TestProblemsAreSaidInTheLanguageAskedFor: refusals before the API, in it and below it, and problems inside of replies.
func TestProblemsAreSaidInTheLanguageAskedFor(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: small(t), Parser: parseHere, TempDir: t.TempDir()})
	speak := func(accepted string) { c.header = map[string]string{"Accept-Language": accepted} }
	for _, asked := range [][3]string{ // method, path, body
		{"GET", "/nothing", ""}, {"POST", "/me", ""}, {"GET", "/me?token=x", ""},
		{"GET", "/runs/none", ""}, {"GET", "/runs?limit=none", ""},
		{"GET", "/datasets/none@1", ""}, {"POST", "/runs", `{"experiment":"k1","limit":-1}`}, {"POST", "/runs", `{"experiment":"none"}`},
		{"POST", "/runs", `{"experiment":"k1","nonsense":1}`}, {"POST", "/runs", `not JSON`}, {"GET", "/runs?nonsense=1", ""},
		{"POST", "/datasets", `{"token":"none","name":"x"}`},
	} {
		var said [2]requests.Problem
		for i, lang := range []string{"en", "ja;q=0.9,en;q=0.1"} {
			speak(lang)
			_, header, body := c.do(asked[0], requests.Prefix+asked[1], asked[2])
			if err := json.Unmarshal([]byte(body), &said[i]); err != nil || !slices.Contains(header.Values("Vary"), "Accept-Language") {
				t.Errorf("%v: %v %v %s", asked, err, header, body)
			}
		}
		en, ja := said[0], said[1]
		if isJapanese(en.Detail+en.Hint) || !isJapanese(ja.Detail) || en.Hint != "" && !isJapanese(ja.Hint) {
			t.Errorf("%v:\n%s (%s)\n%s (%s)", asked, en.Detail, en.Hint, ja.Detail, ja.Hint)
		}
		if en.Code != ja.Code || en.Status != ja.Status || en.Field != ja.Field || en.Title != ja.Title {
			t.Errorf("%v: %+v is not %+v", asked, en, ja)
		}
	}
	sheet := part{"file", "sheet.csv", "id,question,reference\nq1,How much?,10\nq1,Why?,11\n"}
	for _, lang := range []string{"ja", "en"} {
		speak(lang)
		var preview api.DatasetPreview
		if status, body := c.upload(requests.UploadPath, sheet); status != http.StatusOK || json.Unmarshal([]byte(body), &preview) != nil {
			t.Fatal(status, body)
		}
		if p := preview.Problem; p == nil || isJapanese(p.Detail) != (lang == "ja") || isJapanese(p.Hint) != (lang == "ja") {
			t.Errorf("in %s the preview says %+v", lang, p)
		}
		for _, row := range preview.Problems {
			if isJapanese(row.Message) != (lang == "ja") {
				t.Errorf("in %s row %d: %s", lang, row.Row, row.Message)
			}
		}
		if len(preview.Problems) == 0 {
			t.Error("no rows are wrong")
		}
		var detail studies.NotebookDetail
		c.send("POST", "/notebooks/evaluate", `{"text":"---\nragnb: 1\n---\n\n`+
			"```rag chart a\\nfrom: nothing\\n```"+`\n"}`, http.StatusOK, &detail)
		if len(detail.Problems) == 0 {
			t.Errorf("the notebook is right: %+v", detail)
		}
		for _, p := range detail.Problems {
			if isJapanese(p.Detail) != (lang == "ja") || p.Hint != "" && isJapanese(p.Hint) != (lang == "ja") {
				t.Errorf("in %s: %s (%s)", lang, p.Detail, p.Hint)
			}
		}
		var timetable struct{ Problem *struct{ Message string } }
		c.send("POST", "/schedules/preview", `{"cron":"99 * * * *"}`, http.StatusOK, &timetable)
		if p := timetable.Problem; p == nil || isJapanese(p.Message) != (lang == "ja") {
			t.Errorf("in %s the timetable says %+v", lang, p)
		}
	}
}
