// Package offline answers the prompts of the pipeline without a model, deterministically: embedders of different quality ([Embedders]),
// and writers, a rewriter and a reranker of different character ([Handlers]). The writers quote whole statements of their contexts or say
// that the documents do not say; "closed-book" alone invents, on purpose. A thesaurus in both languages stands for what words mean.
package offline
