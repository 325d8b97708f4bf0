package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"time"
)

// tarball packs files into a folder of a .tar.gz. The first one is the program.
func tarball(w io.Writer, folder string, files []string, at time.Time) error {
	zw, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	tw := tar.NewWriter(zw)
	for i, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		header := &tar.Header{Typeflag: tar.TypeReg, Name: path.Join(folder, filepath.Base(file)), Size: int64(len(body)), Mode: mode(i),
			ModTime: at, Format: tar.FormatUSTAR}
		if err := tw.WriteHeader(header); err != nil {
			return err
		}
		if _, err := tw.Write(body); err != nil {
			return err
		}
	}
	return errors.Join(tw.Close(), zw.Close())
}

func mode(i int) int64 {
	if i == 0 {
		return 0o755
	}
	return 0o644
}

// zipped packs files into a folder of a .zip.
func zipped(w io.Writer, folder string, files []string, at time.Time) error {
	zw := zip.NewWriter(w)
	for i, file := range files {
		body, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		header := &zip.FileHeader{Name: path.Join(folder, filepath.Base(file)), Method: zip.Deflate, Modified: at}
		header.SetMode(os.FileMode(mode(i))) //nolint:gosec // one of two constants
		out, err := zw.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := out.Write(body); err != nil {
			return err
		}
	}
	return zw.Close()
}

// sums writes SHA256SUMS for all files of the release, and prints it.
func (r *release) sums() error {
	names := slices.Sorted(slices.Values(r.files))
	return r.make("SHA256SUMS", func(w io.Writer) error {
		for _, name := range names {
			body, err := os.ReadFile(filepath.Join(r.out, name))
			if err != nil {
				return err
			}
			sum := sha256.Sum256(body)
			line := fmt.Sprintf("%s  %s\n", hex.EncodeToString(sum[:]), name)
			if _, err := io.MultiWriter(w, r.log).Write([]byte(line)); err != nil {
				return err
			}
		}
		return nil
	})
}
