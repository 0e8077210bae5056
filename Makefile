# Everything that is done to the project has a target here; `make` lists them.
.DEFAULT_GOAL := help

LINT_VERSION := v2.15.0
LINT := .bin/golangci-lint-$(LINT_VERSION)
TEMPL := go tool templ
# cat: the result must not depend on a prettier that happens to be installed.
TEMPL_FMT := -log-level warn -prettier-command cat
GOTESTSUM := go tool gotestsum --format pkgname --
HAS_CC = $(shell command -v "$$(go env CC)")

HAS_POSTGRES = $(shell command -v initdb || ls -d /usr/lib/postgresql/*/bin/initdb 2>/dev/null)

NO_RACE = echo 'no C compiler: the tests run without the race detector' && test -z "$$CI"
NO_POSTGRES = echo 'PostgreSQL is not installed: the tests ran on SQLite alone' && test -z "$$CI"

# Packages of others that only compute are not watched by the race detector: the
# tests would spend two thirds of their time in them. Such a package must hold no
# copy of a generic function of another one (`go tool nm` shows it): the linker
# may take that copy for all, and a sync.Map that is not watched makes races of
# what is none. That rules out even the rest of modernc.org.
UNWATCHED := modernc.org/sqlite/lib golang.org/x/crypto/argon2 golang.org/x/crypto/blake2b \
	golang.org/x/text/unicode/norm
RACE = $(if $(HAS_CC),-race $(UNWATCHED:%=-gcflags=%=-race=false))
# To be preceded by variables and followed by packages. Many tests of faults wait:
# more of them than there are processors run at once.
TESTS = $(if $(HAS_CC),CGO_ENABLED=1) $(GOTESTSUM) $(RACE) -shuffle=on -timeout 30m -parallel 4

HAS_NPM = $(shell command -v npm)
NO_NPM = echo 'npm is missing: the types of k6/*.js were not checked' && test -z "$$CI"
# The file that npm writes once all is there.
PACKAGES = $(if $(HAS_NPM),k6/node_modules/.package-lock.json)

# The tests that walk through pages in a browser.
WALKS := ^TestEndToEnd.*(Walk|Pages|Keyboard|Writing|Gallery)$$

.PHONY: help run build generate fmt check lint types test race e2e screenshots soak bench load

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9]+:.*## / { printf "make %-11s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

run: build ## build and start on http://localhost:8080; MADANG_… variables are settings
	@exec bin/madang serve

build: ## build bin/madang
	CGO_ENABLED=0 go build -trimpath -ldflags=-s -o bin/madang ./cmd/madang

generate: ## make the Go code of the templates
	$(TEMPL) generate -log-level warn

fmt: $(LINT) ## format the templates and the Go code
	$(TEMPL) fmt $(TEMPL_FMT) views
	$(LINT) fmt

check: ## vet, and see that go.mod, templates and generated code are as they should be
	$(TEMPL) fmt -fail $(TEMPL_FMT) views
	$(TEMPL) generate -check -log-level warn || { echo 'the generated code is stale: make generate, and commit it' >&2; exit 1; }
	go mod tidy -diff
	go vet ./...

lint: $(LINT) ## read the code with golangci-lint, which is built first when it is missing
	$(LINT) run

types: $(PACKAGES) ## check the scripts in k6/ against k6's documented types
	@$(if $(HAS_NPM),cd k6 && npm run -s check,$(NO_NPM))

test: check lint build types race ## everything

race: $(PACKAGES) ## the tests, with the race detector where there is a C compiler; then again on PostgreSQL
	@$(if $(HAS_CC),:,$(NO_RACE))
	$(TESTS) ./...
	$(if $(HAS_POSTGRES),MADANG_TEST_DATABASE=postgres $(TESTS) ./cmd/madang ./store/... ./web ./jobs,@$(NO_POSTGRES))

e2e: $(PACKAGES) ## the tests of the whole program alone
	$(GOTESTSUM) -count=1 -run '^TestEndToEnd' ./...

screenshots: $(PACKAGES) ## pictures of every page into bin/screenshots, in both languages, by day and night, in three widths
	rm -rf bin/screenshots
	SCREENSHOTS="$(CURDIR)/bin/screenshots" $(GOTESTSUM) -count=1 -timeout 30m -run '$(WALKS)' ./cmd/madang

bench: build ## run the two experiments and write their tables into README.md; takes minutes
	.ci/bench

# Let nothing else run meanwhile: it would be measured too.
load: build ## measure the board with k6/*.js, for a report in k6/results and the table of README.md; takes ten minutes
	CGO_ENABLED=0 go build -trimpath -o bin/ ./cmd/loadtest ./cmd/loadreport
	@exec bin/loadreport $(LOAD)

soak: ## kill the board 200 times, and every other fault many times; takes half an hour
	$(if $(HAS_CC),CGO_ENABLED=1) go test $(RACE) -count=1 -timeout 3h -v -run '^Test(Fault|Several)' ./cmd/madang -soak

# A registry may fail for a moment; npm's own retries do not cover all of it.
k6/node_modules/.package-lock.json: k6/package.json k6/package-lock.json k6/.npmrc
	@cd k6 && for try in 1 2 3; do npm ci >/dev/null && break; test $$try -lt 3 && sleep 5; done
	@touch $@

# Built from source, so that nothing but the module proxy is needed. The name
# holds the version: a new one is built when the version here changes.
$(LINT):
	GOBIN="$(CURDIR)/.bin" go install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(LINT_VERSION)
	mv .bin/golangci-lint $@
