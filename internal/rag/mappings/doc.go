// Package mappings reads indexes that teams already have: Chroma, Weaviate, Qdrant, OpenSearch and Elasticsearch over their REST
// interfaces. It sends nothing that writes; every engine's tests list the methods and paths that are sent.
package mappings
