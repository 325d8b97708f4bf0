// Package workbench is the root of RAG Workbench, which answers one question about a system that answers from documents:
// did this change make the answers better, where, and why?
//
// There is no code here. Start reading in internal/experiments: what is evaluated, what a run is, and how it is worked
// through. ARCHITECTURE.md shows on one page how the packages stand to each other; cmd/workbench is the program.
package workbench
