package intake

import (
	"archive/zip"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"golang.org/x/net/html/charset"
)

// maxParts is how many parts a workbook may have; real ones have some dozens.
const maxParts = 10_000

// errUnpacksTooLarge says that the parts of a workbook are together larger than maxUnpackedBytes.
var errUnpacksTooLarge = errors.New("unpacks to too much")

// checkWorkbook reads the sheets and texts of a workbook to their ends. It is needed because the row reader takes damage
// for the end of the sheet, and shows the number of a text that is missing as if it were the text: a broken file would be
// imported in part. The sizes that the parts state are bounded first; the unpacker holds each part to its size.
func checkWorkbook(raw []byte) error {
	if n := bytes.Count(raw, []byte("PK\x01\x02")); n > maxParts { // before the archive is opened, which makes an object of each
		return fmt.Errorf("it has more than %d parts", maxParts)
	}
	r, err := zip.NewReader(bytes.NewReader(raw), int64(len(raw)))
	if err != nil {
		return err
	}
	stated := uint64(0)
	for _, f := range r.File {
		if stated += f.UncompressedSize64; f.UncompressedSize64 > maxUnpackedBytes || stated > maxUnpackedBytes {
			return errUnpacksTooLarge
		}
	}
	texts, highest := 0, -1
	for _, f := range r.File {
		name := strings.ToLower(strings.ReplaceAll(f.Name, `\`, "/"))
		isTexts := name == "xl/sharedstrings.xml"
		if !isTexts && !(strings.HasPrefix(name, "xl/worksheets/") && strings.HasSuffix(name, ".xml")) {
			continue
		}
		part, err := scanPart(f)
		if err != nil {
			return fmt.Errorf("%s: %w", f.Name, err)
		}
		if isTexts {
			texts = part.texts
		}
		highest = max(highest, part.highest)
	}
	if highest >= texts {
		return fmt.Errorf("a cell shows text number %d, but there are only %d texts", highest, texts)
	}
	return nil
}

// partScan is what one part holds: texts of its own, and the highest number of a shared text that a cell shows, or -1.
type partScan struct{ texts, highest int }

func scanPart(f *zip.File) (partScan, error) {
	scan := partScan{highest: -1}
	rc, err := f.Open()
	if err != nil {
		return scan, err
	}
	defer rc.Close()
	dec := xml.NewDecoder(rc)
	dec.CharsetReader = charset.NewReaderLabel
	shared, value := false, false // inside a cell with a shared text; inside its value
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return scan, nil
		}
		if err != nil {
			return scan, err
		}
		switch e := token.(type) {
		case xml.StartElement:
			switch e.Name.Local {
			case "si":
				scan.texts++
			case "c":
				shared = hasType(e, "s")
			}
			value = shared && e.Name.Local == "v"
		case xml.EndElement:
			value = false
		case xml.CharData:
			if value {
				n, err := strconv.Atoi(strings.TrimSpace(string(e)))
				if err != nil || n < 0 {
					return scan, fmt.Errorf("a cell shows text number %q", Shortened(string(e)))
				}
				scan.highest = max(scan.highest, n)
			}
		}
	}
}

func hasType(e xml.StartElement, kind string) bool {
	for _, a := range e.Attr {
		if a.Name.Local == "t" && a.Name.Space == "" {
			return a.Value == kind
		}
	}
	return false
}
