// Package validation measures the workbench itself: it breaks systems and judges on purpose and counts what the other rooms
// of analysis find.
package validation
