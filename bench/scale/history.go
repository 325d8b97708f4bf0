package main

import (
	"bufio"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// histories prints the table of lists by the number of runs.
func (r *rig) histories(all []int) error {
	if len(all) == 0 {
		return nil
	}
	paths := []string{"runs?limit=50", "runs?limit=50&sort=-correctness", "runs?limit=50&group=sweep", "runs?limit=50&q=after",
		"parameters", "runs/ID", "experiments?limit=50"}
	fmt.Printf("\n| runs | %s | database |\n|%s\n", strings.Join(paths, " | "), strings.Repeat("---|", len(paths)+2))
	for _, n := range all {
		dir := filepath.Join(r.folder, fmt.Sprint("history-", n))
		id, err := r.history(dir, n)
		if err != nil {
			return err
		}
		cells, err := r.asked(dir, id, paths)
		if err != nil {
			return err
		}
		r.noteLists(n, paths, cells)
		fmt.Printf("| %d | %s | %s |\n", n, strings.Join(cells, " | "), size(filepath.Join(dir, "data", "workbench.db")))
	}
	return nil
}

// noteLists keeps the times of lists over a history of so many runs, for the last table. No bar was set in milliseconds: they are to be the
// same for any history.
func (r *rig) noteLists(runs int, paths, cells []string) {
	for i, path := range paths {
		var each float64
		if _, err := fmt.Sscanf(cells[i], "%f ms", &each); err == nil {
			r.note(fmt.Sprintf("`GET /%s`, %d runs", path, runs), each, 0, "ms")
		}
	}
}

// asked is the processor time of a server for each of the paths, when it is asked for the tenth time and on.
func (r *rig) asked(dir, id string, paths []string) (cells []string, err error) {
	s, err := r.serve(dir)
	if err != nil {
		return nil, err
	}
	defer s.stop()
	for _, path := range paths {
		path = strings.ReplaceAll(path, "ID", id)
		const warm, times = 3, 20
		var before time.Duration
		for i := range warm + times {
			if i == warm {
				if before, err = s.cpu(); err != nil {
					return nil, err
				}
			}
			if err := s.get(path); err != nil {
				return nil, err
			}
		}
		after, err := s.cpu()
		if err != nil {
			return nil, err
		}
		cells = append(cells, fmt.Sprintf("%.1f ms", float64((after-before).Microseconds())/1000/times))
	}
	return cells, nil
}

// history makes a database with so many runs, copies of two finished ones with ids and times of their own, and returns an id.
func (r *rig) history(dir string, n int) (id string, err error) {
	if err := r.world(dir, 20); err != nil {
		return "", err
	}
	db, err := sql.Open("sqlite", filepath.Join(dir, "data", "workbench.db"))
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	ctx := context.Background()
	columns, err := plainColumns(ctx, db)
	if err != nil {
		return "", err
	}
	var have int
	if err := db.QueryRowContext(ctx, "SELECT COUNT(*), MIN(id) FROM runs").Scan(&have, &id); err != nil {
		return "", err
	}
	values := strings.NewReplacer("created_at", "strftime('%Y-%m-%d %H:%M:%f+00:00', created_at, '-' || n || ' minutes')",
		"ordinal", "n", "totals", "json_set(totals, '$.scores.correctness.mean', 1 + n % 400 / 100.0)").Replace(columns)
	if n > have {
		_, err = db.ExecContext(ctx, `WITH RECURSIVE more(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM more WHERE n < ?)
			INSERT INTO runs (id, `+columns+`) SELECT lower(hex(randomblob(6))), `+values+` FROM more
			CROSS JOIN (SELECT * FROM runs WHERE kind = 'evaluate' ORDER BY seq LIMIT 1)`, n-have)
	}
	return id, err
}

// plainColumns are the columns of a run that are no key and are not made by the database.
func plainColumns(ctx context.Context, db *sql.DB) (string, error) {
	rows, err := db.QueryContext(ctx, "SELECT name FROM pragma_table_info('runs') WHERE name NOT IN ('seq', 'id')")
	if err != nil {
		return "", err
	}
	defer func() { _ = rows.Close() }()
	var names []string
	for rows.Next() {
		var name string
		if err := rows.Scan(&name); err != nil {
			return "", err
		}
		names = append(names, name)
	}
	return strings.Join(names, ", "), rows.Err()
}

// server is a running `workbench serve`.
type server struct {
	cmd     *exec.Cmd
	address string
}

func (r *rig) serve(dir string) (*server, error) {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return nil, err
	}
	cmd := exec.Command(r.binary, "serve", "--addr", "127.0.0.1:0", "--data", "data")
	cmd.Dir = dir
	out, err := cmd.StderrPipe()
	if err != nil {
		return nil, err
	}
	cmd.Stdout = cmd.Stderr
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s := &server{cmd: cmd}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if _, rest, ok := strings.Cut(lines.Text(), "http://"); ok {
			s.address = "http://" + strings.TrimRight(strings.FieldsFunc(rest, func(r rune) bool { return r == ' ' || r == '"' })[0], "/.,")
			break
		}
	}
	if s.address == "" {
		s.stop()
		return nil, errors.New("the server did not say where it listens")
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	return s, nil
}

func (s *server) stop() {
	_ = s.cmd.Process.Signal(syscall.SIGTERM)
	_ = s.cmd.Wait() // it was told to stop
}

func (s *server) get(path string) error {
	resp, err := http.Get(s.address + "/api/v1/" + path)
	if err != nil {
		return err
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s: %s: %s", path, resp.Status, body)
	}
	return nil
}

// cpu is the processor time that the server took so far.
func (s *server) cpu() (time.Duration, error) {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0, errors.New("the processor time of the server cannot be read")
	}
	var ticks int64
	for _, f := range fields[11:13] { // user and system time
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return 0, err
		}
		ticks += n
	}
	const perSecond = 100 // what Linux tells programs
	return time.Duration(ticks) * time.Second / perSecond, nil
}

// resident is the memory of the server in megabytes.
func (s *server) resident() (int64, error) {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.SplitSeq(string(status), "\n") {
		if rest, ok := strings.CutPrefix(line, "VmRSS:"); ok {
			n, err := strconv.ParseInt(strings.Fields(rest)[0], 10, 64)
			return n >> 10, err
		}
	}
	return 0, errors.New("the memory of the server cannot be read")
}
