package architecture

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
)

var (
	// gateVariable is a line of gate.sh that says what a variable means.
	gateVariable = regexp.MustCompile(`(?m)^#   ((?:WORKBENCH|GATE)_[A-Z]+) {2,}\S`)
	givenInput   = regexp.MustCompile(`^\$\{\{ inputs\.([a-z]+) \}\}$`)
)

// GateAction reports what is wrong with the action of GitHub that calls gate.sh: inputs without a description or of which nothing
// comes, expressions in a script, and variables that the script does not explain, or explains in vain.
func GateAction(body, script []byte) []string {
	var action struct {
		Name, Description string
		Inputs            map[string]struct{ Description string }
		Runs              struct {
			Using string
			Steps []step
		}
	}
	if err := yaml.Unmarshal(body, &action); err != nil {
		return []string{"action: " + err.Error()}
	}
	var found []string
	if action.Name == "" || action.Description == "" || action.Runs.Using != "composite" || len(action.Runs.Steps) != 1 {
		return []string{"action: it is not a composite action of one step with a name and a description"}
	}
	for _, name := range slices.Sorted(maps.Keys(action.Inputs)) {
		if action.Inputs[name].Description == "" {
			found = append(found, "action: the input "+name+" has no description")
		}
	}
	one := action.Runs.Steps[0]
	if one.Shell != "bash" || !strings.Contains(one.Run, "$GITHUB_ACTION_PATH/gate.sh") {
		found = append(found, "action: its step does not run gate.sh in bash")
	}
	for _, why := range badStep(one, nil) {
		found = append(found, "action: its step "+why)
	}
	used := map[string]bool{}
	for name, value := range one.Env {
		m := givenInput.FindStringSubmatch(fmt.Sprint(value))
		if m == nil {
			found = append(found, fmt.Sprintf("action: %s is %v, not an input", name, value))
			continue
		}
		used[m[1]] = true
	}
	for _, name := range slices.Sorted(maps.Keys(action.Inputs)) {
		if !used[name] {
			found = append(found, "action: nothing comes of the input "+name)
		}
	}
	return append(found, unlike("action", slices.Sorted(maps.Keys(one.Env)), script)...)
}

// GateTemplate reports what is wrong with the template of GitLab that calls gate.sh.
func GateTemplate(body, script []byte) []string {
	var jobs map[string]struct {
		Image     string
		Timeout   string
		Variables map[string]string
		Script    []string
		Artifacts struct {
			When    string
			Reports struct{ Junit string }
		}
	}
	if err := yaml.Unmarshal(body, &jobs); err != nil {
		return []string{"template: " + err.Error()}
	}
	job, ok := jobs[".rag-gate"]
	if !ok || len(jobs) != 1 {
		return []string{"template: it does not hold one job called .rag-gate, from which others extend"}
	}
	var found []string
	if job.Image == "" || strings.HasSuffix(job.Image, ":latest") || job.Timeout == "" {
		found = append(found, "template: its image changes by itself, or it has no end")
	}
	if job.Artifacts.When != "always" || job.Artifacts.Reports.Junit != "gate.xml" {
		found = append(found, "template: what the gate said is not kept where it fails")
	}
	all := strings.Join(job.Script, "\n")
	if !strings.Contains(all, "$WORKBENCH_VERSION/clients/ci/gate.sh") || !strings.Contains(all, "--proto '=https'") {
		found = append(found, "template: it does not fetch gate.sh of the release that it uses")
	}
	return append(found, unlike("template", slices.Sorted(maps.Keys(job.Variables)), script)...)
}

// unlike reports variables that a file gives and the script does not explain, and the other way round.
func unlike(file string, given []string, script []byte) (found []string) {
	var explained []string
	for _, m := range gateVariable.FindAllSubmatch(script, -1) {
		explained = append(explained, string(m[1]))
	}
	for _, name := range explained {
		if !slices.Contains(given, name) {
			found = append(found, file+": it does not offer "+name)
		}
	}
	for _, name := range given {
		if !slices.Contains(explained, name) {
			found = append(found, file+": gate.sh does not explain "+name)
		}
	}
	return found
}
