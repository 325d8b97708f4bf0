package laboratory

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/internal/analysis/causes"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/metrics"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/rag/remote"
)

// bot is somebody's question answering system: it finds its own contexts, k of them, the answer at the third place, and does as the
// system prompt says.
type bot struct{}

func (bot) Info() llm.Info {
	return llm.Info{Name: "endpoint bot", Kind: "endpoint", Origin: "https://bot.example"}
}

func (bot) Embed(context.Context, llm.Embedding, []string) ([][]float32, error) { return nil, nil }

func (bot) Complete(_ context.Context, req llm.Request) (llm.Reply, error) {
	var ask llm.EndpointRequest
	if err := json.Unmarshal(req.Data, &ask); err != nil {
		return llm.Reply{}, err
	}
	var body struct {
		Q        string   `json:"q"`
		K        int      `json:"k"`
		Prompt   string   `json:"prompt"`
		Contexts []string `json:"contexts"`
	}
	if err := json.Unmarshal([]byte(ask.Body), &body); err != nil {
		return llm.Reply{}, err
	}
	type shown struct {
		Text string `json:"text"`
		ID   string `json:"id"`
	}
	var out struct {
		Answer   string  `json:"answer"`
		Contexts []shown `json:"contexts"`
	}
	out.Answer = "The documents do not say."
	for i, id := range []string{"lounge", "meals", "pets", "saver", "typhoon"} {
		if i < body.K {
			out.Contexts = append(out.Contexts, shown{causeRulesEN[id], id})
			body.Contexts = append(body.Contexts, causeRulesEN[id])
		}
	}
	if strings.Contains(strings.Join(body.Contexts, " "), causeAsked[2].quote) && body.Prompt != "Be short." {
		out.Answer = causeAsked[2].quote
	}
	reply, err := json.Marshal(out)
	return llm.Reply{Text: string(reply), FinishReason: "stop"}, err
}

// botProviders reach the bot.
type botProviders struct{ causeProviders }

func (botProviders) Endpoint(remote.Endpoint) (llm.Provider, error) { return bot{}, nil }

func (botProviders) Log(context.Context, rag.LogRef) (*rag.Log, error) { return nil, nil }

// TestEndpointCauses takes a system that runs elsewhere apart as far as its template goes.
func TestEndpointCauses(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		template string
		k        int
		prompt   string
		method   causes.CauseMethod
		want     causes.Component
		param    string
	}{
		"k": {`{"q": "{{question}}", "k": {{k}}}`, 2, "", causes.Tested, causes.Retriever, "retrieve.k"},
		"prompt": {`{"q": "{{question}}", "k": {{k}}, "prompt": "{{system_prompt}}"}`, 4, "Be short.", causes.Tested, causes.SystemPrompt,
			"generate.prompt"},
		"opaque": {`{"q": "{{question}}"}`, 0, "", causes.Observed, causes.Retriever, ""},
		"our own contexts": {`{"q": "{{question}}", "contexts": {{contexts}}, "prompt": "{{system_prompt}}"}`, 3, "Be short.", causes.Tested,
			causes.SystemPrompt, "generate.prompt"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			endpoint := remote.Endpoint{Name: "bot", URL: "https://bot.example/ask", Method: http.MethodPost, Template: c.template,
				Answer: "answer"}
			if !strings.Contains(c.template, "{{contexts}}") {
				endpoint.Contexts = "contexts"
			}
			base := goodConfig()
			base.Retrieve.K, base.Generate.Prompt = max(1, c.k), c.prompt
			config := base.WithEndpoint(endpoint)
			corpus, stages, q := causeCorpus(nil), newCauseStages(), causeQuestions(false)[2]
			ctx := llm.WithScope(t.Context(), llm.Scope{RunID: "run", QuestionID: q.ID})
			providers := botProviders{offlineEverything()}
			system, err := rag.Open(ctx, config, corpus, providers, rag.NewIndexes(1), stages)
			if err != nil {
				t.Fatal(err)
			}
			defer system.Close()
			answer, err := system.Answer(ctx, q.Text)
			if err != nil {
				t.Fatal(err)
			}
			e := evaluated(t, goodConfig(), corpus, []experiments.Question{q}, stages)
			e.Run.Setup.Config = config
			suite, err := metrics.NewSuite(e.Run.Setup.Suite, e.Run.Setup.Judge, providers, stages)
			if err != nil {
				t.Fatal(err)
			}
			scores, err := suite.Score(ctx, q.Sample(corpus, answer))
			if err != nil {
				t.Fatal(err)
			}
			e.Results = []experiments.Result{{QuestionID: q.ID, Answer: &answer, Scores: scores}}
			run := experiments.Run{ID: "diagnose", Setup: e.Run.Setup}
			run.Setup.Analysis = &experiments.AnalysisSetup{Version: causes.CauseVersion}
			analyst, err := OpenDiagnosis(ctx, run,
				DiagnosisSource{Evaluation: e, Corpus: corpus, Providers: providers, Indexes: rag.NewIndexes(1), Stages: stages})
			if err != nil {
				t.Fatal(err)
			}
			defer analyst.Close()
			found, err := analyst.Finding(ctx, q)
			if err != nil {
				t.Fatal(err)
			}
			d, ok := found.Body.(causes.Diagnosis)
			if !ok {
				t.Fatalf("no diagnosis: %+v of %q", found, answer.Text)
			}
			param := ""
			if len(d.Repairs) > 0 {
				param = d.Repairs[0].Param
			}
			if d.Component != c.want || d.Method != c.method || param != c.param {
				t.Errorf("%s %s %s (%s), want %s %s %s; %+v", d.Method, d.Component, param, d.Detail, c.method, c.want, c.param, d.Steps)
			}
		})
	}
}
