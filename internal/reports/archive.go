package reports

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"errors"
	"hash/crc32"
	"io"
	"io/fs"
	"slices"
	"strings"

	"github.com/xuri/excelize/v2"
)

// archive is the zip file of a workbook with its parts in the order of their names. The workbook writer hands streamed
// sheets over in random order; a report must not differ from itself. Entries carry no time of day for the same reason.
type archive struct {
	out   io.Writer
	parts []*part
	flate *flate.Writer
}

type part struct {
	name string
	body bytes.Buffer // compressed
	crc  uint32
	size uint64
	zip  *flate.Writer
}

func newArchive(w io.Writer) excelize.ZipWriter { return &archive{out: w} }

// Create starts a part and ends the one before it.
func (a *archive) Create(name string) (io.Writer, error) {
	if err := a.end(); err != nil {
		return nil, err
	}
	p := &part{name: name}
	if a.flate == nil {
		w, err := flate.NewWriter(&p.body, 5) // the level of archive/zip
		if err != nil {
			return nil, err
		}
		a.flate = w
	} else {
		a.flate.Reset(&p.body)
	}
	p.zip = a.flate
	a.parts = append(a.parts, p)
	return p, nil
}

// Write compresses more of the part.
func (p *part) Write(b []byte) (int, error) {
	n, err := p.zip.Write(b)
	p.crc = crc32.Update(p.crc, crc32.IEEETable, b[:n])
	p.size += uint64(n)
	return n, err
}

func (a *archive) end() error {
	if a.flate == nil {
		return nil
	}
	return a.flate.Close()
}

// AddFS is part of the interface; no workbook of ours has a file system.
func (a *archive) AddFS(fs.FS) error { return errors.ErrUnsupported }

// Close writes all parts.
func (a *archive) Close() error {
	if err := a.end(); err != nil {
		return err
	}
	slices.SortFunc(a.parts, func(x, y *part) int { return strings.Compare(x.name, y.name) })
	zw := zip.NewWriter(a.out)
	for _, p := range a.parts {
		w, err := zw.CreateRaw(&zip.FileHeader{
			Name: p.name, Method: zip.Deflate, CRC32: p.crc,
			CompressedSize64: uint64(p.body.Len()), UncompressedSize64: p.size,
		})
		if err != nil {
			return err
		}
		if _, err := p.body.WriteTo(w); err != nil {
			return err
		}
	}
	return zw.Close()
}
