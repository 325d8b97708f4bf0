// Package foreign reads the results of other tools, Ragas, DeepEval, promptfoo and RAGChecker, and tables of scores.
package foreign
