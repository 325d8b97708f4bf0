package sealed

import (
	"archive/zip"
	"encoding/binary"
	"encoding/json"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// held refuses a file that holds anything that its manifest does not list: what is not listed has no digest, and another program may
// show it in the place of what has one.
func (f *File) held(manifest string) error {
	listed, err := f.listed(manifest)
	if err != nil {
		return err
	}
	alike := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		if !fs.ValidPath(name) || name == "." || strings.ContainsAny(name, "\\:\x00") {
			return f.bad("its manifest lists %q, which is no name of a file in it", name)
		}
		folded := sameFile(name)
		if other, twice := alike[folded]; twice {
			return f.bad("it holds %q and %q, which are one file on many computers", other, name)
		}
		alike[folded] = name
	}
	there := map[string]bool{}
	for _, one := range f.zip.File {
		switch {
		case !listed[one.Name]:
			return f.bad("it holds %q, which its manifest does not list", one.Name)
		case there[one.Name]:
			return f.bad("it holds %q more than once, and its manifest lists one", one.Name)
		}
		there[one.Name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(listed)) {
		if !there[name] {
			return f.bad("%s is missing", name)
		}
	}
	return nil
}

// listed are the names of all files that may be in it: those of the manifest, and the manifest. A snapshot of format 1 has two manifests.
func (f *File) listed(manifest string) (map[string]bool, error) {
	out := map[string]bool{manifest: true}
	for name := range f.Head.Files {
		out[name] = true
	}
	other := map[string]string{ManifestName: NotebookName, NotebookName: ManifestName}[manifest]
	if f.Head.Format != 1 || !f.Has(other) {
		return out, nil
	}
	raw, err := f.whole(other, mostManifestBytes)
	if err != nil {
		return nil, f.bad("its manifest is damaged").Because(err)
	}
	if name := twice(raw); name != "" {
		return nil, f.bad("its manifest says %q more than once", name)
	}
	var beside Head
	if err := json.Unmarshal(raw, &beside); err != nil {
		return nil, f.bad("its manifest is not readable").Because(err)
	}
	out[other] = true
	for name := range beside.Files {
		out[name] = true
	}
	return out, nil
}

// sameFile is equal for names that are one file where capitals, accents or final dots and spaces do not count.
func sameFile(name string) string {
	parts := strings.Split(path.Clean(norm.NFKC.String(name)), "/")
	for i, p := range parts {
		parts[i] = strings.TrimRight(p, ". ")
	}
	return strings.ToLower(strings.ToUpper(strings.Join(parts, "/")))
}

// The records of a zip file: their signatures, and the length of each without what it names.
const (
	localHeader, localLength         = "PK\x03\x04", 30
	directoryHeader, directoryLength = "PK\x01\x02", 46
	end64, end64Length               = "PK\x06\x06", 56
	locator64, locator64Length       = "PK\x06\x07", 20
	endRecord, endLength             = "PK\x05\x06", 22
)

// gapless refuses bytes before, between or behind the parts of a zip file: they belong to no file in it, and no digest covers them.
func (f *File) gapless(in io.ReaderAt, size int64) error {
	at := int64(0)
	for _, one := range f.zip.File {
		offset, err := one.DataOffset()
		if err != nil {
			return f.bad("%s is damaged", one.Name).Because(err)
		}
		if !localAt(in, at, one, offset) {
			return f.bad("it holds bytes before %q that belong to no file in it", one.Name)
		}
		at = offset + int64(one.CompressedSize64) //nolint:gosec // the file is at least as long
		if one.Flags&hasDescriptor != 0 {
			at += descriptor(in, at)
		}
	}
	for _, one := range f.zip.File {
		record := part(in, at, directoryLength)
		if len(record) < directoryLength || string(record[:4]) != directoryHeader {
			return f.bad("it holds bytes that belong to no file in it")
		}
		name := int64(binary.LittleEndian.Uint16(record[28:]))
		if string(part(in, at+directoryLength, name)) != one.Name {
			return f.bad("it names %q in two ways", one.Name)
		}
		at += directoryLength + name + int64(binary.LittleEndian.Uint16(record[30:])) + int64(binary.LittleEndian.Uint16(record[32:]))
	}
	if string(part(in, at, 4)) == end64 {
		at += end64Length
		if string(part(in, at, 4)) == locator64 {
			at += locator64Length
		}
	}
	if string(part(in, at, 4)) != endRecord || at+endLength != size {
		return f.bad("it holds bytes behind its last file that belong to no file in it")
	}
	return nil
}

// hasDescriptor is the flag of an entry whose sizes stand behind its content.
const hasDescriptor = 0x8

// localAt reports whether the header of an entry stands at this place and leads to its content.
func localAt(in io.ReaderAt, at int64, one *zip.File, content int64) bool {
	header := part(in, at, localLength)
	if len(header) < localLength || string(header[:4]) != localHeader {
		return false
	}
	name, extra := int64(binary.LittleEndian.Uint16(header[26:])), int64(binary.LittleEndian.Uint16(header[28:]))
	return at+localLength+name+extra == content && string(part(in, at+localLength, name)) == one.Name
}

// descriptor is the length of the sizes behind the content of an entry: with or without a signature, of 4 or of 8 bytes.
func descriptor(in io.ReaderAt, at int64) int64 {
	for _, length := range []int64{16, 24, 12, 20} {
		if next := string(part(in, at+length, 4)); next == localHeader || next == directoryHeader {
			return length
		}
	}
	return 0
}

// part reads so many bytes, or fewer at the end.
func part(in io.ReaderAt, at, length int64) []byte {
	out := make([]byte, length)
	n, _ := in.ReadAt(out, at) // what is missing is told
	return out[:n]
}
