package architecture

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

// workflow is what we look at in a GitHub workflow.
type workflow struct {
	On          any
	Permissions any
	Jobs        map[string]struct {
		RunsOn      string `yaml:"runs-on"`         //nolint:tagliatelle // GitHub spells it so
		Timeout     int    `yaml:"timeout-minutes"` //nolint:tagliatelle // as above
		Permissions any
		Needs       any
		Steps       []step
	}
}

type step struct {
	Name  string
	Uses  string
	Run   string
	Shell string
	With  map[string]any
	Env   map[string]any
}

var (
	// pinnedAction is an action at a commit, with the version in a comment behind it.
	pinnedAction = regexp.MustCompile(`^\s*(?:- )?uses: (\S+)@[0-9a-f]{40} # v\d+\.\d+\.\d+$`)
	anyAction    = regexp.MustCompile(`^\s*(?:- )?uses: (\S+)`)
	// expression inside a script becomes a part of the script, whoever wrote its value.
	expression = regexp.MustCompile(`\$\{\{[^}]*\}\}`)
	makeTarget = regexp.MustCompile(`\bmake ([a-z-]+)`)
)

// Workflow reports what is wrong with a GitHub workflow: actions that are not pinned to a commit, more permissions than reading
// without a job that needs them, scripts with expressions in them, jobs without an end, and targets that the Makefile lacks.
func Workflow(name string, body, makefile []byte) []string {
	var found []string
	report := func(format string, args ...any) { found = append(found, name+": "+fmt.Sprintf(format, args...)) }
	var w workflow
	if err := yaml.Unmarshal(body, &w); err != nil {
		return []string{name + ": " + err.Error()}
	}
	n := 0
	for l := range strings.Lines(string(body)) {
		n++
		l = strings.TrimRight(l, "\n")
		if m := anyAction.FindStringSubmatch(l); m != nil && !pinnedAction.MatchString(l) {
			report("line %d uses %s, not pinned as ACTION@COMMIT # v1.2.3", n, m[1])
		}
	}
	if p, ok := w.Permissions.(map[string]any); !ok || len(p) != 1 || p["contents"] != "read" {
		report("its permissions are not contents: read, which jobs may widen")
	}
	if w.On == nil || len(w.Jobs) == 0 {
		report("it has no jobs, or nothing starts it")
	}
	for _, id := range slices.Sorted(maps.Keys(w.Jobs)) {
		job := w.Jobs[id]
		if job.Timeout <= 0 || job.Timeout > 120 {
			report("job %s has no timeout-minutes up to 120", id)
		}
		if strings.Contains(job.RunsOn, "latest") || job.RunsOn == "" {
			report("job %s runs on %q, which changes by itself", id, job.RunsOn)
		}
		if job.Permissions == "write-all" {
			report("job %s may write everything", id)
		}
		for i, s := range job.Steps {
			for _, why := range badStep(s, makefile) {
				report("job %s, step %d %s", id, i+1, why)
			}
		}
	}
	return found
}

// badStep says what is wrong with a step.
func badStep(s step, makefile []byte) (found []string) {
	if (s.Uses == "") == (s.Run == "") {
		found = append(found, "must either use an action or run something")
	}
	if e := expression.FindString(s.Run); e != "" {
		found = append(found, fmt.Sprintf("has %s in its script; give it as a variable of the environment", e))
	}
	if strings.HasPrefix(s.Uses, "actions/checkout@") && s.With["persist-credentials"] != false {
		found = append(found, "leaves credentials in the checkout")
	}
	for _, m := range makeTarget.FindAllStringSubmatch(s.Run, -1) {
		if !regexp.MustCompile(`(?m)^` + m[1] + `:`).Match(makefile) {
			found = append(found, "makes "+m[1]+", which the Makefile does not know")
		}
	}
	return found
}
