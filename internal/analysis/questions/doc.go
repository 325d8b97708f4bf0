// Package questions sorts the questions of a dataset: by category, theme and keyword. It says what a dataset does not test and
// drafts questions that would.
package questions
