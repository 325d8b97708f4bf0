package architecture

import (
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
)

// Compose is what we look at in a docker-compose.yml.
type Compose struct {
	Services map[string]Service
	Volumes  map[string]any
}

// Service is one container of a Compose file.
type Service struct {
	Image       string
	Build       any
	Command     []string
	Environment map[string]string
	Healthcheck struct{ Test []string }
	DependsOn   map[string]struct{ Condition string } `yaml:"depends_on"`
	Volumes     []string
	Deploy      struct{ Replicas int }
	StopGrace   string   `yaml:"stop_grace_period"`
	ReadOnly    bool     `yaml:"read_only"`
	Tmpfs       []string `yaml:"tmpfs"`
	CapDrop     []string `yaml:"cap_drop"`
	SecurityOpt []string `yaml:"security_opt"`
	MemLimit    string   `yaml:"mem_limit"`
}

// ReadCompose reads a docker-compose.yml.
func ReadCompose(body []byte) (Compose, error) {
	var c Compose
	err := yaml.Unmarshal(body, &c)
	return c, err
}

// ComposeFile reports what is wrong with a docker-compose.yml. program is the path of the binary inside the image.
func ComposeFile(body []byte, program string) []string {
	c, err := ReadCompose(body)
	if err != nil {
		return []string{"docker-compose.yml: " + err.Error()}
	}
	var found []string
	report := func(format string, args ...any) {
		found = append(found, "docker-compose.yml: "+fmt.Sprintf(format, args...))
	}
	for _, name := range []string{"postgres", "workbench"} {
		if _, ok := c.Services[name]; !ok {
			report("there is no service %s", name)
			return found
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.Services)) {
		s := c.Services[name]
		if len(s.Healthcheck.Test) < 2 {
			report("service %s has no healthcheck", name)
		}
		for _, why := range s.unhardened() {
			report("service %s %s", name, why)
		}
		if s.Build == nil && !pinned(s.Image) {
			report("service %s has image %q without a fixed tag", name, s.Image)
		}
		for _, v := range s.Volumes {
			source, _, _ := strings.Cut(v, ":")
			if _, ok := c.Volumes[source]; !ok && !strings.HasPrefix(source, ".") {
				report("service %s mounts volume %s, which is not declared", name, source)
			}
		}
	}
	if !slices.ContainsFunc(slices.Collect(maps.Values(c.Services)), Service.backsUp) {
		report("no service makes backups: backup FOLDER --every TIME --keep N")
	}
	wrong := map[string][]string{} // names of services, by what is wrong with them
	for _, name := range slices.Sorted(maps.Keys(c.Services)) {
		if c.Services[name].Build != nil {
			for _, why := range ours(c, name, program) {
				wrong[why] = append(wrong[why], name)
			}
		}
	}
	for _, why := range slices.Sorted(maps.Keys(wrong)) {
		report("service %s %s", strings.Join(wrong[why], " and "), why)
	}
	return found
}

// backsUp reports whether the service makes backups by itself, and removes old ones as the program does.
func (s Service) backsUp() bool {
	return s.Build != nil && len(s.Command) > 0 && s.Command[0] == "backup" && slices.Contains(s.Command, "--every") &&
		slices.Contains(s.Command, "--keep")
}

// unhardened says what a container may do that it need not.
func (s Service) unhardened() (found []string) {
	for _, check := range []struct {
		ok  bool
		why string
	}{
		{s.ReadOnly && slices.ContainsFunc(s.Tmpfs, func(t string) bool { return t == "/tmp" || strings.HasPrefix(t, "/tmp:") }),
			"can change its own image; set read_only, with a tmpfs on /tmp"},
		{slices.Contains(s.CapDrop, "ALL"), "keeps capabilities; drop ALL and add what it needs"},
		{slices.Contains(s.SecurityOpt, "no-new-privileges:true"), "may gain privileges; set no-new-privileges:true"},
		{s.MemLimit != "", "has no mem_limit"},
	} {
		if !check.ok {
			found = append(found, check.why)
		}
	}
	return found
}

// drainTime is how long a process may take to bring to an end what is in flight.
const drainTime = 90 * time.Second

// ours says what is wrong with a service that runs our program.
func ours(c Compose, name, program string) (found []string) {
	s := c.Services[name]
	if test := s.Healthcheck.Test; len(test) >= 2 && (test[0] != "CMD" || test[1] != program) {
		found = append(found, fmt.Sprintf("has the healthcheck %v; the image holds only %s and no shell", test, program))
	}
	if s.DependsOn["postgres"].Condition != "service_healthy" {
		found = append(found, "does not wait until postgres is healthy")
	}
	if why := databaseURL(s.Environment["WORKBENCH_DATABASE_URL"], c.Services["postgres"].Environment); why != "" {
		found = append(found, "has a WORKBENCH_DATABASE_URL that "+why)
	}
	if grace, err := time.ParseDuration(s.StopGrace); err != nil || grace <= drainTime {
		found = append(found, fmt.Sprintf("is killed after %q; it may take %s to stop", s.StopGrace, drainTime))
	}
	return found
}

var variable = regexp.MustCompile(`\$\{(\w+)[^}]*\}`)

// databaseURL says how a database address disagrees with the environment of the postgres service, or returns "".
func databaseURL(address string, postgres map[string]string) string {
	plain := func(s string) string { return variable.ReplaceAllString(s, "$1") } // ${NAME:?why} stands for its value
	u, err := url.Parse(plain(address))
	if err != nil || u.Scheme != "postgres" {
		return "is not a postgres:// address"
	}
	password, _ := u.User.Password()
	for _, pair := range []struct{ part, have, want string }{
		{"host", u.Hostname(), "postgres"},
		{"user", u.User.Username(), plain(postgres["POSTGRES_USER"])},
		{"password", password, plain(postgres["POSTGRES_PASSWORD"])},
		{"database", strings.TrimPrefix(u.Path, "/"), plain(postgres["POSTGRES_DB"])},
	} {
		if pair.have != pair.want || pair.want == "" {
			return fmt.Sprintf("has %s %q; the postgres service has %q", pair.part, pair.have, pair.want)
		}
	}
	return ""
}

// Stage is one build stage of a Dockerfile.
type Stage struct {
	Base  string
	Name  string // after AS; may be empty
	Steps []Step
}

// Step is one instruction, with continued lines joined.
type Step struct {
	Op   string // upper case
	Args string
}

// args returns the arguments of all instructions of one kind.
func (s Stage) args(op string) []string {
	var all []string
	for _, step := range s.Steps {
		if step.Op == op {
			all = append(all, step.Args)
		}
	}
	return all
}

// Stages reads a Dockerfile. Instructions before the first FROM are left out.
func Stages(body []byte) []Stage {
	var lines []string
	for l := range strings.Lines(string(body)) {
		if l = strings.TrimSpace(l); l != "" && !strings.HasPrefix(l, "#") {
			lines = append(lines, l)
		}
	}
	var stages []Stage
	for l := range strings.SplitSeq(strings.ReplaceAll(strings.Join(lines, "\n"), "\\\n", " "), "\n") {
		op, args, _ := strings.Cut(l, " ")
		op, args = strings.ToUpper(op), strings.TrimSpace(args)
		if f := strings.Fields(args); op == "FROM" && len(f) > 0 {
			s := Stage{Base: f[0]}
			if len(f) == 3 && strings.EqualFold(f[1], "as") {
				s.Name = f[2]
			}
			stages = append(stages, s)
			continue
		}
		if n := len(stages); n > 0 {
			stages[n-1].Steps = append(stages[n-1].Steps, Step{op, args})
		}
	}
	return stages
}

// Dockerfile reports what is wrong with a Dockerfile, and returns the path of the program that its image runs. goVersion
// is the go line of go.mod.
func Dockerfile(body []byte, goVersion string) (program string, found []string) {
	report := func(format string, args ...any) { found = append(found, "Dockerfile: "+fmt.Sprintf(format, args...)) }
	stages := Stages(body)
	if len(stages) != 3 {
		report("there are %d stages; one that builds the pages, one that builds the program and one that runs are needed", len(stages))
		return "", found
	}
	pages, build, run := stages[0], stages[1], stages[2]
	if !strings.HasPrefix(pages.Base, "node:") || !slices.ContainsFunc(build.args("COPY"),
		func(c string) bool { return strings.Contains(c, "--from="+pages.Name) }) {
		report("the pages are not built by a node image and copied from it")
	}
	minor := strings.Join(strings.SplitN(goVersion, ".", 3)[:2], ".")
	if !strings.HasPrefix(build.Base, "golang:"+minor) {
		report("the build stage is %s; go.mod asks for golang:%s", build.Base, minor)
	}
	compile := strings.Join(build.args("RUN"), "\n")
	if !strings.Contains(compile, "CGO_ENABLED=0 go build") || !strings.Contains(compile, "-trimpath -tags nomsgpack") {
		report("the build stage does not run CGO_ENABLED=0 go build -trimpath -tags nomsgpack")
	}
	if run.Base != "scratch" && (!strings.Contains(run.Base, "distroless") || !pinned(run.Base)) {
		report("the image is based on %s; use scratch or a tagged distroless image", run.Base)
	}
	if user := run.args("USER"); len(user) != 1 || strings.HasPrefix(user[0], "0") || strings.HasPrefix(user[0], "root") {
		report("the image runs as root; give it one USER")
	}
	if len(run.args("VOLUME")) == 0 {
		report("there is no VOLUME for the data")
	}
	var entry []string
	if e := run.args("ENTRYPOINT"); len(e) == 1 && json.Unmarshal([]byte(e[0]), &entry) == nil && len(entry) > 0 {
		program = entry[0]
	}
	if program == "" || !slices.ContainsFunc(run.args("COPY"), func(c string) bool { return copies(c, build.Name, program) }) {
		report("the ENTRYPOINT is not a program that is copied from the build stage")
	}
	return program, found
}

// copies reports whether the arguments of a COPY put a file of a stage at program.
func copies(args, stage, program string) bool {
	f := strings.Fields(args)
	to := f[len(f)-1]
	return slices.Contains(f, "--from="+stage) && (to == program || path.Dir(program) == path.Clean(to) && strings.HasSuffix(to, "/"))
}
