package spreadsheet

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
// Sheets whose rows were spooled get them here.
type archive struct {
	spools []*Spool
	parts  []*part
	flate  *flate.Writer
}

type part struct {
	name string
	held []byte    // of a sheet, until it is whole
	body []*pieces // compressed: rows that were spooled stay in a buffer of their own
	crc  uint32
	size uint64
	zip  *flate.Writer
}

// writeFile writes a workbook, in which the rows of spools stand where their marks are. The workbook writer would hold the whole file
// before it hands it on: it gets nothing to hold.
func writeFile(f *excelize.File, spools []*Spool, w io.Writer) error {
	a := &archive{spools: spools}
	f.SetZipWriter(func(io.Writer) excelize.ZipWriter { return a })
	if err := f.Write(io.Discard); err != nil {
		return err
	}
	return a.write(w)
}

// Create starts a part and ends the one before it.
func (a *archive) Create(name string) (io.Writer, error) {
	if err := a.end(); err != nil {
		return nil, err
	}
	p := &part{name: name, body: []*pieces{{}}}
	if a.flate == nil {
		w, err := flate.NewWriter(p.body[0], deflateLevel)
		if err != nil {
			return nil, err
		}
		a.flate = w
	} else {
		a.flate.Reset(p.body[0])
	}
	p.zip = a.flate
	a.parts = append(a.parts, p)
	return p, nil
}

// Write compresses more of the part, or holds it where rows may have to be put in.
func (p *part) Write(b []byte) (int, error) {
	if strings.HasPrefix(p.name, "xl/worksheets/sheet") {
		p.held = append(p.held, b...)
		return len(b), nil
	}
	return len(b), p.add(b)
}

func (p *part) add(b []byte) error {
	_, err := p.zip.Write(b)
	p.crc = crc32.Update(p.crc, crc32.IEEETable, b)
	p.size += uint64(len(b))
	return err
}

// fill compresses what was held, with the rows of the spool whose mark it holds.
func (p *part) fill(spools []*Spool) error {
	held := p.held
	p.held = nil
	for _, s := range spools {
		at := bytes.Index(held, []byte("<t>"+s.Mark+"</t>"))
		if at < 0 {
			continue
		}
		end := at + bytes.Index(held[at:], []byte("</row>")) + len("</row>")
		if err := errors.Join(p.add(held[:bytes.LastIndex(held[:at], []byte("<row "))]), p.zip.Flush()); err != nil {
			return err
		}
		rest := &pieces{}
		p.body = append(p.body, &s.body, rest)
		p.crc, p.size = joinCRC(p.crc, s.crc, s.size), p.size+s.size
		p.zip.Reset(rest) // what follows may not refer back to what stands before the rows
		held = held[end:]
		break
	}
	return p.add(held)
}

func (a *archive) end() error {
	if a.flate == nil {
		return nil
	}
	if p := a.parts[len(a.parts)-1]; p.held != nil {
		if err := p.fill(a.spools); err != nil {
			return err
		}
	}
	return a.flate.Close()
}

// AddFS is part of the interface; no workbook of ours has a file system.
func (a *archive) AddFS(fs.FS) error { return errors.ErrUnsupported }

// Close ends the last part.
func (a *archive) Close() error { return a.end() }

// write writes all parts.
func (a *archive) write(out io.Writer) error {
	slices.SortFunc(a.parts, func(x, y *part) int { return strings.Compare(x.name, y.name) })
	zw := zip.NewWriter(out)
	for _, p := range a.parts {
		compressed := uint64(0)
		for _, b := range p.body {
			compressed += uint64(b.Len())
		}
		w, err := zw.CreateRaw(&zip.FileHeader{
			Name: p.name, Method: zip.Deflate, CRC32: p.crc,
			CompressedSize64: compressed, UncompressedSize64: p.size,
		})
		if err != nil {
			return err
		}
		for _, b := range p.body {
			if _, err := b.WriteTo(w); err != nil {
				return err
			}
		}
	}
	return zw.Close()
}
