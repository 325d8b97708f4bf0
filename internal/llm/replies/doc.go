// Package replies reads the JSON object that was asked for out of what a model wrote.
//
// A [Form] is a [Schema] that was compiled. [Form.Read] takes the one object that satisfies it, also where thoughts, words, a code
// fence or a small slip of the pen stand around it, and says how what it keeps differs from what came. None of that is a guess: where
// two different objects could be meant, there is none.
package replies
