// Package demo holds the demo world: the help centre of a fictional airline in English and Japanese, with questions,
// references and evidence. The texts were frozen before the first evaluation over them; nobody tunes them to its results.
//
// Each language is a folder: corpus/ with 44 pages, stale/ with the outdated text of one of them, small.txt with the pages
// of a smaller help centre, and questions.jsonl. themes.yaml holds the themes of both, in the words of a help desk.
package demo

import "embed"

// Files are the two languages' folders, en and ja, themes.yaml, and recorded/replies.jsonl: what a large language model replied when the
// recorded story was asked, in batches (docs/evidence.md).
//
//go:embed en ja recorded themes.yaml
var Files embed.FS
