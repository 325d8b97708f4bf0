package program

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rag-workbench/workbench/internal/problem"
)

// WriteWhole writes a file beside its place and moves it there when it is whole.
func WriteWhole(path string, write func(io.Writer) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		if where, ok := errors.AsType[*fs.PathError](err); ok {
			err = where.Err // whose path is that of a file that nobody asked for
		}
		return problem.New(problem.Invalid, "report_file", "cannot write in %s", filepath.Dir(path)).Because(err)
	}
	defer func() { _ = os.Remove(f.Name()) }() // after the rename there is nothing to remove
	if err := write(f); err != nil {
		_ = f.Close()
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	if err := os.Chmod(f.Name(), 0o644); err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
