// Package jobs is what a server goes on with after it replied.
package jobs
