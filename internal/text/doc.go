// Package text knows Japanese and English text: language, sentences, paragraphs, tokens, terms for lexical matching,
// normalisation and character encodings.
//
// Every position is a Unicode code point, never a byte, so that offsets mean the same to people, to Go and to Python.
package text
