// Package mappings reads indexes that teams already have: Chroma, Weaviate, Qdrant, OpenSearch and Elasticsearch over REST, and tables with
// pgvector. It sends nothing that writes; the tests of every engine list the methods and paths that are sent. Which exchanges were
// recorded from a real server, and which were written after the documentation, stands in the files of testdata.
package mappings
