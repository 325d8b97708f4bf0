// Package sharing makes links that show one page to whoever has them. A page is written once, when its link is made, by what writes
// the report and the notebook everywhere else, and kept as bytes; opening a link looks up these bytes and nothing else. So nothing of
// the workbench can be reached through a link, and what it shows never changes ([0041]).
//
// [0041]: docs/adr/0041-a-share-link-opens-bytes.md
package sharing
