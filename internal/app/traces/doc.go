// Package traces takes traces that programs send, keeps what was asked in them, and makes datasets and logs of that.
//
// Spans come over OTLP in any order and in several requests. [Intake.Accept] masks personal data and leaves out what nobody reads before
// anything is stored; a trace that is complete is read once ([Settle]) and its spans are taken away. docs/adr/0043 has the reasons.
package traces
