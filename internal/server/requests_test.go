package server

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

// Every mistake in a request is named with the field that is to blame, and nothing from inside is shown.
func TestMistakesAreNamed(t *testing.T) {
	t.Parallel()
	w := demoed(t)
	c := serve(t, Options{Workbench: w.workbench})
	run := w.after().ID
	for _, test := range []struct {
		method, path, body string
		status             int
		field              string
	}{
		{"GET", "/runs?colour=red", "", 422, "colour"},
		{"GET", "/runs?limit=0", "", 422, "limit"},
		{"GET", "/runs?limit=501", "", 422, "limit"},
		{"GET", "/runs?limit=many", "", 422, "limit"},
		{"GET", "/runs?sort=guard_spent", "", 422, "sort"},
		{"GET", "/runs?cursor=%27%3B+DROP+TABLE+runs", "", 422, "cursor"},
		{"GET", "/runs?state=broken", "", 422, "state"},
		{"GET", "/runs/" + run + "/questions?sort=-password", "", 422, "sort"},
		{"GET", "/runs/" + run + "/questions?correctness=9", "", 422, ""},
		{"GET", "/runs/none", "", 404, ""},
		{"GET", "/runs/" + run + "/questions/none", "", 404, ""},
		{"GET", "/comparisons", "", 422, "candidate"},
		{"GET", "/comparisons?candidate=none", "", 404, ""},
		{"GET", "/comparisons/gate?candidate=" + run + "&min=nonsense", "", 422, "min"},
		{"GET", "/corpora/airline-en/chunks?doc=bad-weather.md&size=10&overlap=10", "", 422, "chunk.overlap"},
		{"GET", "/datasets/airline-en@9/questions", "", 404, ""},
		{"GET", "/judge-cards/nobody%2Fnothing", "", 404, ""},
		{"GET", "/jobs/none", "", 404, ""},
		{"POST", "/runs", `{"experiment":"airline-en","role":"admin"}`, 422, "role"},
		{"POST", "/runs", `{"experiment":"airline-en","budget":"much"}`, 422, "budget"},
		{"POST", "/runs", `{"experiment":"airline-en","questions":["none"]}`, 422, "questions"},
		{"POST", "/runs", `{"experiment":"airline-en","limit":-1}`, 422, "limit"},
		{"POST", "/runs", `{"experiment":"airline-en","filter":["theme:none"]}`, 422, ""},
		{"POST", "/runs", `{`, 400, ""},
		{"POST", "/runs", `{"experiment":"../../etc/passwd.yaml"}`, 404, ""},
		{"POST", "/session", `{"token":"x","role":"admin"}`, 422, "role"},
		{"PUT", "/baselines/other", fmt.Sprintf(`{"run":%q}`, run), 422, "run"},
		{"PATCH", "/datasets/airline-en/questions/en-001", `{"question":"  "}`, 422, "question"},
		{"PATCH", "/datasets/airline-en/questions/en-001", `{"digest":"x"}`, 422, "digest"},
		{"PUT", "/experiments/x", `{}`, 422, "yaml"},
		{"POST", "/datasets", `{"token":"none","name":"x"}`, 404, "token"},
		{"GET", "/nothing", "", 404, ""},
		{"POST", "/catalogue", "{}", 405, ""},
	} {
		p := c.refused(test.method, test.path, test.body, test.status)
		if p.Field != test.field && test.field != "" || strings.Contains(fmt.Sprint(p), canary) ||
			strings.Contains(fmt.Sprint(p), "goroutine") || p.Detail == "" {
			t.Errorf("%s %s: %+v, want field %q", test.method, test.path, p, test.field)
		}
	}
}

func TestLimitsOfRequests(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: fresh(t)})
	c.refused("POST", "/runs", `{"experiment":"`+strings.Repeat("x", requests.MaxBodyBytes)+`"}`, http.StatusRequestEntityTooLarge)
	c.refused("GET", "/runs?q="+strings.Repeat("x", maxQueryBytes), "", http.StatusRequestURITooLong)
	deep := strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000)
	if status, _, body := c.do("POST", requests.Prefix+"/experiments/preview", `{"definition":`+deep+`}`); status != 400 {
		t.Errorf("deep JSON = %d %.200s", status, body)
	}
}

// Texts that would be commands somewhere else come back as they are, as JSON, in every list.
func TestTextsAreData(t *testing.T) {
	t.Parallel()
	w := demoed(t)
	c := serve(t, Options{Workbench: w.workbench})
	for _, payload := range []string{`' OR 1=1 --`, `"; DROP TABLE runs; --`, `%27`, `<script>alert(1)</script>`, `{{7*7}}`,
		`${jndi:ldap://x}`, `../../../etc/passwd`, "a\x00b", `%s%s%n`} {
		for _, path := range []string{"/runs?q=", "/runs?experiment=", "/experiments?q=", "/datasets/airline-en/questions?q=",
			"/corpora/airline-en/documents?q=", "/runs/" + w.after().ID + "/questions?tag="} {
			var got listing.Listed[map[string]any]
			c.get(path+escaped(payload), &got)
			if got.Total != 0 {
				t.Errorf("%s%s found %d", path, payload, got.Total)
			}
		}
		for _, path := range []string{"/runs/", "/experiments/", "/datasets/", "/corpora/", "/sweeps/", "/judge-cards/"} {
			c.refused("GET", path+escaped(payload), "", http.StatusNotFound)
		}
	}
}

func escaped(s string) string {
	var out strings.Builder
	for _, b := range []byte(s) {
		fmt.Fprintf(&out, "%%%02X", b)
	}
	return out.String()
}
