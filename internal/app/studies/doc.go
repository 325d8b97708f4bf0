// Package studies works notebooks: their cells buy, compare and say through the use cases.
package studies
