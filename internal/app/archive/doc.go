// Package archive takes studies and whole data folders out, and in again.
package archive
