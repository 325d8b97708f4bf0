// Package search ranks numbered texts in memory: by their vectors ([Vectors]), by their words ([Postings]), or by both, joined
// ([Fuse], [Convex]). It knows neither documents nor configurations: a chunk is a number, a result a list of [Ranked].
//
// Every search is exact and deterministic. Equal scores stand in the order of the chunks, the best 3 are the first 3 of the best 10,
// and searches that go together find what each finds alone.
package search
