# Every command a developer needs. Nothing here needs root; a C compiler, PostgreSQL and LibreOffice are used when present.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help demo test lint build bench crash race fuzz cover fmt verify notices golden clean

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
GOLANGCI_LINT_VERSION := v2.15.0
GOLANGCI_LINT := go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_LINT_VERSION)
FUZZTIME ?= 10s
BENCH ?= .
DEMO_DATA ?= ./demo-data
N ?= 200

export CGO_ENABLED := 0

help: ## print this list
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: build ## build, then evaluate a small corpus offline and show what changed (DEMO_DATA=./demo-data)
	bin/workbench demo --data $(DEMO_DATA)

test: ## vet and run all tests, with the race detector too when there is a C compiler; needs no sudo
	@scripts/with-postgres.sh scripts/test.sh

lint: ## run golangci-lint (the first time compiles it)
	$(GOLANGCI_LINT) run ./...

build: ## build bin/workbench, static and without debug information
	go build -trimpath -ldflags "-s -w -X main.version=$(VERSION)" -o bin/workbench ./cmd/workbench

bench: ## run the benchmarks (BENCH=regexp)
	go test -run '^$$' -bench '$(BENCH)' -benchmem ./...

crash: build ## kill and restart the program N=200 times during paid runs, then compare everything with the truth
	go run ./bench/crash -bin bin/workbench -kills $(N)

race: ## run all tests with the race detector only; needs a C compiler
	@scripts/with-postgres.sh scripts/test.sh race

fuzz: ## run every fuzz target for FUZZTIME=10s
	@go list ./... | while read -r pkg; do \
	    targets=$$(go test -list '^Fuzz' "$$pkg" | { grep '^Fuzz' || true; }); \
	    for f in $$targets; do echo "== $$pkg $$f"; go test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) "$$pkg"; done; \
	done

cover: ## measure test coverage and print it by function
	@scripts/with-postgres.sh go test -coverpkg=./internal/...,./cmd/... -coverprofile=coverage.out ./...
	go tool cover -func=coverage.out

fmt: ## format all Go files
	$(GOLANGCI_LINT) fmt ./...

verify: ## check that go.mod, the notices and the linter's configuration are current and valid
	go mod verify
	go mod tidy -diff
	go run ./scripts/thirdparty -check
	$(GOLANGCI_LINT) config verify

notices: ## write THIRD_PARTY_NOTICES.md from the modules the program links
	go run ./scripts/thirdparty -write

golden: ## rewrite the golden files of tests that have an -update flag; read the difference before committing it
	@dirs=$$({ grep -rlE 'flag\.Bool\("update"' --include='*_test.go' . || true; } | xargs -r -n1 dirname | sort -u); \
	if [ -z "$$dirs" ]; then echo "no test has golden files"; else go test $$dirs -update; fi

clean: ## remove build output; data folders stay
	rm -rf bin coverage.out
