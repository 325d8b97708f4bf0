// Package pgvector speaks to PostgreSQL with the pgvector extension: it connects by a named connection, knows what the extension's
// version can do, and keeps vectors of chunks in tables of its own, which it searches exactly or through an HNSW index.
//
// Everything stands in the schema [Schema], which nobody else writes to. A table is named by the key of the vectors in it, so equal
// vectors are kept once, whoever asks; it is filled in one transaction, so a table that is there is whole.
package pgvector
