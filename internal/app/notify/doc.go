// Package notify tells people of what happened, by mail and through the servers of chats.
package notify
