// Package sqlbox answers SQL questions of strangers over tables that the program fills.
//
// A [Box] is a private SQLite database in memory: never a file, never the store. [Box.Plan] prepares a statement and says which
// tables and columns it would read, through views and common table expressions too, so that only these need to be filled; [Box.Fill]
// fills them, and [Box.Query] steps through the statement under bounds of time and size. The same code serves every installation, so
// that a statement gives the same rows whatever the store is.
//
// What may be said is a list and not what is left over: SELECT over known tables, and functions without clock, chance or files. An
// authorizer refuses the rest while the statement is prepared; what it does not see (VACUUM INTO, EXPLAIN, a second statement) is
// refused before. database/sql can do none of that, so this package speaks to the library below the driver, in lib.go alone.
package sqlbox
