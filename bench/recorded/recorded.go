// Package recorded plays what a large language model said, from a file of replies that were recorded in batches, so that a
// measurement by it can be repeated without a model. docs/evidence.md says how the replies were made.
package recorded

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/llm"
)

// Judge is how a measurement names the recorded model.
const Judge = "reader/llm"

// By is what the ledger says of who answered.
const By = "a large language model, read in sittings of at most 40 requests"

// In opens a workbench of its own in a temporary folder, whose provider "reader" plays replies, JSON objects {"key": …, "text": …} on a
// line each, and waits in folder for others; it closes and removes the workbench after use. An empty folder means one that is
// removed with it.
func In(ctx context.Context, folder string, replies []byte, use func(w *app.Workbench) error) (err error) {
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
	if err := lay(folder, replies); err != nil {
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
	return use(w)
}

// lay puts replies into a recording before anything is asked. Handing them in round by round would not do: what is asked of one
// answer follows from what others have brought to light by then.
func lay(folder string, replies []byte) error {
	dir := filepath.Join(folder, "replies")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	in := bufio.NewScanner(bytes.NewReader(replies))
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		var r llm.RecordedReply
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			return err
		}
		r.By = By
		body, err := json.Marshal(r)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, filepath.Base(string(r.Key))+".json"), body, 0o600); err != nil {
			return err
		}
	}
	return in.Err()
}
