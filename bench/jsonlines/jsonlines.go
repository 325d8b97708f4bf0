// Package jsonlines reads the files of ../shared that hold one JSON object in each line.
package jsonlines

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// longest is how many bytes a line may have: a document of a corpus stands in one.
const longest = 16 << 20

// Read returns the objects of the file whose path these parts make, in their order. Its errors name the file and the line.
func Read[T any](path ...string) (all []T, err error) {
	name := filepath.Join(path...)
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	in := bufio.NewScanner(f)
	in.Buffer(nil, longest)
	for in.Scan() {
		var one T
		if err := json.Unmarshal(in.Bytes(), &one); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", name, len(all)+1, err)
		}
		all = append(all, one)
	}
	return all, in.Err()
}
