package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// peer is a tool with the metric that it scores.
type peer struct {
	name, metric, does string
	install            func(context.Context, *rig) error // nil: it is there
	commands           func(r *rig, dir, models string) ([][]string, error)
	count              func(dir, said string) (int, error) // answers that got a score
}

const (
	supported = "claims of the answer supported by the contexts"
	right     = "answer against the reference"
)

// peers are what is measured, in the order of the table.
var peers = []peer{
	{"RAG Workbench", "faithfulness", supported + ": claims listed, verdicts on all of them and each passage in one call", nil,
		workbench("faithfulness"), scoredRun},
	{"Ragas", "faithfulness", supported + ": claims listed, one verdict for each over all contexts", venv("ragas"),
		python("ragas", "faithfulness"),
		lastNumber},
	{"promptfoo", "context-faithfulness", supported + ": claims listed, one verdict for each over all contexts", promptfooThere,
		promptfoo(`{"type": "context-faithfulness", "threshold": 0.5}`), promptfooCount},
	{"RAG Workbench", "correctness", right + ": a score from 1 to 5 with a reason", nil, workbench("correctness"), scoredRun},
	{"Ragas", "answer accuracy", right + ": a rating of 0, 2 or 4 without a reason, asked twice with the two texts exchanged",
		venv("ragas"), python("ragas", "accuracy"), lastNumber},
	{"promptfoo", "factuality", right + ": one of five categories with a reason", promptfooThere,
		promptfoo(`{"type": "factuality", "value": "{{reference}}"}`),
		promptfooCount},
	{"MLflow", "Correctness", right + ": yes or no with a reason", venv("mlflow"), python("mlflow", "correctness"), lastNumber},
}

// workbench imports the answers and scores them; all three commands count.
func workbench(metric string) func(*rig, string, string) ([][]string, error) {
	return func(r *rig, dir, models string) ([][]string, error) {
		files := map[string]string{
			"workbench.yaml": fmt.Sprintf("providers: {models: {base_url: %s, concurrency: %d}}\n", models, inFlight),
			"peers.yaml": fmt.Sprintf("name: peers\nanswers: log\ndataset: peers\nsuite: [%s]\n"+
				"judge: {provider: models, model: judge}\n", metric),
		}
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				return nil, err
			}
		}
		return [][]string{
			{r.workbench, "dataset", "import", "questions.jsonl", "--name", "peers", "--quiet"},
			{r.workbench, "import-answers", "answers.jsonl", "--dataset", "peers", "--name", "log", "--quiet"},
			{r.workbench, "run", "peers.yaml", "--quiet", "--json"},
		}, nil
	}
}

// scoredRun reads how many answers a run scored.
func scoredRun(_, said string) (int, error) {
	var run struct {
		Coverage struct{ Scored int }
	}
	if err := json.Unmarshal([]byte(said), &run); err != nil {
		return 0, fmt.Errorf("%w: %.200s", err, said)
	}
	return run.Coverage.Scored, nil
}

// venv installs what a list of requirements names into a virtual environment of its own.
func venv(tool string) func(context.Context, *rig) error {
	return func(ctx context.Context, r *rig) error {
		dir, wanted := filepath.Join(r.tools, tool), filepath.Join(r.here, tool+".txt")
		return once(dir, wanted, func() error {
			if err := quietly(ctx, "", "python3", "-m", "venv", dir); err != nil {
				return err
			}
			return quietly(ctx, "", filepath.Join(dir, "bin", "pip"), "install", "--quiet", "--requirement", wanted)
		})
	}
}

// promptfooThere installs the package that promptfoo.json names.
func promptfooThere(ctx context.Context, r *rig) error {
	dir, wanted := filepath.Join(r.tools, "promptfoo"), filepath.Join(r.here, "promptfoo.json")
	return once(dir, wanted, func() error {
		body, err := os.ReadFile(wanted) //nolint:gosec // of this repository
		if err == nil {
			err = os.MkdirAll(dir, 0o750)
		}
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "package.json"), body, 0o600)
		}
		if err != nil {
			return err
		}
		return quietly(ctx, dir, "npm", "install", "--silent", "--no-audit", "--no-fund")
	})
}

// once does the work unless it was done in this folder for the same list.
func once(dir, wanted string, work func() error) error {
	list, err := os.ReadFile(wanted) //nolint:gosec // of this repository
	if err != nil {
		return err
	}
	mark := filepath.Join(dir, "installed")
	if done, err := os.ReadFile(mark); err == nil && bytes.Equal(done, list) { //nolint:gosec // below the folder of the tools
		return nil
	}
	fmt.Fprintf(os.Stderr, "installing %s\n", filepath.Base(dir))
	if err := work(); err != nil {
		return err
	}
	return os.WriteFile(mark, list, 0o600)
}

func quietly(ctx context.Context, dir, name string, args ...string) error {
	c := exec.CommandContext(ctx, name, args...)
	c.Dir = dir
	if out, err := c.CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w: %s", name, err, lastLine(string(out)))
	}
	return nil
}

// python runs the script of a tool, which prints how many answers it scored.
func python(tool, metric string) func(*rig, string, string) ([][]string, error) {
	return func(r *rig, _, models string) ([][]string, error) {
		return [][]string{{filepath.Join(r.tools, tool, "bin", "python"), filepath.Join(r.here, tool+"_score.py"), metric, models,
			strconv.Itoa(inFlight)}}, nil
	}
}

func lastNumber(_, said string) (int, error) { return strconv.Atoi(lastLine(said)) }

// promptfoo writes a configuration whose provider repeats the answers, and runs it. The exit code for failed assertions is 0 here.
func promptfoo(assertion string) func(*rig, string, string) ([][]string, error) {
	return func(r *rig, dir, models string) ([][]string, error) {
		lines, err := os.ReadFile(filepath.Join(dir, "answers.jsonl")) //nolint:gosec // made here
		if err != nil {
			return nil, err
		}
		tests := []map[string]any{}
		for line := range bytes.Lines(lines) {
			var one struct {
				Question, Answer, Reference string
				Contexts                    []string
			}
			if err := json.Unmarshal(line, &one); err != nil {
				return nil, err
			}
			tests = append(tests, map[string]any{
				"vars": map[string]any{"query": one.Question, "answer": one.Answer, "reference": one.Reference,
					"context": strings.Join(one.Contexts, "\n")},
				"assert": []json.RawMessage{json.RawMessage(assertion)},
			})
		}
		body, err := json.Marshal(map[string]any{
			"prompts": []string{"{{answer}}"}, "providers": []string{"echo"}, "tests": tests,
			"defaultTest": map[string]any{"options": map[string]any{"provider": map[string]any{
				"id": "openai:chat:judge", "config": map[string]any{"apiBaseUrl": models, "apiKey": "none"}}}},
		})
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, "promptfoo.json"), body, 0o600)
		}
		return [][]string{{filepath.Join(r.tools, "promptfoo", "node_modules", ".bin", "promptfoo"), "eval",
			"--config", "promptfoo.json", "--no-cache",
			"--no-progress-bar", "--no-table", "--max-concurrency", strconv.Itoa(inFlight), "--output", "results.json"}}, err
	}
}

// promptfooCount counts the answers that passed.
func promptfooCount(dir, _ string) (int, error) {
	body, err := os.ReadFile(filepath.Join(dir, "results.json")) //nolint:gosec // made here
	if err != nil {
		return 0, err
	}
	var results struct {
		Results struct {
			Stats struct{ Successes, Failures, Errors int }
		}
	}
	if err := json.Unmarshal(body, &results); err != nil {
		return 0, err
	}
	if s := results.Results.Stats; s.Errors > 0 {
		return s.Successes, errors.New(fmt.Sprint(s.Errors, " answers could not be scored"))
	}
	return results.Results.Stats.Successes, nil
}
