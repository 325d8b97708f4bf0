// Release builds what a release consists of: the program for every system, packed with its licences, one list of what is in it (SBOM,
// CycloneDX), the client for Python as a wheel (which takes Python with pip), and the SHA-256 of each file.
//
//	go run ./scripts/release -version v1.2.3 -out dist
//	go run ./scripts/release -version v1.2.3 -out dist -targets linux/amd64
//
// The same commit gives the same bytes, wherever and whenever it is built with the same Go: paths are trimmed, archives carry the time
// of SOURCE_DATE_EPOCH or of the commit, and nothing else of the machine. Build the pages first (make frontend).
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// targets are the systems that a release is for.
const targets = "linux/amd64,linux/arm64,darwin/amd64,darwin/arm64,windows/amd64,windows/arm64"

// mostBytes is what a program may weigh.
const mostBytes = 90 << 20

// enclosed are the files beside the program in every archive.
var enclosed = []string{"LICENSE", "NOTICE", "THIRD_PARTY_NOTICES.md", "README.md", "README.ja.md"}

func main() {
	r := release{log: os.Stderr}
	list := flag.String("targets", targets, "systems, separated by commas")
	flag.StringVar(&r.version, "version", "", "version of the release; default that of git describe")
	flag.StringVar(&r.out, "out", "dist", "folder for the files, which must not exist")
	flag.BoolVar(&r.pagesOptional, "without-pages", false, "build although the pages were not built")
	flag.BoolVar(&r.noWheel, "without-wheel", false, "leave out the client for Python")
	flag.Parse()
	r.targets = strings.Split(*list, ",")
	if err := r.run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "release:", err)
		os.Exit(1)
	}
}

// release is one release while it is made.
type release struct {
	version       string
	out           string
	targets       []string
	pagesOptional bool
	noWheel       bool
	log           io.Writer
	at            time.Time // of everything in it
	files         []string  // made so far, in the folder out
}

func (r *release) run(ctx context.Context) (err error) {
	if _, err := os.Stat("frontend/dist/index.html"); err != nil && !r.pagesOptional {
		return errors.New("the pages are not built: make frontend")
	}
	if r.version == "" {
		if r.version, err = output(ctx, "git", "describe", "--tags", "--always", "--dirty"); err != nil {
			return err
		}
	}
	if r.at, err = moment(ctx, os.Getenv("SOURCE_DATE_EPOCH")); err != nil {
		return err
	}
	if err := os.Mkdir(r.out, 0o755); err != nil {
		return err
	}
	work, err := os.MkdirTemp("", "workbench-release-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(work) }() // the folder of temporary files is emptied by the system at the latest
	for _, target := range r.targets {
		if err := r.target(ctx, work, target); err != nil {
			return fmt.Errorf("%s: %w", target, err)
		}
	}
	if !r.noWheel {
		if err := r.wheel(ctx, work); err != nil {
			return err
		}
	}
	return r.sums()
}

// output runs a command and returns its first line.
func output(ctx context.Context, name string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, name, args...).Output()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", name, strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out)), nil
}

// moment is the time of a release: that of the environment, or of the commit.
func moment(ctx context.Context, epoch string) (time.Time, error) {
	if epoch == "" {
		var err error
		if epoch, err = output(ctx, "git", "log", "-1", "--format=%ct"); err != nil {
			return time.Time{}, err
		}
	}
	seconds, err := strconv.ParseInt(epoch, 10, 64)
	if err != nil {
		return time.Time{}, fmt.Errorf("SOURCE_DATE_EPOCH is %q, no number of seconds", epoch)
	}
	return time.Unix(seconds, 0).UTC(), nil
}

// target builds and packs the program for one system.
func (r *release) target(ctx context.Context, work, target string) error {
	system, processor, ok := strings.Cut(target, "/")
	if !ok {
		return errors.New("a target is written as linux/amd64")
	}
	name := "workbench"
	if system == "windows" {
		name += ".exe"
	}
	program := filepath.Join(work, system+"-"+processor, name)
	if err := r.build(ctx, system, processor, program); err != nil {
		return err
	}
	info, err := os.Stat(program)
	if err != nil {
		return err
	}
	if info.Size() > mostBytes {
		return fmt.Errorf("the program has %d bytes, more than %d", info.Size(), mostBytes)
	}
	base := fmt.Sprintf("workbench_%s_%s_%s", strings.TrimPrefix(r.version, "v"), system, processor)
	packed, pack := base+".tar.gz", tarball
	if system == "windows" {
		packed, pack = base+".zip", zipped
	}
	if err := r.make(packed, func(w io.Writer) error { return pack(w, base, append([]string{program}, enclosed...), r.at) }); err != nil {
		return err
	}
	if err := r.make(base+".cdx.json", func(w io.Writer) error { return bill(w, program, r.version, r.at) }); err != nil {
		return err
	}
	fmt.Fprintf(r.log, "%s: %.1f MB\n", packed, float64(info.Size())/1e6)
	return nil
}

// build compiles the program so that nothing of this machine is in it.
func (r *release) build(ctx context.Context, system, processor, program string) error {
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", "-tags=nomsgpack", "-buildvcs=false", "-mod=readonly",
		"-ldflags", "-s -w -buildid= -X main.version="+r.version, "-o", program, "./cmd/workbench")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+processor, "GOFLAGS=", "GOAMD64=v1", "GOARM64=v8.0",
		"GOEXPERIMENT=")
	cmd.Stdout, cmd.Stderr = r.log, r.log
	return cmd.Run()
}

// make writes one file of the release.
func (r *release) make(name string, write func(io.Writer) error) error {
	f, err := os.OpenFile(filepath.Join(r.out, name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	r.files = append(r.files, name)
	return errors.Join(write(f), f.Close())
}
