// Package readers makes documents of files: text, Markdown, HTML, Word, PowerPoint, Excel, PDF, JSON lines.
package readers
