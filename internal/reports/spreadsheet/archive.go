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
	out    io.Writer
	spools []*Spool
	parts  []*part
	flate  *flate.Writer
}

type part struct {
	name string
	held []byte       // of a sheet, until it is whole
	body bytes.Buffer // compressed
	crc  uint32
	size uint64
	zip  *flate.Writer
}

// newArchive is the zip file of a workbook without spooled rows.
func newArchive(w io.Writer) excelize.ZipWriter { return archiveWith(w, nil) }

// archiveWith is the zip file of a workbook, in which the rows of spools stand where their marks are.
func archiveWith(w io.Writer, spools []*Spool) excelize.ZipWriter {
	return &archive{out: w, spools: spools}
}

// Create starts a part and ends the one before it.
func (a *archive) Create(name string) (io.Writer, error) {
	if err := a.end(); err != nil {
		return nil, err
	}
	p := &part{name: name}
	if a.flate == nil {
		w, err := flate.NewWriter(&p.body, deflateLevel)
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
		if _, err := s.body.WriteTo(&p.body); err != nil {
			return err
		}
		p.crc, p.size = joinCRC(p.crc, s.crc, s.size), p.size+s.size
		p.zip.Reset(&p.body) // what follows may not refer back to what stands before the rows
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
