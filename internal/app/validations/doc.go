// Package validations buys what validation measures: judges, causes and gates, on cases whose truth is known.
package validations
