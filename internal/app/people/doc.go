// Package people is accounts, sessions, tokens and single sign-on.
package people
