package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// pythonFolder holds the client for Python.
const pythonFolder = "clients/python"

// unreleased is the line of its pyproject.toml that the release writes anew.
var unreleased = regexp.MustCompile(`(?m)^version = "0\.0\.0"`)

// wheel builds the client for Python with the version of the release. Its build backend is pinned, and comes from the Python index.
func (r *release) wheel(ctx context.Context, work string) error {
	source := filepath.Join(work, "python")
	if err := os.CopyFS(source, os.DirFS(pythonFolder)); err != nil {
		return err
	}
	project := filepath.Join(source, "pyproject.toml")
	body, err := os.ReadFile(project)
	if err != nil {
		return err
	}
	if !unreleased.Match(body) {
		return fmt.Errorf("%s/pyproject.toml has no line %s", pythonFolder, unreleased)
	}
	licence, err := os.ReadFile("LICENSE")
	if err != nil {
		return err
	}
	body = unreleased.ReplaceAll(body, []byte(`version = "`+pythonVersion(r.version)+`"`))
	if err := errors.Join(os.WriteFile(project, body, 0o600), os.WriteFile(filepath.Join(source, "LICENSE"), licence, 0o600)); err != nil {
		return err
	}
	before, err := filepath.Glob(filepath.Join(r.out, "*.whl"))
	if err != nil || len(before) > 0 {
		return fmt.Errorf("%s holds a wheel already: %w", r.out, err)
	}
	cmd := exec.CommandContext(ctx, "python3", "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check", "--no-deps",
		"--no-cache-dir", "--wheel-dir", r.out, source) //nolint:gosec // our own folders
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH="+strconv.FormatInt(r.at.Unix(), 10))
	cmd.Stdout, cmd.Stderr = r.log, r.log
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("build the Python wheel (-without-wheel leaves it out): %w", err)
	}
	made, err := filepath.Glob(filepath.Join(r.out, "rag_workbench-*.whl"))
	if err != nil || len(made) != 1 {
		return fmt.Errorf("pip made the wheels %v: %w", made, err)
	}
	r.files = append(r.files, filepath.Base(made[0]))
	return nil
}

// released is the version of a tag, and what git describe adds between two.
var released = regexp.MustCompile(`^v?(\d+\.\d+\.\d+)(?:-(a|b|rc)\.?(\d+))?(?:-(.+))?$`)

// pythonVersion spells a version as Python does: v1.2.3-rc.1 is 1.2.3rc1, and what lies between two tags is a local version.
func pythonVersion(version string) string {
	m := released.FindStringSubmatch(version)
	if m == nil {
		m = []string{"", "0.0.0", "", "", version}
	}
	out := m[1] + m[2] + m[3]
	local := strings.Trim(regexp.MustCompile(`[^a-z0-9]+`).ReplaceAllString(strings.ToLower(m[4]), "."), ".")
	if local != "" {
		out += "+" + local
	}
	return out
}
