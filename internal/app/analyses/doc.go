// Package analyses buys diagnoses and question analyses, and reads what came of them.
package analyses
