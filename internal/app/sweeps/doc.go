// Package sweeps plans searches over configurations, and works them through.
package sweeps
