package main

import (
	"archive/tar"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rag-workbench/workbench/cmd/workbench/program"
)

// inCI runs the script of the gate as a job of a CI system does, in a folder of its own, with the test binary as the program.
func inCI(t *testing.T, b *bench, job string, env ...string) outcome {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs("../../clients/ci/gate.sh")
	if err != nil {
		t.Fatal(err)
	}
	folder := b.path(job)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr strings.Builder
	cmd := exec.CommandContext(t.Context(), "bash", script) //nolint:gosec // ours
	cmd.Dir, cmd.Stdout, cmd.Stderr = folder, &stdout, &stderr
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH"), "HOME=" + folder, "TMPDIR=" + folder, asProgram + "=1",
		"WORKBENCH_BINARY=" + program, "GITHUB_STEP_SUMMARY=" + filepath.Join(folder, "summary")}, env...)
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return outcome{cmd.ProcessState.ExitCode(), stdout.String(), stderr.String()}
}

// TestGateInCI: the script that the action of GitHub and the template of GitLab call.
func TestGateInCI(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("bash"); err != nil {
		t.Skip("the gate of CI skipped: no bash")
	}
	b := newBench(t).imported()
	b.must("run", "{}/sweep.yaml")
	b.must("export", "{}/study.zip", "faq")
	for name, score := range map[string]string{"old.csv": "0.9", "new.csv": "0.1"} {
		b.save(name, "id,score\nq1,"+score+"\n")
	}
	compared := inCI(t, b, "worse", "GATE_STUDY="+b.path("study.zip"), "GATE_RUN="+b.path("closed.yaml"), "GATE_BUDGET=1calls",
		"GATE_BASELINE=faq", "GATE_CANDIDATE=closed")
	summary, err := os.ReadFile(b.path("worse/summary"))
	if compared.code != program.ExitGateFail || err != nil || !strings.Contains(string(summary), "FAIL") {
		t.Errorf("worse answers: exit %d, %v\n%s%s\n%s", compared.code, err, compared.stdout, compared.stderr, summary)
	}
	for _, file := range []string{"worse/gate.xml", "worse/gate.md"} {
		if info, err := os.Stat(b.path(file)); err != nil || info.Size() == 0 {
			t.Errorf("%s: %v", file, err)
		}
	}
	for _, c := range []struct {
		name string
		env  []string
		code int
		said string
	}{
		{"files of scores", []string{"GATE_BASELINE=" + b.path("old.csv"), "GATE_CANDIDATE=" + b.path("new.csv"), "GATE_STRICT=true"},
			program.ExitGateInconclusive, "INCONCLUSIVE"},
		{"thresholds", []string{"GATE_CANDIDATE=" + b.path("new.csv"), "GATE_MIN=score >= 0.05\nscore >= 0.5"}, program.ExitGateFail,
			"0.5"},
		{"nothing to hold", nil, program.ExitUsage, "GATE_CANDIDATE"},
		{"no budget", []string{"GATE_CANDIDATE=closed", "GATE_RUN=closed"}, program.ExitUsage, "GATE_BUDGET"},
		{"no program", []string{"GATE_CANDIDATE=closed", "WORKBENCH_BINARY="}, program.ExitUsage, "WORKBENCH_VERSION"},
		{"a version that is none", []string{"GATE_CANDIDATE=closed", "WORKBENCH_BINARY=", "WORKBENCH_VERSION=../x"}, program.ExitUsage,
			"v1.2.3"},
	} {
		if o := inCI(t, b, "other", c.env...); o.code != c.code || !strings.Contains(o.stdout+o.stderr, c.said) {
			t.Errorf("%s: exit %d\n%s%s", c.name, o.code, o.stdout, o.stderr)
		}
		_, err := os.Stat(b.path("other/gate.md"))
		if early := c.code == program.ExitUsage; early != errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: the verdict of an earlier step is kept, or this one's is not: %v", c.name, err)
		}
	}
}

// TestGateInCIChecksWhatItDownloads: a release whose archive is not the one that its sums name is not run.
func TestGateInCIChecksWhatItDownloads(t *testing.T) {
	t.Parallel()
	for _, command := range []string{"bash", "curl", "sha256sum"} {
		if _, err := exec.LookPath(command); err != nil {
			t.Skipf("the download of CI skipped: no %s", command)
		}
	}
	b := newBench(t)
	folder := b.path("releases/v1.2.3")
	if err := os.MkdirAll(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	var sums strings.Builder
	for _, platform := range []string{"linux_amd64", "linux_arm64", "darwin_amd64", "darwin_arm64"} {
		name := "workbench_1.2.3_" + platform
		body := archived(t, name+"/workbench", "#!/bin/sh\necho released: \"$@\"\n")
		if err := os.WriteFile(filepath.Join(folder, name+".tar.gz"), body, 0o600); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&sums, "%x  %s.tar.gz\n", sha256.Sum256(body), name)
	}
	env := []string{"WORKBENCH_BINARY=", "WORKBENCH_VERSION=v1.2.3", "WORKBENCH_RELEASES=file://" + b.path("releases"),
		"GATE_CANDIDATE=new"}
	other := regexp.MustCompile(`(?m)^.{8}`).ReplaceAllString(sums.String(), "00000000")
	for _, c := range []struct {
		sums string
		code int
		said string
	}{
		{sums.String(), program.ExitDone, "released: gate --junit gate.xml --markdown gate.md new"},
		{other, program.ExitUsage, "is not what SHA256SUMS says"},
		{"", program.ExitUsage, "does not name"},
	} {
		b.save("releases/v1.2.3/SHA256SUMS", c.sums)
		if o := inCI(t, b, "job", env...); o.code != c.code || !strings.Contains(o.stdout+o.stderr, c.said) {
			t.Errorf("want %q: exit %d\n%s%s", c.said, o.code, o.stdout, o.stderr)
		}
	}
}

// archived is a .tar.gz with one program.
func archived(t *testing.T, name, program string) []byte {
	t.Helper()
	var packed strings.Builder
	z := gzip.NewWriter(&packed)
	w := tar.NewWriter(z)
	err := w.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: int64(len(program)), Typeflag: tar.TypeReg})
	_, writing := w.Write([]byte(program))
	if err := errors.Join(err, writing, w.Close(), z.Close()); err != nil {
		t.Fatal(err)
	}
	return []byte(packed.String())
}
