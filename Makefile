# Lockstep. `make` alone prints what can be made; every target below with '##' after it is listed there.

BUILD ?= build
CC = gcc
MARCH ?= native
SANITIZE ?=
# No contraction: a kernel's mul and add stay two roundings, as PTX says. No errno, no traps: lanes are computed together.
OPT ?= -O3 -march=$(MARCH) -ffp-contract=off -fno-math-errno -fno-trapping-math
WARN = -Wall -Wextra -Wstrict-prototypes -Wmissing-prototypes -Wno-missing-field-initializers
CFLAGS = -std=gnu11 -g $(OPT) $(WARN) $(SANITIZE) -Icommon -MMD -MP
LDLIBS = -ljansson -lpthread -lm -ldl

LIB_SOURCES = $(filter-out common/lab/main.c,$(wildcard common/base/*.c common/ptx/*.c common/model/*.c common/sim/*.c \
              common/device/*.c common/lab/*.c)) $(wildcard labs/*/lab.c)
LIB_OBJECTS = $(LIB_SOURCES:%.c=$(BUILD)/obj/%.o)
SUITES = $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/test_*.c))

.DEFAULT_GOAL = help
.PHONY: help
help: ## this list
	@awk -F':.*## ' '/^[a-z-]+:.*## /{printf "make %-12s %s\n", $$1, $$2}' Makefile

.PHONY: kit
kit: $(BUILD)/lockstep ## build the kit

$(BUILD)/obj/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -c $< -o $@

$(BUILD)/liblockstep.a: $(LIB_OBJECTS)
	rm -f $@ && ar rcs $@ $^

$(BUILD)/lockstep: $(BUILD)/obj/common/lab/main.o $(BUILD)/liblockstep.a
	$(CC) $(CFLAGS) $^ $(LDLIBS) -o $@

$(BUILD)/tests/%: tests/%.c $(BUILD)/liblockstep.a
	@mkdir -p $(@D)
	$(CC) $(CFLAGS) -Wno-missing-prototypes $< $(BUILD)/liblockstep.a $$(pkg-config --cflags --libs check) $(LDLIBS) -o $@

.PHONY: tests
tests: $(SUITES)

.PHONY: clean
clean: ## remove what was built
	rm -rf $(BUILD)

-include $(shell find $(BUILD) -name '*.d' 2>/dev/null)
