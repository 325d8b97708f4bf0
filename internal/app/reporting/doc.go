// Package reporting says what came of runs: findings, the gate's answer, reports.
package reporting
