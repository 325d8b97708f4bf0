package server

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/server/api"
)

// TestAStudyIsVerifiedOverHTTP: what follows from its replies is equal, what was changed is named, and no file is left behind.
func TestAStudyIsVerifiedOverHTTP(t *testing.T) {
	t.Parallel()
	run, study := exported(t)
	dir := t.TempDir()
	c := serve(t, Options{Workbench: fresh(t), TempDir: dir})
	verified := func(file string, more ...part) (v views.Verified) {
		t.Helper()
		work := sent[api.Job](c, api.VerificationPath, 200, append([]part{{"file", "study.zip", file}}, more...)...)
		c.done(work.ID)
		c.get("/jobs/"+work.ID+"/result", &v)
		return v
	}
	if v := verified(study); !v.Equal || !v.Complete || len(v.Runs) != 1 || v.Runs[0].ID != run || v.Runs[0].Recomputed == 0 {
		t.Errorf("%+v", v)
	}
	v := verified(forged(t, study, func(r map[string]any) { r["chain"] = "x" }))
	if v.Equal {
		t.Errorf("a study that was changed: %+v", v)
	}
	said := slices.Clone(v.Runs[0].Different)
	for _, f := range v.Findings {
		said = append(said, f.Message)
	}
	for _, english := range said {
		if ja := v.JA[english]; ja == english || !regexp.MustCompile(`[ぁ-ん]`).MatchString(ja) {
			t.Errorf("%q is %q in Japanese", english, ja)
		}
	}
	for code, parts := range map[string][]part{
		"study_file":   {{"file", "study.zip", "text"}},
		"study_digest": {{"file", "study.zip", study}, {field: "digest", content: strings.Repeat("0", 16)}},
		"upload_field": {{"file", "study.zip", study}, {field: "other", content: "x"}},
	} {
		status, body := c.upload(api.VerificationPath, parts...)
		if status != 422 || !strings.Contains(body, `"`+code+`"`) || strings.Contains(body, dir) {
			t.Errorf("%s: %d %s", code, status, body)
		}
	}
	c.server.work.Close() // the jobs are over
	if files := left(t, dir); len(files) != 0 {
		t.Errorf("left behind: %v", files)
	}
}
