// Package integrity is the one model of what must not change: which rows of a database are immutable, what a row's digest covers, and
// the tree that a finished run closes over everything it rests on.
//
// # Seals
//
// Every row that must not change has a seal: the SHA-256 of the columns that [Rules] name. It is written in the transaction that writes
// the row, or that brings the row to the state in which it stays, and it is kept apart from the row, so that a row which is taken away
// or put in is found like one that was edited. A column that no seal covers stands in [Open] with the reason. A test compares both
// lists with the tables: a new column without a rule fails.
//
// Rows that people and processes change ([Rule.Moving]) are sealed as the program wrote them last; package seals has their seals follow.
//
// # Trees
//
// A finished run has a root: the digest over its branches ([Root]), and each branch over the seals of its rows, from the run's own row
// down to the documents and the calls. Two databases that hold the same run have the same root, whatever their engine. Whoever
// keeps a root elsewhere can tell later whether anything under it has changed.
//
// Seals and roots have no key: who may write the database may write them too. Where the place has one, they carry its mark
// beside them in the database (package seals). docs/security.md says what that means.
//
// The package knows no database. Package store writes and checks seals; doctor, verify, export, import, backup and restore use it.
package integrity
