// Package recorded plays what a large language model said, from a file of replies that were recorded in batches, so that a
// measurement by it can be repeated without a model. docs/evidence.md says how the replies were made.
package recorded

import (
	"bufio"
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
)

// Judge is how a measurement names the recorded model.
const Judge = "reader/llm"

// By is what the ledger says of who answered.
const By = "a large language model, read in sittings of at most 40 requests"

// rounds is how often replies follow from replies at most.
const rounds = 12

// In opens a workbench of its own in a temporary folder, whose provider "reader" waits for replies in folder, and closes and
// removes it after use. An empty folder means one inside the temporary folder.
func In(ctx context.Context, folder string, use func(w *app.Workbench, recording *llm.Recording) error) (err error) {
	dir, err := os.MkdirTemp("", "workbench-recorded")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	if folder == "" {
		folder = filepath.Join(dir, "recording")
	}
	if folder, err = filepath.Abs(folder); err != nil {
		return err
	}
	config := filepath.Join(dir, "workbench.yaml")
	if err := os.WriteFile(config, fmt.Appendf(nil, "providers:\n  reader: {kind: recorded, folder: %q}\n", folder), 0o600); err != nil {
		return err
	}
	w, err := app.Open(ctx, app.Options{DataDir: dir, ConfigPath: config, Getenv: os.Getenv, Now: time.Now})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, w.Close()) }()
	recording, err := llm.OpenRecording(folder)
	if err != nil {
		return err
	}
	return use(w, recording)
}

// Play measures again and again, and hands in the replies to what waits after each time, until nothing waits.
func Play(recording *llm.Recording, replies []byte, measure func() error) error {
	for range rounds {
		err := measure()
		if err == nil || problem.CodeOf(err) != llm.CauseNotRecorded {
			return err
		}
		if err := take(recording, replies); err != nil {
			return err
		}
	}
	return fmt.Errorf("replies are missing after %d rounds", rounds)
}

// take hands in the recorded replies to what waits.
func take(recording *llm.Recording, replies []byte) error {
	open, err := recording.Open()
	if err != nil {
		return err
	}
	waiting := map[string]bool{}
	for _, o := range open {
		waiting[string(o.Key)] = true
	}
	var fitting bytes.Buffer
	in := bufio.NewScanner(bytes.NewReader(replies))
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		line := in.Bytes()
		if key := bytes.TrimPrefix(line, []byte(`{"key":"`)); len(key) > sha256.Size*2 && waiting[string(key[:sha256.Size*2])] {
			fitting.Write(append(line, '\n'))
		}
	}
	taken, err := recording.Take(&fitting, By, time.Now())
	if err == nil && (taken.Taken == 0 || len(taken.Refused) > 0) {
		err = fmt.Errorf("%d requests wait, and the recorded replies do not answer them: a prompt has changed", len(open))
	}
	return err
}
