package app

import (
	"os"
	"path/filepath"
	"time"

	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
)

// RecordedProvider is the provider that plays the recording of a data directory. A configuration may define another of this name.
const RecordedProvider = "recorded"

// RecordingFolder is where the recording of a data directory lies.
func RecordingFolder(o Options) string { return filepath.Join(o.DataDir, "recording") }

// withRecording adds [RecordedProvider] where the data directory holds a recording.
func withRecording(c Config, o Options) Config {
	if _, taken := c.Providers[RecordedProvider]; taken || o.DataDir == "" {
		return c
	}
	folder, err := filepath.Abs(RecordingFolder(o))
	if err != nil {
		return c
	}
	if _, err := os.Stat(folder); err == nil {
		c.Providers[RecordedProvider] = ProviderConfig{Kind: "recorded", Folder: folder}
	}
	return c
}

// recordedBy says whose replies a provider plays; nil for one that plays none.
func (w *Workbench) recordedBy(provider string) (*experiments.Recorded, error) {
	c := w.Config.Providers[provider]
	if c.Kind != "recorded" || c.Folder == "" {
		return nil, nil
	}
	recording, err := llm.OpenRecording(w.Config.FolderOf(c))
	if err != nil {
		return nil, err
	}
	by, at, ok, err := recording.Since()
	if !ok {
		at = w.Options.Now()
	}
	return &experiments.Recorded{By: by, Day: at.UTC().Format(time.DateOnly)}, err
}

// PlayRecording makes [RecordedProvider] known in a workbench that was opened before its data directory held a recording.
func (w *Workbench) PlayRecording() { withRecording(w.Config, w.Options) }
