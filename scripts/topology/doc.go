// Package topology starts what docker-compose.yml describes as processes of this machine, with the command lines and environments of
// that file, and works with it as people do. The file is read here, so the two cannot differ. All of it is a test.
package topology
