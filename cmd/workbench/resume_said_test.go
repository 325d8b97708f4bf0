package main

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
	"github.com/rag-workbench/workbench/internal/fakeprovider"
)

// What is gone on with ends in what the verb ends in that began it, whatever that is: a sweep in its winner, a diagnosis in its causes. It is
// found by the name of its experiment too, and a budget below what is spent is refused.
func TestWhatIsGoneOnWithEndsAsItBegan(t *testing.T) {
	t.Parallel()
	b, _ := judgedBench(t, fakeprovider.Options{Answer: fakeprovider.Offline()})
	b.write("swept.yaml", "name: swept\ncorpus: faq\ndataset: faq\nsuite: [correctness, trust]\njudge: {provider: gate, model: judge-1}\n"+
		"base: {chunk: {size: 60}, retrieve: {mode: bm25, k: 1}, generate: {provider: gate, model: writer-1}}\n"+
		"sweep: {retrieve.k: [1, 2]}\n")
	stopped := regexp.MustCompile(`hint: workbench runs resume ([0-9a-f]{12})`)
	for _, c := range []struct {
		begin []string
		want  string
		never string
	}{
		{[]string{"sweep", "{}/swept.yaml"}, "winner: ", "correctness was measured for"},
		{[]string{"diagnose", "swept"}, "diagnosed in run", "cannot be told"},
	} {
		if c.begin[0] == "diagnose" {
			b.must("run", "swept")
		}
		o := b.run(append(c.begin, "--budget", "2calls")...)
		id := stopped.FindStringSubmatch(o.stderr)
		if o.code != program.ExitIncomplete || id == nil {
			t.Fatalf("%v: exit %d\n%s%s", c.begin, o.code, o.stdout, o.stderr)
		}
		if o := b.run("runs", "resume", id[1], "--budget", "2calls"); o.code != program.ExitUsage || !strings.Contains(o.stderr, "leaves run") {
			t.Errorf("%v: exit %d\n%s%s", c.begin, o.code, o.stdout, o.stderr)
		}
		name := id[1]
		if c.begin[0] != "diagnose" { // which belongs to a run, and not to the experiment
			name = "swept"
		}
		o = b.run("runs", "resume", name, "--budget", "2000calls")
		if o.code != program.ExitDone || !strings.Contains(o.stdout, c.want) || strings.Contains(o.stdout, c.never) {
			t.Errorf("%v: exit %d\n%s%s", c.begin, o.code, o.stdout, o.stderr)
		}
	}
	for _, verb := range []string{"resume", "pause", "cancel"} {
		if o := b.run("runs", verb, "swept"); o.code != program.ExitUsage || !strings.Contains(o.stderr, "every run of swept is over") {
			t.Errorf("%s: exit %d\n%s%s", verb, o.code, o.stdout, o.stderr)
		}
	}
}

// What names nothing that there is, or two things at once, is refused or said; it is not passed over.
func TestWhatThereIsNotIsNotPassedOver(t *testing.T) {
	t.Parallel()
	b, server := judgedBench(t, fakeprovider.Options{Answer: fakeprovider.Offline()})
	b.write("low.yaml", "name: low\ncorpus: faq\ndataset: faq\nsuite: [correctness, trust]\njudge: {provider: gate, model: judge-1}\n"+
		"base: {chunk: {size: 60}, retrieve: {mode: bm25, k: 1}, generate: {provider: gate, model: writer-1}}\n")
	b.must("run", "{}/low.yaml")
	calls := len(server.Ledger())
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"runs", "list", "--tag", "nosuch"}, program.ExitDone, "no run fits"},
		{[]string{"runs", "list", "--dataset", "nosuch"}, program.ExitDone, "no run fits"},
		{[]string{"runs", "list", "--experiment", "nosuch"}, program.ExitDone, "no run fits"},
		{[]string{"providers", "test", "nosuch"}, program.ExitUsage, `no provider "nosuch"`},
		{[]string{"diagnose", "low", "--plan", "--reference", "gate/writer-1"}, program.ExitUsage, "is the run's own model"},
		{[]string{"diagnose", "low", "--plan", "--reference", "nosuch/writer-1"}, program.ExitUsage, `no provider "nosuch"`},
		{[]string{"diagnose", "low", "--plan", "--embedder", "nosuch/embed-1"}, program.ExitUsage, `no provider "nosuch"`},
		{[]string{"runs", "show", "low", "--bill", "--question", "q1"}, program.ExitUsage, "--bill is of the whole run"},
	} {
		for _, lang := range []string{"en", "ja"} {
			o := b.run(append(c.args, "--lang", lang)...)
			if said := strings.Contains(o.stdout+o.stderr, c.want); o.code != c.code || said != (lang == "en") {
				t.Errorf("%v %s: exit %d\n%s%s", c.args, lang, o.code, o.stdout, o.stderr)
			}
		}
	}
	if n := len(server.Ledger()); n != calls {
		t.Errorf("%d calls were made", n-calls)
	}
	for cause, want := range map[string]string{"interrupt signal received": "stopped by Ctrl-C", "terminated signal received": "SIGTERM"} {
		ctx, end := context.WithCancelCause(t.Context())
		end(errors.New(cause))
		var said strings.Builder
		p := program.Program{Stderr: &said, Context: ctx, Flags: &program.Globals{Lang: "en"}}
		if code := p.Fail(context.Canceled); code != program.ExitInterrupted || !strings.Contains(said.String(), want) {
			t.Errorf("%s: exit %d, %s", cause, code, said.String())
		}
	}
}
