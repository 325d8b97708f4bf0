// Package rag is the system under test: a retrieval-augmented generation pipeline that can be configured in every part.
//
// A [Config] names the parts: rewrite → retrieve → rerank → generate → post-process. [Open] makes a [System] of it over a
// [Corpus]; [System.Answer] answers one question and returns the query, the retrieved chunks and the text. Each part has
// an offline variant that does something, for better or for worse, so that every kind of failure can be produced without
// a network; where a model fits there is one behind a prompt too.
//
// Places are spans: a document and a half-open range of code points. Chunks are spans, so evidence that was labelled once
// can be compared with chunks of any size. Stage outputs are content-addressed ([StageKey], [Remember]): what was computed
// for one configuration is reused by every other that would compute the same.
package rag
