# Each target is one line, most of them into Scripts/; `make` alone lists them.
PREFIX ?= /usr/local
DESTDIR ?=

.PHONY: help demo build test check bench fuzz scale install clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-8s %s\n", $$1, $$2 }' Makefile

demo: ## start a TLS server, then fetch, hash and verify its pins
	@Scripts/demo

build: ## build the debug binary
	@Scripts/build

test: ## run every test; the servers are real, on loopback ports
	@Scripts/test

check: ## format, import rules, and the other rules of the code
	@Scripts/check

bench: ## measure, each figure beside its reference
	@Scripts/bench

fuzz: ## run every fuzz target for a minute
	@Scripts/fuzz all 60

scale: ## require the same answers of one process, shards, GNU parallel, Kubernetes, Spark
	@Scripts/scale

install: ## install the release build into PREFIX/bin (/usr/local/bin)
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' Scripts/install

clean: ## remove everything that was built
	@rm -rf .build .build-*
