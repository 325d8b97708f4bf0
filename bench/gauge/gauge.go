// Package gauge measures what processes take of the processor and of the memory, for the benches. Processor time is user and system
// time, which others on the machine disturb less than the clock. It reads /proc, so it measures on Linux alone.
package gauge

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
)

// Own is the processor time of this process so far.
func Own() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// ticks is how many of the kernel's units of processor time make a second for programs.
const ticks = 100

// stat is what /proc tells of a process.
type stat struct {
	parent      int
	own, reaped time.Duration // its own time, and that of children that are gone
}

func readStat(pid int) (s stat, err error) {
	body, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return s, err
	}
	_, rest, _ := strings.Cut(string(body), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 15 {
		return s, fmt.Errorf("the processor time of process %d cannot be read", pid)
	}
	var n [5]int64
	for i, at := range []int{1, 11, 12, 13, 14} { // parent, user, system, and those of children
		if n[i], err = strconv.ParseInt(fields[at], 10, 64); err != nil {
			return s, err
		}
	}
	s.parent = int(n[0])
	s.own, s.reaped = time.Duration(n[1]+n[2])*time.Second/ticks, time.Duration(n[3]+n[4])*time.Second/ticks
	return s, nil
}

// Server is a PostgreSQL server on this machine, by the process that all its others are children of. The zero Server takes no time.
type Server struct{ pid int }

// ServerOf finds the server behind a database on this machine.
func ServerOf(ctx context.Context, database string) (Server, error) {
	c, err := pgx.Connect(ctx, database)
	if err != nil {
		return Server{}, err
	}
	defer func() { _ = c.Close(ctx) }()
	var pid int
	if err := c.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&pid); err != nil {
		return Server{}, err
	}
	s, err := readStat(pid)
	return Server{s.parent}, err
}

// Used is the processor time of a server so far, with all of its processes.
func (s Server) Used() time.Duration {
	if s.pid == 0 {
		return 0
	}
	own, err := readStat(s.pid)
	if err != nil {
		return 0
	}
	sum := own.own + own.reaped
	all, _ := filepath.Glob("/proc/[0-9]*") // the pattern is right
	for _, dir := range all {
		pid, err := strconv.Atoi(filepath.Base(dir))
		if err != nil {
			continue
		}
		if p, err := readStat(pid); err == nil && p.parent == s.pid {
			sum += p.own
		}
	}
	return sum
}

// FreshDatabase creates a database on a server, by the URL of one whose user may do so, and returns its URL.
func FreshDatabase(ctx context.Context, server, name string) (string, error) {
	c, err := pgx.Connect(ctx, server)
	if err != nil {
		return "", err
	}
	_, err = c.Exec(ctx, "CREATE DATABASE "+pgx.Identifier{name}.Sanitize())
	if err := errors.Join(err, c.Close(ctx)); err != nil {
		return "", err
	}
	u, err := url.Parse(server)
	if err != nil {
		return "", err
	}
	u.Path = "/" + name
	return u.String(), nil
}

// DatabaseSize is how many bytes a database has on the disk of its server.
func DatabaseSize(ctx context.Context, database string) (n int64, err error) {
	c, err := pgx.Connect(ctx, database)
	if err != nil {
		return 0, err
	}
	defer func() { _ = c.Close(ctx) }()
	err = c.QueryRow(ctx, "SELECT pg_database_size(current_database())").Scan(&n)
	return n, err
}
