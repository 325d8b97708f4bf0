// Package notebooks works evaluation notebooks: documents whose cells are declarations (package document).
//
// A [Notebook] is a document with its lock file, parameters and an [Engine], which does the work. [Notebook.Evaluate] refreshes the
// cells that cost nothing and says of every cell where it stands ([State]) and why. Cells that may cost (run, cause) wait:
// [Notebook.Run] asks for approval with a price before each start, books what was spent to the lock file, and keeps what is done
// when it stops; running again goes on. Outputs live in the workbench's database and never in the text.
//
// What a cell is identified by: its type and schema version, its YAML after parameters are put in, the versions of the engine's part
// and the outputs of the cells it refers to ([Notebook.Evaluate]). Prose, comments, order and the keys pin and title do not count.
package notebooks
