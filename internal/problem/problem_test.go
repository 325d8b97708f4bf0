package problem

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"syscall"
	"testing"
)

func TestFromFindsTheProblemInTheChain(t *testing.T) {
	t.Parallel()
	p := New(NotFound, "run_unknown", "there is no run %q", "x").With("name", "x").WithHint("list them with %s", "runs list").
		Because(io.EOF)
	wrapped := fmt.Errorf("show: %w", p)
	if From(wrapped) != p || CodeOf(wrapped) != "run_unknown" || !Is(wrapped, NotFound) || Is(wrapped, Conflict) ||
		!errors.Is(wrapped, io.EOF) {
		t.Errorf("From = %+v", From(wrapped))
	}
	if p.Message != `there is no run "x"` || p.Hint != "list them with runs list" || p.Params["name"] != "x" ||
		p.Error() != `there is no run "x": EOF` {
		t.Errorf("problem = %+v, %v", p, p)
	}
}

func TestOtherErrorsAreInternal(t *testing.T) {
	t.Parallel()
	p := From(io.EOF)
	if p.Kind != Internal || p.Code != "internal" || !errors.Is(p, io.EOF) || CodeOf(io.EOF) != "internal" || Is(io.EOF, Internal) {
		t.Errorf("From = %+v", p)
	}
	if From(nil) != nil || CodeOf(nil) != "" || Is(nil, Internal) {
		t.Error("nil is no problem")
	}
}

// TestAFullDiskIsNamed: what the system says of a disk is said to people, wherever it happened.
func TestAFullDiskIsNamed(t *testing.T) {
	t.Parallel()
	for no, code := range map[syscall.Errno]string{syscall.ENOSPC: "disk_full", syscall.EFBIG: "disk_full", syscall.EROFS: "disk_read_only",
		syscall.EIO: "internal"} {
		err := fmt.Errorf("write a report: %w", &fs.PathError{Op: "write", Path: "report.xlsx", Err: no})
		if p := From(err); p.Code != code || (code != "internal") != (p.Hint != "") {
			t.Errorf("%v is told as %s: %s", no, p.Code, p.Hint)
		}
	}
}
