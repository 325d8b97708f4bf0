// Command scale measures how time and memory grow with the size of a run and with the number of runs. It prints Markdown tables.
//
//	go run ./bench/scale [-workbench bin/workbench] [-questions 1000,10000] [-history 50,500,5000,50000] [-keep FOLDER] [-rest]
//	  [FOLDER…]
//
// The first table is about two runs of so many questions × 12 metrics, made offline by the program itself: what it takes to load both
// from SQLite, to compare them, to write their workbook, and how large the database is. Of these runs no two reasons are the same, and no
// vote of the judge settles, as with a model; -model=false leaves them as the offline judge scored them. The second is about a history
// of so many runs: a page of 50 of them, sorted and folded, one run by its id and other lists, each asked over HTTP. The third is about
// the program. With -rest, calls and, where folders of documents are named, a sweep over them are measured too (bench/latency,
// bench/retrieval/sweep). In the end all that has a bar stands in one table, with the load of the machine. Processor time is user
// and system time, which others on the machine disturb less than the clock.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

func main() {
	r := rig{}
	flag.StringVar(&r.binary, "workbench", "bin/workbench", "the program that is measured")
	questions := flag.String("questions", "1000,10000", "sizes of runs")
	history := flag.String("history", "50,500,5000,50000", "numbers of runs")
	flag.StringVar(&r.folder, "keep", "", "folder that keeps what is made, for measuring again; default a temporary one")
	flag.BoolVar(&r.model, "model", true, "make the runs those of a judge that is a model: reasons of their own, and no vote settles")
	flag.BoolVar(&r.causes, "causes", false, "diagnose the second run first, so that its workbook has causes")
	flag.BoolVar(&r.others, "rest", false, "measure calls, and a sweep over the folders of documents that are named, too")
	part := flag.String("part", "", "do this part alone: the command starts itself so")
	flag.Parse()
	work := func() error { return r.measure(*questions, *history, flag.Args()) }
	if *part != "" {
		work = func() error { return doPart(context.Background(), *part, flag.Arg(0)) }
	}
	if err := work(); err != nil {
		fmt.Fprintln(os.Stderr, "scale:", err)
		os.Exit(1)
	}
}

// rig is where the measurements happen.
type rig struct {
	binary, folder string
	causes, others bool
	model          bool  // the judge of what is made is like a model
	table          []row // of what has a bar
}

// used is what a process took.
type used struct {
	wall, cpu time.Duration
	megabytes int64 // at most
	out       string
}

func (u used) String() string {
	return fmt.Sprintf("%.2f s, %.2f s on the clock, %d MB", u.cpu.Seconds(), u.wall.Seconds(), u.megabytes)
}

func (r *rig) measure(questions, history string, folders []string) error {
	var err error
	if r.binary, err = filepath.Abs(r.binary); err != nil {
		return err
	}
	if r.folder == "" {
		if r.folder, err = os.MkdirTemp("", "scale"); err != nil {
			return err
		}
		defer func() { _ = os.RemoveAll(r.folder) }()
	}
	sizes, err := numbers(questions)
	if err != nil {
		return err
	}
	if err := r.sizes(sizes); err != nil {
		return err
	}
	if sizes, err = numbers(history); err != nil {
		return err
	}
	if err := r.histories(sizes); err != nil {
		return err
	}
	if err := r.program(); err != nil {
		return err
	}
	if r.others {
		if err := r.rest(folders); err != nil {
			return err
		}
	}
	r.summary()
	return nil
}

// numbers reads a list such as "50,500".
func numbers(list string) (out []int, err error) {
	for part := range strings.SplitSeq(list, ",") {
		if part == "" {
			continue
		}
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

// run runs the program in a folder whose data folder is "data".
func (r *rig) run(dir string, args ...string) (used, error) {
	cmd := exec.Command(r.binary, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "WORKBENCH_DATA=data", "LC_ALL=C")
	var said, complained strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &complained
	began := time.Now()
	if err := cmd.Run(); err != nil {
		return used{}, fmt.Errorf("%s: %w\n%s", strings.Join(args, " "), err, complained.String())
	}
	u := used{wall: time.Since(began), cpu: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), out: said.String()}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		u.megabytes = usage.Maxrss >> 10
	}
	return u, nil
}

// program prints what starting and idling take.
func (r *rig) program() error {
	info, err := os.Stat(r.binary)
	if err != nil {
		return err
	}
	const starts = 20
	var cpu time.Duration
	for range starts {
		u, err := r.run(r.folder, "--help")
		if err != nil {
			return err
		}
		cpu += u.cpu
	}
	s, err := r.serve(filepath.Join(r.folder, "idle"))
	if err != nil {
		return err
	}
	defer s.stop()
	time.Sleep(2 * time.Second)
	resident, err := s.resident()
	if err != nil {
		return err
	}
	fmt.Printf("\n| program | |\n|---|---|\n| size | %.1f MB |\n| `--help` | %.1f ms of processor |\n| idle server | %d MB resident |\n",
		float64(info.Size())/1e6, float64(cpu.Microseconds())/1000/starts, resident)
	small, err := packed(r.binary)
	if err != nil {
		return err
	}
	r.note("binary", float64(info.Size())/1e6, 72, "MB")
	r.note("binary, packed by gzip", float64(small)/1e6, 0, "MB")
	r.note("`--help`", float64(cpu.Microseconds())/1000/starts, 10, "ms")
	r.note("idle server, resident", float64(resident), 60, "MB")
	return nil
}
