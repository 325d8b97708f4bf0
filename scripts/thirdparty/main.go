// Thirdparty writes THIRD_PARTY_NOTICES.md: every module that is linked into the program, or that a file of it was made from, and every
// package that the user interface is built from, and the words its licence asks us to pass on, read from the module cache and
// node_modules. Equal texts are printed once.
//
//	go run ./scripts/thirdparty           prints the file
//	go run ./scripts/thirdparty -write    writes it
//	go run ./scripts/thirdparty -check    exits with 1 when it is not current
//
// The program is the one for Linux on amd64, which is what the container image holds.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
)

const file = "THIRD_PARTY_NOTICES.md"

func main() {
	write := flag.Bool("write", false, "write "+file)
	check := flag.Bool("check", false, "compare "+file)
	program := flag.String("program", "./cmd/workbench", "package of the program")
	flag.Parse()
	if err := run(*program, *write, *check); err != nil {
		fmt.Fprintln(os.Stderr, "thirdparty:", err)
		os.Exit(1)
	}
}

func run(program string, write, check bool) error {
	modules, err := linked(context.Background(), program, copied...)
	if err != nil {
		return err
	}
	packages, err := bundled("frontend")
	if err != nil {
		return err
	}
	modules = append(modules, packages...)
	var b bytes.Buffer
	if err := render(&b, modules); err != nil {
		return err
	}
	switch {
	case write:
		return os.WriteFile(file, b.Bytes(), 0o644)
	case check:
		have, err := os.ReadFile(file)
		if err != nil {
			return err
		}
		if !bytes.Equal(have, b.Bytes()) {
			return fmt.Errorf("%s is not what the program links; run make notices", file)
		}
		return nil
	}
	_, err = os.Stdout.Write(b.Bytes())
	return err
}
