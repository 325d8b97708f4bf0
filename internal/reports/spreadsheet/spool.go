package spreadsheet

import (
	"compress/flate"
	"fmt"
	"hash/crc32"
	"io"
	"strconv"
	"strings"
)

// A Spool holds the rows of one sheet, compressed as they are made. The workbook writer would keep the XML of every streamed sheet in
// memory until the file is written, 20 MB of each large one; it gets one row with a mark instead, and the archive puts the rows in its
// place. A deflate stream may be continued with blocks that were compressed apart, so nothing is compressed twice. Rows are compressed
// while the next ones are made; whoever made a row closes the spool.
type Spool struct {
	Mark string
	line []byte // not compressed yet
	err  error

	full, empty chan []byte // lines to compress, and one that was
	done        chan error  // what came of compressing

	zip  *flate.Writer
	body pieces // compressed blocks, ending on a whole byte
	crc  uint32 // of the rows
	size uint64
}

// pieces are bytes that are written once and read once. A buffer in one piece has twice the room that it needs, and moves as it grows.
type pieces [][]byte

func (p *pieces) Write(b []byte) (n int, err error) {
	const size = 64 << 10
	for n < len(b) {
		last := len(*p) - 1
		if last < 0 || len((*p)[last]) == size {
			*p = append(*p, make([]byte, 0, size))
			continue
		}
		part := b[n:min(len(b), n+size-len((*p)[last]))]
		(*p)[last] = append((*p)[last], part...)
		n += len(part)
	}
	return n, nil
}

// Len is how many bytes there are.
func (p *pieces) Len() (n int) {
	for _, piece := range *p {
		n += len(piece)
	}
	return n
}

// WriteTo hands the bytes on, and lets go of them.
func (p *pieces) WriteTo(w io.Writer) (n int64, err error) {
	for i, piece := range *p {
		written, err := w.Write(piece)
		if n += int64(written); err != nil {
			return n, err
		}
		(*p)[i] = nil
	}
	return n, nil
}

// spoolChunk is how much XML is compressed at a time.
const spoolChunk = 64 << 10

// deflateLevel is that of archive/zip.
const deflateLevel = 5

// spoolOf starts the rows of a sheet, the first of a workbook with number 0.
func spoolOf(number int) *Spool {
	s := &Spool{Mark: fmt.Sprintf("workbench-rows:%d", number)}
	var err error
	if s.zip, err = flate.NewWriter(&s.body, deflateLevel); err != nil {
		panic(err) // our own level is wrong: never decided by data
	}
	return s
}

// Row appends a row with its height in points; the cells follow until the next one.
func (s *Spool) Row(at int, height float64) {
	s.line = append(s.line, `<row r="`...)
	s.line = strconv.AppendInt(s.line, int64(at), 10)
	s.line = append(s.line, `" ht="`...)
	s.line = strconv.AppendFloat(s.line, height, 'f', -1, 64)
	s.line = append(s.line, `" customHeight="1">`...)
}

// Cell appends a cell of the current row: nothing, a text, a number, or yes or no.
func (s *Spool) Cell(column string, row, style int, v any) {
	s.line = append(s.line, `<c r="`...)
	s.line = append(s.line, column...)
	s.line = strconv.AppendInt(s.line, int64(row), 10)
	s.line = append(s.line, `" s="`...)
	s.line = strconv.AppendInt(s.line, int64(style), 10)
	switch v := v.(type) {
	case nil:
		s.line = append(s.line, `"/>`...)
		return
	case string:
		s.line = append(s.line, `" t="inlineStr"><is><t`...)
		if strings.TrimSpace(v) != v {
			s.line = append(s.line, ` xml:space="preserve"`...)
		}
		s.line = append(s.line, '>')
		s.text(v)
		s.line = append(s.line, `</t></is></c>`...)
		return
	case bool:
		s.line = append(s.line, `" t="b"><v>`...)
		if v {
			s.line = append(s.line, '1')
		} else {
			s.line = append(s.line, '0')
		}
	case int:
		s.line = append(s.line, `"><v>`...)
		s.line = strconv.AppendInt(s.line, int64(v), 10)
	case float64:
		s.line = append(s.line, `"><v>`...)
		s.line = strconv.AppendFloat(s.line, v, 'f', -1, 64)
	default:
		s.err = fmt.Errorf("a cell cannot hold %T", v) // our own layout is wrong: never decided by data
	}
	s.line = append(s.line, `</v></c>`...)
}

// text appends a text that is clean already. Spreadsheets read _x0041_ as the character A: its first sign is written that way itself.
func (s *Spool) text(v string) {
	from := 0
	for i := range len(v) {
		var with string
		switch v[i] {
		case '&':
			with = "&amp;"
		case '<':
			with = "&lt;"
		case '>':
			with = "&gt;"
		case '_':
			if !codedSign(v[i:]) {
				continue
			}
			with = "_x005F_"
		default:
			continue
		}
		s.line = append(s.line, v[from:i]...)
		s.line = append(s.line, with...)
		from = i + 1
	}
	s.line = append(s.line, v[from:]...)
}

// codedSign reports whether a text begins with a character written as its code: _x0041_.
func codedSign(v string) bool {
	if len(v) < 7 || v[1] != 'x' || v[6] != '_' {
		return false
	}
	_, err := strconv.ParseUint(v[2:6], 16, 16)
	return err == nil
}

// End ends the current row.
func (s *Spool) End() {
	s.line = append(s.line, `</row>`...)
	if len(s.line) >= spoolChunk {
		s.compress()
	}
}

// compress hands the rows over that were made, and goes on with an empty line.
func (s *Spool) compress() {
	if s.full == nil {
		s.full, s.empty, s.done = make(chan []byte), make(chan []byte, 1), make(chan error, 1)
		s.empty <- make([]byte, 0, cap(s.line))
		go func() { s.done <- s.compressed() }()
	}
	s.full <- s.line
	s.line = <-s.empty
}

// compressed compresses rows until there are no more.
func (s *Spool) compressed() (err error) {
	for rows := range s.full {
		s.crc = crc32.Update(s.crc, crc32.IEEETable, rows)
		s.size += uint64(len(rows))
		if err == nil {
			_, err = s.zip.Write(rows)
		}
		s.empty <- rows[:0]
	}
	return err
}

// Close ends the rows on a whole byte, without ending the stream.
func (s *Spool) Close() error {
	s.compress()
	close(s.full)
	if err := <-s.done; s.err == nil {
		s.err = err
	}
	if s.err == nil {
		s.err = s.zip.Flush()
	}
	s.zip, s.line, s.full, s.empty = nil, nil, nil, nil
	return s.err
}

// joinCRC is the CRC-32 of two texts one after the other, from those of each and the length of the second: appending n zero bytes
// multiplies by a power of x over GF(2), and the CRC is linear (as in zlib's crc32_combine).
func joinCRC(first, second uint32, length uint64) uint32 {
	var step [32]uint32 // what one zero bit does to each bit of the register
	step[0] = crc32.IEEE
	for i := 1; i < 32; i++ {
		step[i] = 1 << (i - 1)
	}
	for range 3 { // one byte
		step = squared(step)
	}
	for ; length > 0; length >>= 1 {
		if length&1 == 1 {
			first = applied(step, first)
		}
		step = squared(step)
	}
	return first ^ second
}

func applied(m [32]uint32, v uint32) uint32 {
	var out uint32
	for i := 0; v != 0; i, v = i+1, v>>1 {
		if v&1 == 1 {
			out ^= m[i]
		}
	}
	return out
}

func squared(m [32]uint32) [32]uint32 {
	var out [32]uint32
	for i := range m {
		out[i] = applied(m, m[i])
	}
	return out
}
