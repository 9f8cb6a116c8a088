# Each target runs one command, in most cases a script in Scripts. `make` without a target lists the targets.
PREFIX ?= /usr/local
DESTDIR ?=

.PHONY: help setup demo build test check sanitize bench fuzz scale install uninstall dist dist-check container-check docs clean

help: ## list these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "make %-15s %s\n", $$1, $$2 }' Makefile

setup: ## install the packages that build, demo and test need, and say why
	@Scripts/setup test
	@echo 'setup: ok'

demo: ## show fetch, hash and verify on a local TLS server
	@Scripts/demo

build: ## build the debug binary
	@Scripts/build

test: ## build and run all tests, with real servers on loopback ports
	@Scripts/test

check: ## check the format, the imports and the other rules of the code
	@Scripts/check

sanitize: ## run the tests with sanitizers, valgrind and an optimized build
	@Scripts/sanitize

bench: ## measure the performance next to references
	@Scripts/bench

fuzz: ## run each fuzz target for one minute; make fuzz NAME: one target without end
	@Scripts/fuzz $(or $(FUZZ_TARGET),all 60)

# In "make fuzz handshake", the second word is the name of a fuzz target.
ifeq (fuzz,$(firstword $(MAKECMDGOALS)))
FUZZ_TARGET := $(word 2,$(MAKECMDGOALS))
ifneq (,$(FUZZ_TARGET))
.PHONY: $(FUZZ_TARGET)
$(FUZZ_TARGET): fuzz ; @:
endif
endif

scale: ## compare one process, shards, GNU parallel, Kubernetes and Spark
	@Scripts/scale

install: ## install pinctl, manual pages and completions into PREFIX (/usr/local)
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' Scripts/install

uninstall: ## remove what "make install" installed
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' Scripts/uninstall

dist: ## build the packages of a release into .build-dist
	@Scripts/dist

dist-check: ## install and remove these packages in a bare Debian system (needs root)
	@Scripts/dist-check

container-check: ## build the container image and run pinctl in it (needs root)
	@Scripts/container/check

docs: ## build the DocC documentation of the libraries into .build-docs
	@Scripts/docs

clean: ## remove all build folders
	@rm -rf .build .build-*
