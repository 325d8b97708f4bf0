package demo

import "path/filepath"

// exportedStudy is a file that another tool really wrote.
func exportedStudy(name string) string {
	return filepath.Join("..", "..", "experiments", "foreign", "testdata", "foreign", name)
}
