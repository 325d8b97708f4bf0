package server

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/app/listing"
	"github.com/rag-workbench/workbench/internal/app/views"
	"github.com/rag-workbench/workbench/internal/server/api"
	"github.com/rag-workbench/workbench/internal/server/requests"
)

func TestAnExperimentIsEditedOverHTTP(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: small(t)})
	var e views.ExperimentDetail
	c.get("/experiments/k1", &e)
	if e.Revision != 1 || !strings.Contains(e.YAML, "name: k1") {
		t.Fatalf("%+v", e)
	}
	put := func(body map[string]any, want int) views.ExperimentDetail {
		sent, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		var got views.ExperimentDetail
		c.send("PUT", "/experiments/k1", string(sent), want, &got)
		return got
	}
	if same := put(map[string]any{"yaml": e.YAML}, 200); same.Revision != 1 {
		t.Errorf("the same text made revision %d:\n%s", same.Revision, e.YAML)
	}
	if same := put(map[string]any{"definition": e.Definition}, 200); same.Revision != 1 {
		t.Errorf("the same definition made revision %d", same.Revision)
	}
	edited := e.Definition
	edited.Base.Retrieve.K, edited.Base.Generate.Prompt, edited.Notes = 5, "Answer in one sentence.\nSay where it stands.",
		"nota bene: 日本語 # no comment"
	got := put(map[string]any{"definition": edited}, 200)
	if got.Revision != 2 || got.Definition.Base.Retrieve.K != 5 || got.Definition.Base.Generate.Prompt != edited.Base.Generate.Prompt ||
		got.Definition.Notes != edited.Notes {
		t.Errorf("%+v", got.Definition)
	}
	if again := put(map[string]any{"yaml": got.YAML}, 200); again.Revision != 2 {
		t.Errorf("the text of revision 2 made revision %d:\n%s", again.Revision, got.YAML)
	}
	put(map[string]any{"yaml": strings.Replace(got.YAML, "name: k1", "name: other", 1)}, 422)
	var list listing.Listed[views.ExperimentRow]
	c.send("POST", "/experiments/k1/archive", `{"archived":true}`, 200, nil)
	c.get("/experiments", &list)
	if list.Total != 1 {
		t.Errorf("%d experiments beside the archived one", list.Total)
	}
	c.get("/experiments?archived=true", &list)
	if list.Total != 2 {
		t.Errorf("%d experiments with the archived one", list.Total)
	}
}

// An experiment that is sent reads no file of the server and reaches no address of its own.
func TestExperimentsNameNoFilesAndNoAddresses(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: small(t)})
	dir := t.TempDir()
	for name, text := range map[string]string{"prompt.md": canary, "prompt.txt": canary,
		"metrics.yaml": "{id: m, kind: critic, instruction: " + canary + "}"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	head := "name: x\ncorpus: airline-en\ndataset: airline-en\nsuite: [hit]\n"
	for _, test := range []struct{ yaml, code, field string }{
		{head + "base: {generate: {prompt: %s/prompt.md}}", "experiment_files", "base.generate.prompt"},
		{head + "base: {generate: {prompt: %s/prompt.txt}}", "experiment_files", "base.generate.prompt"},
		{head + "base: {generate: {prompt: %s/none.md}}", "experiment_files", "base.generate.prompt"},
		{head + "base: {generate: {prompt: ../../prompt.md}}", "experiment_files", "base.generate.prompt"},
		{head + "base: {generate: {prompt: &p %s/prompt.md}}\nsweep: {generate.prompt: [*p]}", "experiment_files", "base.generate.prompt"},
		{head + "sweep: {generate.prompt: [%s/prompt.md, b]}", "experiment_files", "sweep.generate.prompt"},
		{head + "pairs: [{generate.prompt: [%s/prompt.txt, b], retrieve.k: [1, 2]}]", "experiment_files", "pairs.generate.prompt"},
		{head + "judge: {prompts: {trust: %s/prompt.md}}", "experiment_files", "judge.prompts.trust"},
		{head + "metrics: [%s/metrics.yaml]", "experiment_files", "metrics"},
		{head + "metrics: %s/metrics.yaml", "experiment_files", "metrics"},
		{head + "base: " + strings.Repeat("[", 5000), "experiment_yaml", "yaml"},
		{head +
			"base: {a: &a [1,1,1,1,1,1,1,1,1], b: &b [*a,*a,*a,*a,*a,*a,*a,*a,*a], c: &c [*b,*b,*b,*b,*b,*b,*b,*b,*b], d: &d [*c,*c,*c,*c,*c,*c,*c,*c,*c], " +
			"e: &e [*d,*d,*d,*d,*d,*d,*d,*d,*d], f: &f [*e,*e,*e,*e,*e,*e,*e,*e,*e], g: [*f,*f,*f,*f,*f,*f,*f,*f,*f]}",
			"experiment_yaml", "yaml"},
		{"name: x\ncorpus: %s\ndataset: airline-en", "corpus_unknown", "corpus"},
		{"name: x\ncorpus: airline-en\ndataset: %s/prompt.md", "dataset_unknown", "dataset"},
		{head + "sweep: {corpus: [airline-en, %s]}", "corpus_unknown", "corpus"},
		{head + "base: {generate: {provider: http://169.254.169.254/, model: m}}", "", ""},
		{head + "base: {endpoint: {name: x, url: 'http://169.254.169.254/'}}", "", ""},
		{head + "base: {generate: {base_url: 'http://127.0.0.1:1/', model: m}}", "", ""},
		{head + "judge: {provider: openai, model: m, base_url: 'http://evil.example/'}", "", ""},
		{"name: x\ndataset: airline-en\nendpoint: 'http://169.254.169.254/'", "", ""},
	} {
		sent := test.yaml
		if strings.Contains(sent, "%s") {
			sent = fmt.Sprintf(sent, dir)
		}
		body, err := json.Marshal(map[string]string{"yaml": sent})
		if err != nil {
			t.Fatal(err)
		}
		status, _, got := c.do("POST", requests.Prefix+"/experiments/preview", string(body))
		if strings.Contains(got, canary) {
			t.Errorf("%s shows the file: %s", sent, got)
		}
		var p requests.Problem
		if err := json.Unmarshal([]byte(got), &p); err != nil || status == 200 && !strings.Contains(sent, "provider: http") ||
			test.code != "" && (p.Code != test.code || p.Field != test.field) {
			t.Errorf("%s = %d %s (%v)", sent, status, got, err)
		}
	}
}

// takesPassword are the routes on which people prove who they are, or say how they will.
var takesPassword = map[string]bool{"/session": true, "/setup": true, "/password-reset": true, "/me/password": true, "/accounts": true}

// sentBack are what an identity provider may append to the address that people come back to. It is taken, so that they are not refused
// for it, and never looked at.
var sentBack = map[string]string{"/session/oidc/callback": "error_uri"}

// guardedAddress is the one address that arrives over HTTP: outbound.PublicOnly judges every connection to it, and its key is bound to its
// origin by the owner of the machine (docs/adr/0045).
var guardedAddress = map[string]string{"/settings/providers/{name}": "base_url"}

// No request of the contract has a place for a key, and but one for an address, so that nobody can send the server or a key of it anywhere.
func TestNoRequestHoldsAnAddressOrAKey(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: fresh(t)})
	suspect := regexp.MustCompile(`(?i)url|uri|address|host|proxy|api_?key|secret|password|header`)
	contract := c.contract(t)
	schemas := contract.Components.Schemas
	for path, item := range contract.Paths {
		for _, op := range []*struct{ names []string }{{requestNames(item.Post, schemas)}, {requestNames(item.Put, schemas)},
			{requestNames(item.Patch, schemas)}, {requestNames(item.Get, schemas)}} {
			for _, name := range op.names {
				if own := name == "password" && takesPassword[path] || name == sentBack[path] ||
					name == guardedAddress[path]; suspect.MatchString(name) && !own {
					t.Errorf("%s takes %s", path, name)
				}
			}
		}
	}
}

// What a form says of a sweep comes back as it was said, and what is probably not meant is named beside it.
func TestASweepIsKeptAsAFormSaysIt(t *testing.T) {
	t.Parallel()
	c := serve(t, Options{Workbench: small(t)})
	var seen api.ExperimentPreview
	c.send("POST", "/experiments/preview", `{"definition":{"name":"pairs","corpus":"airline-en","dataset":"airline-en","suite":["hit"],
		"base":{"chunk":{"by":"chars","size":400,"overlap":10},"retrieve":{"mode":"dense","k":3}},
		"sweep":[{"name":"chunk.size","values":[400,800]},{"name":"retrieve.k","values":[3,5]},
			{"name":"chunk.overlap","values":[300,"12%"],"with":"chunk.size"}],
		"except":[{"chunk.size":400,"retrieve.k":[5]}],"generate":{"top":2,"by":"ndcg"}}}`, 200, &seen)
	d := seen.Definition
	var names []string
	for _, a := range d.Sweep {
		names = append(names, a.Name+" "+a.With)
	}
	if diff := cmp.Diff([]string{"retrieve.k ", "chunk.size ", "chunk.overlap chunk.size"}, names); diff != "" {
		t.Errorf("axes (-want +got):\n%s", diff)
	}
	if len(d.Except) != 1 || d.Best == nil || d.Best.Top != 2 || d.Best.By != "ndcg" {
		t.Errorf("left out %v, best %+v", d.Except, d.Best)
	}
	if all, _, err := d.Expand(); err != nil || len(all) != 3 {
		t.Errorf("%d configurations, %v", len(all), err)
	}
	if len(seen.Doubts) != 1 || seen.Doubts[0].Field != "chunk.overlap" {
		t.Errorf("doubts %+v", seen.Doubts)
	}
	sent, err := json.Marshal(map[string]any{"yaml": seen.YAML})
	if err != nil {
		t.Fatal(err)
	}
	var again api.ExperimentPreview
	c.send("POST", "/experiments/preview", string(sent), 200, &again)
	if diff := cmp.Diff(d, again.Definition); diff != "" {
		t.Errorf("the file says something else (-form +file):\n%s", diff)
	}
}
