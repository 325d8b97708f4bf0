package text

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"

	"github.com/rag-workbench/workbench/internal/problem"
)

// FileMissing says that there is no such file. The system's own message would say the same once more.
func FileMissing(path string) *problem.Problem {
	return problem.New(problem.NotFound, "file_missing", "there is no file %s", path).With("file", path).
		WithHint("check the path; it is relative to the folder the command runs in")
}

// ReadFile returns the bytes of a regular file of at most limit bytes. Anything else (no such file, a folder, a pipe or
// device, no permission, too large) is a Problem that names the file and what to do. The limit holds for the bytes
// that are read, not only for the size that the file system reports.
func ReadFile(path string, limit int64) ([]byte, error) {
	info, err := os.Stat(path) // before opening: opening a pipe would wait for a writer
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, FileMissing(path)
	case err != nil:
		return nil, unreadable(path, err)
	case !info.Mode().IsRegular():
		return nil, problem.New(problem.Invalid, "file_not_regular", "%s is not a file that can be read as a whole", path).
			With("file", path).
			WithHint("copy its contents into an ordinary file and give that")
	}
	if info.Size() > limit {
		return nil, tooLarge(path, limit)
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, unreadable(path, err)
	}
	defer f.Close()
	var raw bytes.Buffer
	raw.Grow(int(info.Size()) + bytes.MinRead) // so that a large file is not copied while the buffer grows
	if _, err := raw.ReadFrom(io.LimitReader(f, limit+1)); err != nil {
		return nil, unreadable(path, err)
	}
	if int64(raw.Len()) > limit {
		return nil, tooLarge(path, limit)
	}
	return raw.Bytes(), nil
}

func tooLarge(path string, limit int64) *problem.Problem {
	return problem.New(problem.Invalid, "file_too_large", "%s is larger than %d MiB, the limit for one file", path, limit>>20).
		With("file", path).With("limit_bytes", limit).WithHint("split the file into smaller ones")
}

func unreadable(path string, err error) *problem.Problem {
	return problem.New(problem.Invalid, "file_unreadable", "%s cannot be read", path).With("file", path).
		WithHint("check that you may read the file and that its disk is connected").Because(err)
}
