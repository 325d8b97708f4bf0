package studies

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rag-workbench/workbench/internal/app/apptest"
	"github.com/rag-workbench/workbench/internal/notebooks"
	"github.com/rag-workbench/workbench/internal/problem"
)

// onBothEngines runs a test over a world in each database.
func onBothEngines(t *testing.T, test func(t *testing.T, w *apptest.World)) {
	t.Helper()
	t.Run("sqlite", func(t *testing.T) { t.Parallel(); test(t, apptest.NewWorld(t, "")) })
	t.Run("postgres", func(t *testing.T) { t.Parallel(); test(t, apptest.NewWorld(t, apptest.Postgres(t))) })
}

// comparing has two runs and their comparison; %s is how many passages the second one reads.
const comparing = notebookHead + "```\n```rag config change\nextends: base\nretrieve: {k: %s}\n```\n```rag run r0\nconfigs: base\ndataset: qa\n```\n" +
	"```rag run r1\nconfigs: change\ndataset: qa\n```\n```rag compare c\nbaseline: r0\ncandidate: r1\n```\n"

// TestANotebookRemembersWhatItWas saves, runs, edits the file outside, compares two versions with their results, and goes back: what was
// bought for the earlier text is there again.
func TestANotebookRemembersWhatItWas(t *testing.T) {
	t.Parallel()
	onBothEngines(t, func(t *testing.T, w *apptest.World) {
		s, ctx := books(w, t), t.Context()
		first := fmt.Sprintf(comparing, "3")
		saved, err := s.Create(ctx, NewNotebook{Name: "study", Text: first, By: "Ann"})
		if err != nil {
			t.Fatal(err)
		}
		run := func() {
			t.Helper()
			if _, err := s.Run(ctx, "study", NotebookOrder{By: "Ann"}, ""); err != nil {
				t.Fatal(err)
			}
			ended(t, s, "study")
		}
		run()
		if _, err = s.Save(ctx, "study", fmt.Sprintf(comparing, "1, mode: dense"), saved.Digest, "Ben"); err != nil {
			t.Fatal(err)
		}
		run()
		path, _ := s.path("study")
		if err := os.WriteFile(path, []byte(first+"\nWritten outside.\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		list, err := s.Versions(ctx, "study")
		if err != nil {
			t.Fatal(err)
		}
		var told []string
		for _, v := range list {
			told = append(told, fmt.Sprintf("%d %q %s ran=%t", v.Number, v.By, v.Origin, v.Ran))
		}
		if diff := cmp.Diff([]string{`3 "" disk ran=false`, `2 "Ben" saved ran=true`, `1 "Ann" saved ran=true`}, told); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
		d, err := s.Diff(ctx, "study", 1, 2, true)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(d.Text, "--- study.rag.md@1\n+++ study.rag.md@2\n") ||
			!strings.Contains(d.Text, "-retrieve: {k: 3}\n+retrieve: {k: 1, mode: dense}\n") {
			t.Errorf("the texts differ by\n%s", d.Text)
		}
		changed := map[string]notebooks.CellChange{}
		for _, c := range d.Results {
			changed[c.Cell] = c
		}
		if c := changed["c"]; c.Kind != "changed" || c.Before == c.After || len(c.Questions) == 0 ||
			c.Questions[0].Before != "no_change" || changed["r1"].Before == changed["r1"].After || changed["r0"].Cell != "" {
			t.Errorf("the results differ by %+v", d.Results)
		}
		now, err := s.Get(ctx, "study", nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := s.Revert(ctx, "study", 2, "another digest", "Cy"); problem.CodeOf(err) != "notebook_changed" {
			t.Errorf("a text that nobody saw was replaced: %v", err)
		}
		if _, err := s.Revert(ctx, "study", 2, now.Digest, "Cy"); err != nil {
			t.Fatal(err)
		}
		if cells := s.state(t, "study"); cells["r1"].State != notebooks.Fresh || cells["c"].State != notebooks.Fresh {
			t.Errorf("the results of version 2 are not back: r1 is %s %v", cells["r1"].State, cells["r1"].Why)
		}
		if _, err := s.NameVersion(ctx, "study", 2, "  dense  "); err != nil {
			t.Fatal(err)
		}
		if _, err := s.NameVersion(ctx, "study", 2, strings.Repeat("n", 81)); problem.CodeOf(err) != "version_name" {
			t.Errorf("a long name: %v", err)
		}
		if _, err := s.Rename(ctx, "study", "renamed"); err != nil {
			t.Fatal(err)
		}
		list, err = s.Versions(ctx, "renamed")
		if err != nil || len(list) != 4 || list[0].Origin != "restored" || list[0].By != "Cy" || list[2].Name != "dense" {
			t.Errorf("%v: %+v", err, list)
		}
	})
}
