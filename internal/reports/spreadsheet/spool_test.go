package spreadsheet

import (
	"bytes"
	"hash/crc32"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
)

// TestJoinCRC agrees with the checksum of the whole, wherever it is cut.
func TestJoinCRC(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		whole := make([]byte, random.IntN(5000))
		for i := range whole {
			whole[i] = byte(random.Uint32())
		}
		at := random.IntN(len(whole) + 1)
		first, second := crc32.ChecksumIEEE(whole[:at]), crc32.ChecksumIEEE(whole[at:])
		if got, want := joinCRC(first, second, uint64(len(whole)-at)), crc32.ChecksumIEEE(whole); got != want {
			t.Fatalf("cut at %d of %d: %08x, want %08x", at, len(whole), got, want)
		}
	}
}

// TestSpooledCells reads back what was spooled, through a reader that checks every part of the file: signs that XML or spreadsheets
// read as something else, several chunks of rows, and rows of several sheets.
func TestSpooledCells(t *testing.T) {
	t.Parallel()
	texts := []string{
		"a < b & c > d", "_x0041_", "_x005F_x0041_", "_x0041_x0042_", "_x00g1_ _x1_", " leading", "trailing\n", "two\nlines",
		`"quoted" 'twice'`, "日本語 🎌", "workbench-rows:1",
		strings.Repeat("long ", 4000),
	}
	f := excelize.NewFile()
	defer func() { _ = f.Close() }()
	b := &Workbook{File: f}
	if _, err := f.NewSheet("Sheet2"); err != nil {
		t.Fatal(err)
	}
	for _, sheet := range []string{"Sheet1", "Sheet2"} {
		s := b.NewSpool()
		for row := 1; row <= 30*len(texts); row++ {
			s.Row(row, 20.5)
			s.Cell("A", row, 0, sheet+texts[(row-1)%len(texts)])
			s.Cell("B", row, 0, float64(row)/4)
			s.Cell("C", row, 0, row%2 == 0)
			s.Cell("D", row, 0, nil)
			s.End()
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		spool(t, f, sheet, s)
	}
	var out bytes.Buffer
	if err := b.Write(&out); err != nil {
		t.Fatal(err)
	}
	read, err := excelize.OpenReader(&out)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = read.Close() }()
	for _, sheet := range []string{"Sheet1", "Sheet2"} {
		rows, err := read.GetRows(sheet, excelize.Options{RawCellValue: true})
		if err != nil || len(rows) != 30*len(texts) {
			t.Fatalf("%s: %d rows, %v", sheet, len(rows), err)
		}
		for i, row := range rows {
			if want := sheet + texts[i%len(texts)]; row[0] != want {
				t.Errorf("%s row %d: %q, want %q", sheet, i+1, row[0], want)
			}
		}
		if rows[2][1] != "0.75" || rows[2][2] != "0" || rows[3][2] != "1" {
			t.Errorf("numbers: %q %q", rows[2], rows[3])
		}
	}
}

// largest is the largest piece that is written at once.
type largest struct{ bytes.Buffer }

func (l *largest) Write(b []byte) (int, error) {
	if l.Buffer.Len() < len(b) {
		l.Buffer.Reset()
		l.Buffer.Write(b)
	}
	return len(b), nil
}

// TestAWorkbookIsNotHeldWhole: sheets of rows that hardly compress are handed on one by one, as they were spooled.
func TestAWorkbookIsNotHeldWhole(t *testing.T) {
	t.Parallel()
	f := excelize.NewFile()
	defer func() { _ = f.Close() }()
	b := &Workbook{File: f}
	if _, err := f.NewSheet("Sheet2"); err != nil {
		t.Fatal(err)
	}
	random, spooled := rand.New(rand.NewPCG(1, 3)), 0
	for _, sheet := range []string{"Sheet1", "Sheet2"} {
		s := b.NewSpool()
		for row := 1; row <= 20_000; row++ {
			s.Row(row, 20.5)
			s.Cell("A", row, 0, random.Float64())
			s.End()
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		spooled = max(spooled, s.body.Len())
		spool(t, f, sheet, s)
	}
	var out largest
	if err := b.Write(&out); err != nil {
		t.Fatal(err)
	}
	if out.Len() > spooled {
		t.Errorf("%d bytes are written at once; the largest sheet has %d", out.Len(), spooled)
	}
}

// spool puts the mark of spooled rows into a sheet.
func spool(t *testing.T, f *excelize.File, sheet string, s *Spool) {
	t.Helper()
	sw, err := f.NewStreamWriter(sheet)
	if err != nil {
		t.Fatal(err)
	}
	if err := sw.SetRow("A1", []any{s.Mark}); err != nil {
		t.Fatal(err)
	}
	if err := sw.Flush(); err != nil {
		t.Fatal(err)
	}
}

// TestPiecesAreTheWhole: what was written comes out again, in whatever lengths it came, and once.
func TestPiecesAreTheWhole(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	var want, got bytes.Buffer
	var p pieces
	for range 40 {
		part := make([]byte, random.IntN(5)*random.IntN(40_000))
		for i := range part {
			part[i] = byte(random.Uint32())
		}
		want.Write(part)
		if n, err := p.Write(part); n != len(part) || err != nil {
			t.Fatalf("%d of %d bytes: %v", n, len(part), err)
		}
	}
	length := p.Len()
	n, err := p.WriteTo(&got)
	if err != nil || length != want.Len() || int(n) != length || !bytes.Equal(want.Bytes(), got.Bytes()) {
		t.Errorf("%d bytes of %d, %d told: %v", got.Len(), want.Len(), n, err)
	}
	if p.Len() != 0 {
		t.Errorf("%d bytes are still held", p.Len())
	}
}
