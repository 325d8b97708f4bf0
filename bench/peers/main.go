// Command peers has the same answers scored by RAG Workbench, Ragas, promptfoo and MLflow, and counts what each takes. It writes the
// table "Beside other tools" of docs/claims.md.
//
//	make build && go run ./bench/peers -write
//
// All of them ask one server of models with a fixed latency, which runs here and keeps the bill: calls and tokens are counted there, in
// one way for all. Every tool gets its questions, answers, contexts and references from files, 16 requests in flight and a process of its
// own; its processor time and most memory are what the system tells of that process. Each is run with one question and with all: the
// difference, by question, leaves out what starting takes. The tools are installed by this command, in the versions that stand in
// ragas.txt, mlflow.txt and promptfoo.json, into a folder of the user's cache; they take about 4 GB there. What does not install is a
// row that says so.
package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"time"

	"github.com/rag-workbench/workbench/internal/fakeprovider"
)

// inFlight is how many requests every tool may have under way.
const inFlight = 16

type rig struct {
	workbench, tools, here string
	questions              int
	latency                time.Duration
}

func main() {
	var r rig
	cache, _ := os.UserCacheDir() // without one the flag has to be given
	flag.StringVar(&r.workbench, "workbench", "bin/workbench", "the program")
	flag.StringVar(&r.tools, "tools", filepath.Join(cache, "workbench-peers"), "folder in which the other tools are installed")
	flag.StringVar(&r.here, "here", "bench/peers", "folder of this command")
	flag.IntVar(&r.questions, "questions", 100, "questions that are scored")
	flag.DurationVar(&r.latency, "latency", 200*time.Millisecond, "of the server of models")
	write := flag.Bool("write", false, "write the table into docs/claims.md; otherwise it is printed")
	flag.Parse()
	if err := r.measure(context.Background(), *write); err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

// measure runs every tool and writes the table.
func (r *rig) measure(ctx context.Context, write bool) (err error) {
	for _, path := range []*string{&r.workbench, &r.tools, &r.here} {
		if *path, err = filepath.Abs(*path); err != nil {
			return err
		}
	}
	var rows []row
	for _, p := range peers {
		if p.install != nil {
			if err := p.install(ctx, r); err != nil {
				rows = append(rows, row{peer: p, failed: "not installed: " + firstLine(err)})
				continue
			}
		}
		fmt.Fprintf(os.Stderr, "%s, %s\n", p.name, p.metric)
		one, err := r.scored(ctx, p, 1)
		if err != nil {
			rows = append(rows, row{peer: p, failed: "did not run: " + firstLine(err)})
			continue
		}
		all, err := r.scored(ctx, p, r.questions)
		if err != nil {
			rows = append(rows, row{peer: p, failed: "did not run: " + firstLine(err)})
			continue
		}
		rows = append(rows, row{peer: p, one: one, all: all})
	}
	table := r.table(rows)
	if !write {
		fmt.Print(table)
		return nil
	}
	return replaced(filepath.Join("docs", "claims.md"), table)
}

func firstLine(err error) string {
	line, _, _ := strings.Cut(strings.TrimSpace(err.Error()), "\n")
	return strings.ReplaceAll(line, "|", "/")
}

// used is what a tool took.
type used struct {
	wall, cpu              time.Duration
	megabytes              int64 // at most
	scored, calls, in, out int
}

// scored lets a tool score n answers in a folder of its own.
func (r *rig) scored(ctx context.Context, p peer, n int) (u used, err error) {
	dir, err := os.MkdirTemp("", "peers")
	if err != nil {
		return u, err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if err := writeAnswers(dir, n); err != nil {
		return u, err
	}
	models := fakeprovider.New(fakeprovider.Options{Latency: r.latency, Answer: reply, Dimension: 64})
	server := httptest.NewServer(models)
	defer server.Close()
	commands, err := p.commands(r, dir, server.URL+"/v1")
	if err != nil {
		return u, err
	}
	var said string
	for _, c := range commands {
		if said, err = u.run(ctx, dir, server.URL+"/v1", c); err != nil {
			return u, err
		}
	}
	if u.scored, err = p.count(dir, said); err != nil {
		return u, err
	}
	for _, e := range models.Ledger() {
		u.calls, u.in, u.out = u.calls+1, u.in+e.PromptTokens, u.out+e.CompletionTokens
	}
	return u, nil
}

// run runs one command of a tool and adds what it took.
func (u *used) run(ctx context.Context, dir, models string, args []string) (said string, err error) {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, args[0], args[1:]...) //nolint:gosec // what stands in tools.go
	c.Dir = dir
	c.Env = append(os.Environ(), "OPENAI_API_KEY=none", "OPENAI_BASE_URL="+models, "OPENAI_API_BASE="+models,
		"WORKBENCH_DATA=data", "LC_ALL=C",
		"RAGAS_DO_NOT_TRACK=true", "PROMPTFOO_DISABLE_TELEMETRY=1", "PROMPTFOO_DISABLE_UPDATE=1", "PROMPTFOO_CONFIG_DIR="+dir,
		"PROMPTFOO_DISABLE_REMOTE_GENERATION=true", "MLFLOW_DISABLE_TELEMETRY=true", fmt.Sprint("MLFLOW_GENAI_EVAL_MAX_WORKERS=", inFlight),
		"MLFLOW_TRACKING_URI=sqlite:///mlflow.db", "HF_HUB_OFFLINE=1")
	var out, complained strings.Builder
	c.Stdout, c.Stderr = &out, &complained
	began := time.Now()
	if err := c.Run(); err != nil {
		return "", fmt.Errorf("%s: %w: %s", filepath.Base(args[0]), err, lastLine(complained.String()+out.String()))
	}
	u.wall += time.Since(began)
	u.cpu += c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	if usage, ok := c.ProcessState.SysUsage().(*syscall.Rusage); ok {
		u.megabytes = max(u.megabytes, usage.Maxrss>>10)
	}
	return out.String(), nil
}

func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}

// machine says where the table was measured.
func machine() string {
	load, _ := os.ReadFile("/proc/loadavg") // without it nothing is said of it
	first, _, _ := strings.Cut(string(load), " ")
	return fmt.Sprintf("%d processors, load %s at the end", runtime.NumCPU(), first)
}

// writeAnswers writes the answers that are scored: answers.jsonl, and questions.jsonl with their references.
func writeAnswers(dir string, n int) error {
	var answers, questions strings.Builder
	for i := range n {
		answer := fmt.Sprintf("The fee for service %d is %d coins. Children under %d pay half.", i, i*7%101, 3+i%9)
		contexts := make([]string, 4)
		for k := range contexts {
			s := (i + k*k) % (n + 9)
			contexts[k] = fmt.Sprintf("Service %d opens at gate %d on weekdays. The fee for service %d is %d coins. "+
				"Children under %d pay half. "+
				"It is closed from hour %d.", s, s%37, s, s*7%101, 3+s%9, s%24)
		}
		id, question := fmt.Sprintf("q%04d", i), fmt.Sprintf("What is the fee for service %d?", i)
		reference := fmt.Sprintf("%d coins, and half of it for children.", i*7%101)
		for out, one := range map[*strings.Builder]any{
			&answers: map[string]any{"question_id": id, "question": question, "answer": answer, "contexts": contexts,
				"reference": reference},
			&questions: map[string]any{"question_id": id, "question": question, "reference": reference},
		} {
			line, err := json.Marshal(one)
			if err != nil {
				return err
			}
			out.Write(append(line, '\n'))
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "questions.jsonl"), []byte(questions.String()), 0o600); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "answers.jsonl"), []byte(answers.String()), 0o600)
}
