package archive

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rag-workbench/workbench/internal/app"
	"github.com/rag-workbench/workbench/internal/experiments"
	"github.com/rag-workbench/workbench/internal/llm"
	"github.com/rag-workbench/workbench/internal/problem"
	"github.com/rag-workbench/workbench/internal/rag"
	"github.com/rag-workbench/workbench/internal/sealed"
	"github.com/rag-workbench/workbench/internal/store"
)

// Verifier is the program that computes a study again.
type Verifier struct {
	Version  string
	Now      func() time.Time
	Notebook NotebookCheck // of a snapshot's notebook; nil leaves it unchecked, and says so
}

// makers says which versions made a part of a study, and which look at it. What another version made may be worded or graded otherwise
// today, so that a difference says nothing: the part is named as not compared, which is neither equal nor different, and no success.
// Both versions stand in rows and in a manifest that a forger can write anew: to name another one wins nothing but that.
type makers struct {
	wrote, running string // versions of the program: of the one that wrote the study, and of this one
	// version of the offline provider, another than this program's, that wrote, searched or scored for the run; "" where none did
	judge string
}

// unversioned is what the version of an offline judge is called that was not kept.
const unversioned = "before 11"

func makersOf(s *Study, by Verifier, setup experiments.Setup) makers {
	m := makers{wrote: s.Manifest.Version, running: by.Version}
	switch {
	case setup.OfflineVersion == llm.OfflineVersion:
	case setup.OfflineVersion != "":
		m.judge = setup.OfflineVersion
	case setup.Offline:
		m.judge = unversioned
	}
	return m
}

// ofReports says why a report that differs was not compared; "" where it must be equal.
func (m makers) ofReports() string {
	if sealed.SameProgram(m.wrote, m.running) {
		return ""
	}
	if m.wrote == m.running {
		return fmt.Sprintf("a build called %s wrote it, as this one is called, and such builds differ", m.wrote)
	}
	return fmt.Sprintf("made by version %s, and this is version %s", m.wrote, m.running)
}

// ofScores says why a score that differs was not compared; "" where it must be equal.
func (m makers) ofScores() string {
	if m.judge == "" {
		return ""
	}
	return fmt.Sprintf("made by the offline provider of version %s, and this one is of %s", m.judge, llm.OfflineVersion)
}

// NotCompared is a part of a run that another version made and that differs from what this one makes.
type NotCompared struct {
	Part string `json:"part"`
	Why  string `json:"why"`
}

// differs notes that a part is not what was computed. because says that another version made it, and is "" where that is no excuse.
func (o *RunVerified) differs(part, how, because string) {
	if because != "" {
		o.OtherVersion = append(o.OtherVersion, NotCompared{part, because})
		return
	}
	o.Different = append(o.Different, part+how)
}

// offlineAs is the offline provider under the version that a run was made with, whose outputs have keys of their own.
type offlineAs struct {
	llm.Provider
	version string
}

// Info names the other version.
func (o offlineAs) Info() llm.Info {
	info := o.Provider.Info()
	info.Origin = o.version
	return info
}

// takeStages has a run of another version of the offline judge computed from the outputs of that judge, as they are stored: of those that
// no call stands behind.
func (o *RunVerified) takeStages(ctx context.Context, w *app.Workbench, truth *store.Store, setup experiments.Setup) error {
	provider, err := w.Providers.Provider("offline")
	if err != nil {
		return err
	}
	w.Providers.Open["offline"] = offlineAs{provider, setup.OfflineVersion}
	kinds, err := truth.StagesWithoutCalls(ctx)
	if err != nil {
		return err
	}
	taken := ofOffline(setup)
	o.taken = map[string]bool{}
	for key, kind := range kinds {
		if !taken(kind) {
			continue
		}
		body, found, err := truth.Stage(ctx, key)
		if err == nil && found {
			o.taken[key], err = true, w.Store.PutStage(ctx, rag.Stage{Key: key, Kind: kind, Body: body})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// ofOffline tells the kinds of outputs that may rest on the offline provider: those of the judge, and those of the configuration where
// it writes or searches with that provider.
func ofOffline(setup experiments.Setup) func(kind string) bool {
	config := setup.Config
	writes := slices.Contains(config.ProviderNames(), "offline")
	config.Generate.Provider = ""
	searches := slices.Contains(config.ProviderNames(), "offline")
	return func(kind string) bool {
		switch {
		case slices.Contains([]string{"retrieve", "fuse", "rerank"}, kind):
			return searches
		case kind == "generate" || strings.HasSuffix(kind, "_reply"):
			return writes
		}
		return setup.Offline
	}
}

// restsOnTaken reports whether any of these outputs was taken as it is stored.
func (o *RunVerified) restsOnTaken(keys []string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return o.taken[key] })
}

// excuse says that another version made what rests on these outputs; "" where no such version did, or where the study holds them all:
// what follows from equal outputs is equal in every version.
func (r *recomputing) excuse(keys ...string) string {
	if r.made.judge == "" {
		return ""
	}
	for _, key := range keys {
		if _, found, err := r.truth.Stage(r.ctx, key); key != "" && (err != nil || !found) {
			return r.made.ofScores()
		}
	}
	return ""
}

// otherProgram notes that a run cannot be computed again, and does not accuse it where another version of the program made it.
func (o *RunVerified) otherProgram(s *Study, err error) {
	if code := problem.CodeOf(err); code != "metric_version" && code != "analysis_version" {
		o.cannot(err)
		return
	}
	o.Why = problem.From(err).Message
	o.OtherVersion = append(o.OtherVersion, NotCompared{"answers and scores", o.Why})
	for _, name := range slices.Sorted(maps.Keys(s.Head.Files)) {
		if strings.HasPrefix(name, "reports/"+o.ID+".") {
			s.seen[name] = true
			o.OtherVersion = append(o.OtherVersion, NotCompared{name, o.Why})
		}
	}
}
