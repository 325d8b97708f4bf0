// Package simulation plays comparisons whose truth is known, because it makes them up: how often the regression guard, the labels,
// the means and the gate are right in worlds of drawn scores ([Run]), and what they say of a stored run that is compared with itself
// ([CompareWithItself]). No system and no judge takes part.
package simulation
