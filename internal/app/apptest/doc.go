// Package apptest is a small world for the tests of the rooms: a corpus, a dataset, a provider that costs money.
package apptest
