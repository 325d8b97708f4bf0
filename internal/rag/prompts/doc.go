// Package prompts is what the pipeline asks of models: for each purpose the instruction in both languages, the data, and the reply with
// its schema. Whoever answers them, a model or the offline provider, reads the same.
package prompts
