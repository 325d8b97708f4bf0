// Package charts decides what a chart shows, once for the page, the HTML export and the workbook.
//
// [New] makes a [Plan] of a table and a specification: marks in the space of the data, domains, ticks with their words, colours as
// indexes, a title, one sentence that says what is to be seen, and the rows behind the marks. [Draw] lays a plan out for a width; the
// user interface does the same in TypeScript, and the cases in testdata hold both together. Nothing here knows runs or metrics.
package charts
