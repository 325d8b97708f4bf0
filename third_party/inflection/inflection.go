// Package inflection stands in for the package of the same name, which gorm asks for the plural of a row's name where the row names no
// table. Every row of the store names its table, so nothing here is ever used; the original compiles sixty patterns at each start.
package inflection

// Plural is the word as it stands.
func Plural(word string) string { return word }

// Singular is the word as it stands.
func Singular(word string) string { return word }
