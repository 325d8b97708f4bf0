// Package demo fills an empty data folder with a small world, and works it through.
package demo
