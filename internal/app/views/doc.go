// Package views is what the pages read: rows, pages of lists, and what is kept of them.
package views
