# Every command a developer needs. Nothing here needs root; a C compiler, PostgreSQL, LibreOffice, Node and Chromium are used when
# present.

SHELL := bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.PHONY: help demo test test-full lint build frontend bench crash race fuzz cover fmt verify notices golden release clean

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
GOLANGCI_LINT_VERSION := v2.15.0
GOLANGCI_LINT := go run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_LINT_VERSION)
FUZZTIME ?= 10s
BENCH ?= .
DEMO_DATA ?= ./demo-data
DEMO_ADDR ?= 127.0.0.1:7700
# 1 always serves the demo, 0 never; empty serves it when there is a terminal.
DEMO_SERVE ?=
N ?= 200

export CGO_ENABLED := 0

help: ## print this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

demo: build ## build, evaluate a small corpus offline, open it in the browser (DEMO_DATA=./demo-data; ends by itself without a terminal or with DEMO_SERVE=0)
	bin/workbench demo --data $(DEMO_DATA)
	@if [ "$(DEMO_SERVE)" = 1 ] || { [ -z "$(DEMO_SERVE)" ] && [ -t 1 ]; }; then \
	    echo 'Ctrl-C ends the server; look again later with: bin/workbench serve --open --data $(DEMO_DATA)'; \
	    bin/workbench serve --open --data $(DEMO_DATA) --addr $(DEMO_ADDR) || [ $$? = 130 ]; \
	else \
	    echo 'look at it in the browser: bin/workbench serve --open --data $(DEMO_DATA)'; \
	fi

test: ## vet, all tests, the race detector (C compiler) and a browser (Node, Chromium) where those are; needs no sudo
	@scripts/with-postgres.sh scripts/test.sh

test-full: ## the same with slow tests, every package under the race detector, every view in each language and colour scheme
	@WORKBENCH_SLOW_TESTS=1 scripts/with-pgvector.sh scripts/with-postgres.sh scripts/test.sh

lint: ## run golangci-lint (the first time compiles it)
	$(GOLANGCI_LINT) run ./...

build: frontend ## build bin/workbench, static and without debug information, with the pages when there is Node
	go build -trimpath -tags nomsgpack -ldflags "-s -w -X main.version=$(VERSION)" -o bin/workbench ./cmd/workbench

frontend: ## build the pages that the program embeds, when there is Node and they changed
	@scripts/frontend.sh build

bench: ## run the benchmarks (BENCH=regexp)
	go test -run '^$$' -bench '$(BENCH)' -benchmem ./...

crash: build ## kill and restart the program N=200 times during paid runs, then compare everything with the truth
	go run ./bench/crash -bin bin/workbench -kills $(N)

race: ## run the tests of scripts/race.txt under the race detector only; needs a C compiler
	@scripts/with-postgres.sh scripts/test.sh race

fuzz: ## run every fuzz target for FUZZTIME=10s
	@go list ./... | while read -r pkg; do \
	    targets=$$(go test -list '^Fuzz' "$$pkg" | { grep '^Fuzz' || true; }); \
	    for f in $$targets; do echo "== $$pkg $$f"; go test -run '^$$' -fuzz "^$$f$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 10x "$$pkg"; done; \
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

release: frontend ## build the release of every system into dist/, the same bytes for the same commit (VERSION=v1.2.3)
	go run ./scripts/release -version $(VERSION) -out dist

clean: ## remove build output; data folders stay
	rm -rf bin dist coverage.out
	find frontend/dist -mindepth 1 ! -name .gitkeep -delete
