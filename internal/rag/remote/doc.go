// Package remote describes a system that answers questions elsewhere, behind HTTP: how it is asked and where its reply holds the
// answer.
//
// An [Endpoint] is what people register. Its template has slots for a question, k, contexts and a prompt ([Exchange.Request]), its
// paths ([Path]) find answer and contexts in whatever JSON comes back ([Endpoint.Map]). It never holds a key, sends nothing itself and
// knows no corpus: where a context stands in one is found in package rag.
package remote
