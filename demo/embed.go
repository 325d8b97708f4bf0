// Package demo holds the demo world: the help centre of a fictional airline in English and Japanese, with questions,
// references and evidence. The texts were frozen before the first evaluation over them; nobody tunes them to its results.
//
// Each language is a folder: corpus/ with 44 pages, stale/ with the outdated text of one of them, small.txt with the pages
// of a smaller help centre, and questions.jsonl.
package demo

import "embed"

// Files are the two languages' folders, en and ja.
//
//go:embed en ja
var Files embed.FS
