package llm_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/rag-workbench/workbench/internal/fakeprovider"
	"github.com/rag-workbench/workbench/internal/llm"
)

// formOf is the form in which a request was held to its schema.
func formOfRequest(t *testing.T, r fakeprovider.Request) string {
	t.Helper()
	var sent struct {
		Format struct{ Type string } `json:"response_format"`
	}
	if err := json.Unmarshal(r.Body, &sent); err != nil {
		t.Error(err)
	}
	switch sent.Format.Type {
	case "json_schema":
		return "schema"
	case "json_object":
		return "object"
	}
	return "prompt"
}

// TestAProbeFindsTheFormOfReplies has servers that know some forms only; what was found decides the first request of a provider that is
// opened with it.
func TestAProbeFindsTheFormOfReplies(t *testing.T) {
	t.Parallel()
	const pure, prose = `{"reason":"fits","score":5}`, "Here: {\"reason\":\"fits\",\"score\":5} – as you asked."
	refuse := fakeprovider.Behaviour{Fault: fakeprovider.ClientError, Body: "'response_format' of type json_schema is not supported"}
	say := func(text string) fakeprovider.Behaviour {
		return fakeprovider.Behaviour{Fault: fakeprovider.Content, Body: text}
	}
	for _, c := range []struct {
		name    string
		replies map[string]fakeprovider.Behaviour
		form    string
		tried   int
		problem string
	}{
		{"all is well", map[string]fakeprovider.Behaviour{"schema": say(pure)}, "schema", 1, ""},
		{"no schemas", map[string]fakeprovider.Behaviour{"schema": refuse, "object": say(pure)}, "object", 2, ""},
		{"schemas are ignored", map[string]fakeprovider.Behaviour{"schema": say(prose), "object": say(pure)}, "object", 2, ""},
		{"always prose", map[string]fakeprovider.Behaviour{"schema": say(prose), "object": say(prose), "prompt": say(prose)},
			"schema", 3, ""},
		{"prompts only", map[string]fakeprovider.Behaviour{"schema": refuse, "object": refuse, "prompt": say(prose)}, "prompt", 3, ""},
		{"never", map[string]fakeprovider.Behaviour{"schema": say("no"), "object": say("no"), "prompt": say("no")},
			"", 3, llm.CauseSchema},
		{"a wrong key", map[string]fakeprovider.Behaviour{"schema": {Fault: fakeprovider.Unauthorized}}, "", 1, llm.CauseAuth},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var asked []string
			options := fakeprovider.Options{Behave: func(r fakeprovider.Request) fakeprovider.Behaviour {
				form := formOfRequest(t, r)
				asked = append(asked, form)
				return c.replies[form]
			}}
			r := newRig(t, options)
			probe := llm.ProbeOf(t.Context(), r.provider, model, llm.ProbeJudge, "", time.Unix(1_800_000_000, 0))
			if probe.OK != (c.form != "") || probe.Form != c.form || len(probe.Tried) != c.tried || probe.Problem != c.problem {
				t.Errorf("the probe is %+v", probe)
			}
			if len(asked) != c.tried || len(r.ledger.rows()) != c.tried {
				t.Errorf("%d requests were sent and %d booked for %d forms", len(asked), len(r.ledger.rows()), c.tried)
			}
			if c.form == "" {
				return
			}
			asked = nil
			next := newRig(t, options, func(cfg *llm.OpenAIConfig) { cfg.Forms = map[string]string{model: probe.Form} })
			_, _ = next.provider.Complete(t.Context(), judgeRequest()) // its schema is another one
			if len(asked) == 0 || asked[0] != c.form {
				t.Errorf("the next request is held in the forms %v", asked)
			}
		})
	}
}

func TestProbesOfOtherPurposes(t *testing.T) {
	t.Parallel()
	var r *rig
	r = newRig(t, fakeprovider.Options{Dimension: 48, Behave: func(fakeprovider.Request) fakeprovider.Behaviour {
		_ = r.clock.Sleep(t.Context(), 30*time.Millisecond) // each reply takes so long
		return fakeprovider.Behaviour{}
	}})
	at := time.Unix(1_800_000_000, 0)
	if p := llm.ProbeOf(t.Context(), r.provider, model, llm.ProbeEmbed, "", at); !p.OK || p.Dimensions != 48 || p.LatencyMS != 30 {
		t.Errorf("embeddings: %+v", p)
	}
	if p := llm.ProbeOf(t.Context(), r.provider, model, llm.ProbeGenerate, "", at); !p.OK || p.Provider != "fake" || p.Origin == "" {
		t.Errorf("answers: %+v", p)
	}
	if p := llm.ProbeOf(t.Context(), r.provider, model, llm.ProbeRerank, llm.RerankVoyage, at); p.OK || p.Problem == "" {
		t.Errorf("a server that does not rerank: %+v", p)
	}
	r = newRig(t, always(fakeprovider.Behaviour{Fault: fakeprovider.ClientError, Status: http.StatusNotFound, Body: "no such model"}))
	if p := llm.ProbeOf(t.Context(), r.provider, model, llm.ProbeGenerate, "", at); p.OK || !strings.Contains(p.Message, "no such model") {
		t.Errorf("a model that is not there: %+v", p)
	}
}
