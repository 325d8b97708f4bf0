// Package causes finds out why an answer got a low score: it repairs one part of the system at a time, asks again, and says
// which part was at fault. It knows nothing of the analysis of questions.
package causes
