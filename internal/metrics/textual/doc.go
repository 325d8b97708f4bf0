// Package textual reads texts by rules, without a model: terms, quantities and polarity of a statement, what a passage holds of
// it, and the scores BLEU, chrF, ROUGE and edit distances.
package textual
