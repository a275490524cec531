# Lockstep. `make` alone prints what can be made: every target below with '##' after it.
#
# V=1 prints commands. Chatter goes to stderr, so that stdout holds only what a target was asked for.

# What the command line of make gives is text: a folder called $(shell ...) is a name. make would expand it for the environment, from where
# recipes take it, as "$$STUDENT": so neither make nor a shell runs any of it.
GIVEN := $(foreach v,$(.VARIABLES),$(if $(filter command,$(origin $(v))),$(v)))
$(foreach v,$(GIVEN),$(eval override $(v) := $$(value $(v)))$(eval export $(v)))

BUILD ?= build
READY ?= $(BUILD)
$(foreach c,$$ ` ; & | < > " ',$(if $(findstring $(c),$(BUILD)$(READY)),$(error BUILD and READY name plain folders, without $(c))))
CC = gcc
MARCH ?= native
SANITIZE ?=
# No contraction: a kernel's mul and add stay two roundings, as PTX says. No errno, no traps: lanes are computed together. LEVEL: -O1
# compiles in half the time, and a newcomer waits for it; what runs for each lane and sector is compiled with more, below.
LEVEL = -O1
OPT ?= $(LEVEL) -march=$(MARCH) -ffp-contract=off -fno-math-errno -fno-trapping-math
# -Wno-psabi: vectors are passed only within a file (model/tensor_tile.c), so it does not matter how.
WARN = -Wall -Wextra -Wstrict-prototypes -Wmissing-prototypes -Wno-missing-field-initializers -Wno-psabi
CFLAGS = -std=gnu11 -g1 $(OPT) $(WARN) $(SANITIZE) -Icommon -Itests -I.
LDLIBS = -ljansson -lpthread -lm -ldl

# PLAIN=1: what Linux has a way of its own for is done by POSIX alone, as on other systems.
PLAIN ?= $(if $(filter-out Linux,$(shell uname -s)),1)
ifneq ($(wildcard /opt/homebrew/include/.),)
export CPATH := /opt/homebrew/include:$(CPATH)
export LIBRARY_PATH := /opt/homebrew/lib:$(LIBRARY_PATH)
endif
OTHER_OS = $(patsubst %,common/os/%.c,$(if $(PLAIN),linux landlock sandbox cgroup,plain))
LIB_SOURCES = $(filter-out $(OTHER_OS) common/cli/main.c common/exercise/child/% common/runtime/% common/nvcc/% common/studio/%,$(wildcard common/*/*.c common/sim/*/*.c)) $(wildcard labs/*/lab.c)
HARDWARE_SOURCES = $(filter-out tests/hardware/main.c,$(wildcard tests/hardware/*.c))
LIB_OBJECTS = $(LIB_SOURCES:%.c=$(BUILD)/obj/%.o)
HARDWARE_OBJECTS = $(HARDWARE_SOURCES:%.c=$(BUILD)/obj/%.o)
MAIN_OBJECTS = $(BUILD)/obj/common/cli/main.o $(BUILD)/obj/tests/hardware/main.o
SUITES = $(patsubst tests/%.c,$(BUILD)/tests/%,$(wildcard tests/test_*.c))
LOCKSTEP = $(BUILD)/lockstep
NVCC_PROGRAM = $(BUILD)/lockstep-nvcc
RUNTIME = $(BUILD)/liblockstep-cudart.so
HARDWARE = $(BUILD)/lockstep-hardware
CLASS = $(BUILD)/lockstep-class
STUDIO = $(BUILD)/lockstep-studio
CLASS_OBJECTS = $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard grading/*.c))

Q = $(if $(V),,@)
say = $(if $(V),,@printf '  %-8s %s\n' $(1) '$(2)' >&2)
# A variable's option, when the command line of make gives it: $(call option,--lab,LAB) is --lab "$LAB".
given = $(filter $(1),$(GIVEN))
option = $(if $(call given,$(2)),$(1) "$$$(2)")
MAKEFLAGS += --no-print-directory
# On all cores, unless -j says otherwise.
ifeq ($(MAKELEVEL),0)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif

.DEFAULT_GOAL = help
.PHONY: help
help: ## this list
	@awk -F':.*## ' -v absent=' $(OUT_OF_REACH) ' '/^[a-z-]+:.*## / && !index(absent, " " $$1 " ") {printf "make %-10s %s\n", $$1, $$2}' Makefile
	@echo
	@echo 'make grade [STUDENT=dir] [LAB=02] [DEVICE=sim:h200] [FORMAT=text|json] [OUT=file] [SEED=7] [FRONT=clang|nvcc]'
	@echo 'make lab LAB=02 [EX=matmul] [STUDENT=dir] [DEVICE=sim:h200] [FRONT=clang|nvcc] [SEED=7]'

# A handout has neither grading nor tests. What needs one of them is not listed there, and says so.
NEEDS_grading = class class-program autograder handout dist
NEEDS_tests = tables figures bench ladder crosscheck published probe check test quick sanitize sanitized tests suites all-programs fuzz format
ABSENT = $(foreach room,grading tests,$(if $(wildcard $(room)/.),,$(room)))
OUT_OF_REACH = $(foreach room,$(ABSENT),$(NEEDS_$(room)))
$(foreach room,$(ABSENT),$(foreach goal,$(filter $(NEEDS_$(room)),$(MAKECMDGOALS)),$(error make $(goal) needs the \
    folder $(room)/, which a handout does not have; make alone lists what can be made here)))

# ---- what people type ----

.PHONY: lab learn studio studio-program step grade class autograder handout tables figures slides bench transfers devices ladder crosscheck probe profile compare published ncu
# Of a wrong kernel lockstep has said what is wrong. At a terminal make adds no "Error 1" to it; a script gets the status.
lab: $(LOCKSTEP) ## one lab, or one exercise of it: run it and explain what was counted (WHY=1: what is wrong; MORE=1: everything)
	@$(LOCKSTEP) lab $${LAB:+"$$LAB"} $${EX:+"$$EX"} $(call option,--student,STUDENT) $(call option,--device,DEVICE) $(call option,--front,FRONT) \
	    $(call option,--seed,SEED) $(call option,--why,WHY) $(if $(MORE),--more) || { said=$$?; [ $$said = 1 ] && [ -t 1 ] || exit $$said; }

learn: $(LOCKSTEP) ## study alone: an answer to each save, hints, progress (STUDENT=my: in a folder of your own)
	@$(LOCKSTEP) learn $(call option,--student,STUDENT) $(call option,--device,DEVICE) $(call option,--front,FRONT)

studio: $(LOCKSTEP) $(STUDIO) $(BUILD)/studio-tools/editor.js ## the same in a browser: type, save, see (STUDENT=my [PORT=7070] [DEVICE=sim:h200])
	@$(LOCKSTEP) studio $(call option,--student,STUDENT) $(call option,--device,DEVICE) $(call option,--port,PORT) \
	    $(call option,--listen,LISTEN) $(call option,--host,HOST)

grade: $(LOCKSTEP) ## grade all labs
	@$(LOCKSTEP) grade $(call option,--student,STUDENT) $(call option,--lab,LAB) $(call option,--device,DEVICE) \
	    $(call option,--format,FORMAT) $(call option,--out,OUT) $(call option,--seed,SEED) $(call option,--front,FRONT)

class: $(CLASS) ## grade a class: SUBMISSIONS=folder OUT=results [COURSE=file] [ENGINE=slurm] [JOBS=n] [LAB=02]
	@$(CLASS) class "$$SUBMISSIONS" $(call option,--out,OUT) $(call option,--jobs,JOBS) $(call option,--lab,LAB) \
	    $(call option,--device,DEVICE) $(call option,--front,FRONT) $(call option,--seed,SEED) \
	    $(call option,--course,COURSE) $(call option,--engine,ENGINE) $(if $(YES),--yes)

autograder: ## what a platform grades with: OUT=autograder.zip for Gradescope, OUT=autograde.tar for Autolab [LAB=02]
	@grading/autograder "$$OUT" $(call option,--lab,LAB) $(call option,--device,DEVICE)

handout: $(LOCKSTEP) $(HARDWARE) ## what students get: labs, slides and the kit, without solutions, tests and grading (OUT=folder)
	@grading/handout $(LOCKSTEP) "$$OUT"

tables: $(HARDWARE) ## measure again, and write the tables of the labs' README files and the published ones
	@$(HARDWARE) tables

# README.md's pictures, for light and for dark paper.
figures: $(LOCKSTEP) $(HARDWARE) ## draw the pictures of README.md again, into slides/figures
	$(Q)mkdir -p slides/figures
	$(Q)$(LOCKSTEP) figure padding >slides/figures/padding-light.svg
	$(Q)$(LOCKSTEP) figure padding --dark >slides/figures/padding-dark.svg
	$(Q)$(HARDWARE) measured chart >slides/figures/ladder-light.svg
	$(Q)$(HARDWARE) measured chart --dark >slides/figures/ladder-dark.svg

bench: $(LOCKSTEP) $(HARDWARE) ## how fast the simulator is, on this machine (FORMAT=json)
	@$(HARDWARE) bench $(call option,--format,FORMAT)

ladder: $(HARDWARE) ## every rung at several sizes on a GPU, or modelled beside the H200's times (DEVICE=, OUT=file, CPU=1)
	@$(HARDWARE) ladder $(call option,--device,DEVICE) $(call option,--out,OUT) $(call option,--front,FRONT) $(if $(CPU),--cpu)

crosscheck: $(HARDWARE) ## the simulator's counters against ncu's, or against the H200's that were recorded (DEVICE=, OUT=file)
	@$(HARDWARE) crosscheck $(call option,--device,DEVICE) $(call option,--out,OUT) $(call option,--front,FRONT)

published: $(HARDWARE) ## the tables of the documents that the labs follow, with our own figures beside theirs (DOC=002)
	@$(HARDWARE) published $${DOC:+"$$DOC"}

probe: $(HARDWARE) ## the latencies and throughputs of a GPU: what a profile of it states (DEVICE=, OUT=file)
	@$(HARDWARE) probe $(call option,--device,DEVICE) $(call option,--out,OUT) $(call option,--front,FRONT)

transfers: $(LOCKSTEP) ## how long data takes to the device and back (DEVICE=cuda)
	@$(LOCKSTEP) transfers $(call option,--device,DEVICE)

profile: $(LOCKSTEP) ## one exercise, explained line by line (LAB=05 EX=transpose [BEFORE=04] [HTML=page.html] [PTX=1])
	@$(LOCKSTEP) profile --lab "$$LAB" --exercise "$$EX" $(call option,--kernel,KERNEL) $(call option,--student,STUDENT) \
	    $(call option,--device,DEVICE) $(call option,--front,FRONT) $(call option,--map,MAP) $(call option,--html,HTML) \
	    $(call option,--before,BEFORE) $(if $(findstring json,$(FORMAT)),--json) $(if $(PTX),--ptx)

step: $(LOCKSTEP) ## one warp, stepped by source line, forwards and back (LAB=04 EX=matmul [BLOCK=0,0] [WARP=3] [HTML=page.html])
	@$(LOCKSTEP) step --lab "$$LAB" --exercise "$$EX" $(call option,--kernel,KERNEL) $(call option,--student,STUDENT) \
	    $(call option,--at,BLOCK) $(call option,--warp,WARP) $(call option,--size,SIZE) $(call option,--steps,STEPS) \
	    $(call option,--device,DEVICE) $(call option,--front,FRONT) $(call option,--html,HTML) $(if $(OPTIMISED),--optimised)

compare: $(LOCKSTEP) ## one exercise on several simulated GPUs (LAB=05 EX=transpose [DEVICES=sim:gtx280,sim:h200])
	@$(LOCKSTEP) compare $${LAB:+"$$LAB"} $${EX:+"$$EX"} $(call option,--devices,DEVICES) $(call option,--kernel,KERNEL) \
	    $(call option,--student,STUDENT) $(call option,--front,FRONT)

ncu: $(LOCKSTEP) ## one exercise as a program, and the commands that count the same on a GPU (LAB=05 EX=transpose)
	@mkdir -p $(BUILD)/ncu
	@$(LOCKSTEP) ncu "$$LAB" "$$EX" --out "$(BUILD)/ncu/$$LAB-$$EX.cu" $(call option,--student,STUDENT) $(call option,--device,DEVICE) \
	    $(call option,--front,FRONT)

devices: $(LOCKSTEP) ## the devices that DEVICE= can name
	@$(LOCKSTEP) devices

slides: $(LOCKSTEP) $(if $(filter tests,$(ABSENT)),,$(HARDWARE)) $(READY)/ready-slides ## the decks, as HTML in build/slides
	$(Q)sh slides/build.sh $(LOCKSTEP) $(BUILD)/slides

# ---- set-up: what is missing is installed before anything is built ----

# The levels of common/setup.sh that a goal needs beside the kit's.
goals = $(filter $(1),$(MAKECMDGOALS))
LEVELS = kit $(if $(call goals,class class-program check quick test sanitize tests setup),class) \
    $(if $(call goals,programs install check quick test tests setup),programs) \
    $(if $(call goals,check quick test sanitize suites tests setup),check) \
    $(if $(call goals,studio studio-program check quick test tests setup),studio) \
    $(if $(call goals,check setup slides),slides) $(if $(call goals,check),$(EXTRAS))
# A browser, Slurm, Thrust, Jupyter and clangd, and a compiler for Arm, which one test each needs: CI and root get them; others are not asked for so much.
EXTRAS = $(if $(filter true,$(CI))$(filter 0,$(shell id -u)),browser slurm thrust editors arm64)
STAMPS = $(READY)/ready-class $(READY)/ready-programs $(READY)/ready-check $(READY)/ready-slides $(READY)/ready-studio

.PHONY: setup more
setup: $(STAMPS) ## install the packages that are missing (every target does, for itself)

# All that the goals need in one go, so that a person is asked once; then the levels' own stamps find nothing to do. Each
# stamp is named: of two pattern rules GNU Make 4.4 takes the one whose prerequisites exist, and would forget the other.
$(READY)/ready-kit: common/setup.sh
	@sh common/setup.sh $(LEVELS)
	@mkdir -p $(@D) && touch $@
$(STAMPS): $(READY)/ready-%: common/setup.sh | $(READY)/ready-kit
	@sh common/setup.sh $*
	@mkdir -p $(@D) && touch $@
# These may be out of reach today and within reach tomorrow: no stamp.
more: | $(READY)/ready-kit
	$(if $(EXTRAS),@sh common/setup.sh $(EXTRAS))

# ---- the kit ----

.PHONY: kit
kit: $(LOCKSTEP) ## build the kit

# Two files whose content, when it changes, makes what depends on it out of date: the compiler with its flags, and the
# list of sources (a file that is gone leaves no object behind in the archive).
same = @mkdir -p $(@D); printf '%s\n' '$(1)' | cmp -s - $@ || printf '%s\n' '$(1)' > $@
$(BUILD)/flags: force
	$(call same,$(CC) $(CFLAGS) $(LDLIBS) $(HOT) $(WIDE))
$(BUILD)/files: force
	$(call same,$(LIB_SOURCES) $(HARDWARE_SOURCES))
.PHONY: force

$(BUILD)/obj/%.o: %.c $(BUILD)/flags | $(READY)/ready-kit
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CFLAGS) -MMD -MP -c $< -o $@

HOT = -O3
WIDE = -O1 -ftree-vectorize -finline-functions -finline-small-functions
$(foreach room,sim model exercise device,$(BUILD)/obj/common/$(room)/% $(BUILD)/pic/common/$(room)/%): LEVEL = $(HOT)
# Loops over 32 lanes, thousands of them: as fast as with -O3, compiled in two thirds of the time.
$(BUILD)/pic/common/sim/exec/alu_%: LEVEL = $(WIDE)

# What --version says beside the number of base.h: the commit, where this folder is a clone.
DESCRIBED = $(shell [ -e .git ] && git describe --tags --always 2>/dev/null | tr -cd 'A-Za-z0-9._/+-')
PROGRAMS = $(MAIN_OBJECTS) $(BUILD)/obj/grading/main.o
$(BUILD)/described: force
	$(call same,$(DESCRIBED))
$(PROGRAMS): $(BUILD)/described
$(PROGRAMS): private CFLAGS += -DDESCRIBED='"$(DESCRIBED)"'

$(BUILD)/obj/common/view/style.o: common/view/style.css

$(BUILD)/liblockstep.a: $(LIB_OBJECTS) $(BUILD)/files
	$(Q)rm -f $@ && ar rcs $@ $(LIB_OBJECTS)

$(BUILD)/libhardware.a: $(HARDWARE_OBJECTS) $(BUILD)/files
	$(Q)rm -f $@ && ar rcs $@ $(HARDWARE_OBJECTS)

$(LOCKSTEP): $(BUILD)/obj/common/cli/main.o $(BUILD)/liblockstep.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $^ $(LDLIBS) -o $@

# What a CUDA program needs to run: the compiler's stand-in, and the runtime with the simulator in it.
RUNTIME_SOURCES = $(wildcard $(patsubst %,common/%/*.c,runtime base device model ptx ptxas sim sim/*))
$(BUILD)/pic/%.o: %.c $(BUILD)/flags | $(READY)/ready-kit
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CFLAGS) -fPIC -fvisibility=hidden -MMD -MP -c $< -o $@

# The kit takes the same objects of these rooms, so that they are compiled once. Names of base and device stay visible: test_cuda's driver
# finds them in the suite.
$(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard $(patsubst %,common/%/*.c,ptx ptxas model sim sim/*))): $(BUILD)/obj/%.o: $(BUILD)/pic/%.o
	@mkdir -p $(@D)
	$(Q)cp $< $@

$(RUNTIME): $(RUNTIME_SOURCES:%.c=$(BUILD)/pic/%.o)
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) -shared -Wl,-soname,$(@F) $^ -Wl,--no-undefined -lpthread -lm -ldl -o $@

$(NVCC_PROGRAM): $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard common/nvcc/*.c)) $(BUILD)/liblockstep.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $^ $(LDLIBS) -o $@

# The everyday parts of cuBLAS and cuFFT: kernels, built as a program's are. They find the runtime beside themselves.
# Where nvcc is the only compiler they are left out: its own headers declare other calls.
BY_NVCC = $(NVCC_PROGRAM) --version | grep -q 'by nvcc'
LIBRARIES = $(BUILD)/liblockstep-cublas.so $(BUILD)/liblockstep-cufft.so
$(LIBRARIES): $(BUILD)/liblockstep-cu%.so: $(wildcard common/cuda/blas/* common/cuda/fft/*) common/cuda/stubs/cublas_v2.h common/cuda/stubs/cublasLt.h common/cuda/stubs/cublasXt.h common/cuda/stubs/cufft.h $(NVCC_PROGRAM) $(RUNTIME) | $(READY)/ready-programs
	$(call say,NVCC,$@)
	$(Q)if $(BY_NVCC); then \
	    echo 'lockstep: $(@F) needs clang and is left out' >&2; \
	else \
	    $(NVCC_PROGRAM) -O2 -c common/cuda/$*/$*.cu -Xcompiler -fdebug-compilation-dir=. -o $(BUILD)/$*.o && \
	    g++ -shared -Wl,-soname,$(@F) $(BUILD)/$*.o -L$(BUILD) -llockstep-cudart -Wl,-rpath,'$$ORIGIN' -o $@; \
	fi

# A folder as CUDA's own, for Makefiles and CMake: CUDA_HOME=build/cuda.
$(BUILD)/cuda/bin/nvcc: $(NVCC_PROGRAM) $(RUNTIME) $(LIBRARIES) common/nvcc/folder.sh
	$(Q)sh common/nvcc/folder.sh $(BUILD)/cuda $(BUILD) $(abspath $(BUILD)) ../.. $(CURDIR)/common/cuda/stubs
	$(Q)touch -h $@

.PHONY: programs
programs: $(BUILD)/cuda/bin/nvcc $(LOCKSTEP) ## lockstep-nvcc, which builds whole CUDA programs

# What other projects find: programs, the runtime, headers. They find one another by their own places.
PREFIX ?= /usr/local
quoted = '$(subst ','\'',$(1))'
INSTALLED = $(call quoted,$(DESTDIR)$(PREFIX))
SHARED_FILES = $(shell find common/cuda -type f ! -name README.md) common/step/page.html common/nvcc/lockstep.cmake
.PHONY: install uninstall
install: $(LOCKSTEP) programs ## programs, headers and the runtime, for other projects (PREFIX=/usr/local DESTDIR=)
	$(Q)install -d $(INSTALLED)/bin $(INSTALLED)/lib/lockstep
	$(Q)install -s $(LOCKSTEP) $(NVCC_PROGRAM) $(INSTALLED)/bin
	$(Q)for f in $(RUNTIME) $(LIBRARIES); do [ ! -e $$f ] || install -s -m 644 $$f $(INSTALLED)/lib || exit 1; done
	$(Q)for f in $(SHARED_FILES); do install -D -m 644 "$$f" $(INSTALLED)/lib/lockstep/"$$f" || exit 1; done
	$(Q)sh common/nvcc/folder.sh $(INSTALLED)/lib/lockstep/cuda $(INSTALLED)/lib $(call quoted,$(abspath $(PREFIX))/lib) \
	    ../../../../bin ../common/cuda/stubs
	$(call say,INSTALL,lockstep)

uninstall: ## remove what make install has put there
	rm -f $(INSTALLED)/bin/lockstep $(INSTALLED)/bin/lockstep-nvcc $(foreach f,$(RUNTIME) $(LIBRARIES),$(INSTALLED)/lib/$(notdir $(f)))
	rm -rf $(INSTALLED)/lib/lockstep

# A release. The package is built from the archive, for other machines: what is built here for itself may use instructions that others lack.
DIST ?= $(BUILD)/dist
VERSION = $(shell sed -n 's/^.define LOCKSTEP_VERSION "\(.*\)"/\1/p' common/base/base.h)
ARCHITECTURE = $(shell dpkg --print-architecture)
PORTABLE = $(if $(filter amd64,$(ARCHITECTURE)),x86-64-v3,armv8-a)
define CONTROL
Package: lockstep
Version: $(VERSION)
Architecture: $(ARCHITECTURE)
Section: devel
Priority: optional
Maintainer: Lockstep <lockstep@localhost>
Depends: libc6 (>= $(shell dpkg-query -W -f '$${Version}' libc6 | sed 's/-.*//')), libjansson4, clang, g++
Description: CUDA kernels and programs without a GPU
 A simulator that runs them warp by warp, finds their mistakes and counts what
 the hardware counts; and lockstep-nvcc, which takes nvcc's command line.
endef
.PHONY: dist source deb
dist: source ## what a release has, in build/dist: the source, and a Debian package for machines like this one
	$(Q)rm -rf $(DIST)/lockstep-$(VERSION) && tar -xzf $(DIST)/lockstep-$(VERSION).tar.gz -C $(DIST)
	@$(MAKE) -C $(DIST)/lockstep-$(VERSION) BUILD=build READY=build DIST=$(abspath $(DIST)) MARCH=$(PORTABLE) deb
	$(Q)rm -rf $(DIST)/lockstep-$(VERSION)

source:
	@mkdir -p $(DIST)
	$(Q)git archive --prefix=lockstep-$(VERSION)/ -o $(DIST)/lockstep-$(VERSION).tar.gz HEAD
	@echo $(DIST)/lockstep-$(VERSION).tar.gz

# What this BUILD has, as a package.
deb: export PACKAGE = $(CONTROL)
deb:
	$(Q)rm -rf $(BUILD)/deb && mkdir -p $(BUILD)/deb/DEBIAN $(DIST)
	$(Q)$(MAKE) PREFIX=/usr DESTDIR=$(abspath $(BUILD)/deb) install
	$(Q)printf '%s\n' "$$PACKAGE" >$(BUILD)/deb/DEBIAN/control
	$(Q)dpkg-deb --root-owner-group --build $(BUILD)/deb $(DIST)/lockstep_$(VERSION)_$(ARCHITECTURE).deb >&2
	@echo $(DIST)/lockstep_$(VERSION)_$(ARCHITECTURE).deb

$(CLASS): $(CLASS_OBJECTS) $(BUILD)/liblockstep.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $^ -larchive -linih -lz $(LDLIBS) -o $@

STUDIO_OBJECTS = $(patsubst %.c,$(BUILD)/obj/%.o,$(wildcard common/studio/*.c))
$(STUDIO): $(STUDIO_OBJECTS) $(BUILD)/liblockstep.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $^ -lmicrohttpd $(LDLIBS) -o $@
$(STUDIO_OBJECTS): | $(READY)/ready-studio
studio-program: $(STUDIO) $(BUILD)/studio-tools/editor.js

# The editor of the page, where npm has it; else an empty file, and the page has a plain text area.
$(BUILD)/studio-tools/editor.js: common/studio/editor.mjs | $(READY)/ready-studio
	@mkdir -p $(@D)
	$(call say,BUNDLE,$@)
	$(Q)cp $< $(@D)/editor.mjs
	$(Q)cd $(@D) && if [ -x node_modules/.bin/esbuild ]; then \
	    node_modules/.bin/esbuild editor.mjs --bundle --minify --format=esm --log-level=warning --outfile=editor.js && gzip -9nkf editor.js; \
	else : >editor.js; fi

$(CLASS_OBJECTS): | $(READY)/ready-class
.PHONY: class-program
class-program: $(CLASS)

$(HARDWARE): $(BUILD)/obj/tests/hardware/main.o $(BUILD)/libhardware.a $(BUILD)/liblockstep.a
	$(call say,LINK,$@)
	$(Q)$(CC) $(CFLAGS) $^ $(LDLIBS) -o $@

# ---- tests ----

$(BUILD)/obj/tests/hardware/%.o: tests/hardware/%.c $(BUILD)/flags | $(READY)/ready-kit
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CFLAGS) -MMD -MP -c $< -o $@

$(BUILD)/obj/tests/%.o: tests/%.c $(BUILD)/flags | $(READY)/ready-check
	@mkdir -p $(@D)
	$(call say,CC,$<)
	$(Q)$(CC) $(CFLAGS) -Wno-missing-prototypes $$(pkg-config --cflags check) -MMD -MP -c $< -o $@

$(BUILD)/tests/%: $(BUILD)/obj/tests/%.o $(BUILD)/libhardware.a $(BUILD)/liblockstep.a
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) $(filter %.o,$^) $(filter %.a,$^) $$(pkg-config --libs check) $(LDLIBS) -o $@

# The suites of grading take its rooms' objects as well. Private: build/flags does not see it.
GRADING_SUITES = $(filter $(BUILD)/tests/test_grading%,$(SUITES))
$(GRADING_SUITES): $(filter-out %/main.o,$(CLASS_OBJECTS))
$(GRADING_SUITES): private LDLIBS += -larchive -linih -lz

# What these leave allocated fails them, without the other sanitizers, too.
LEAKS ?= -fsanitize=leak
FREED = align apart arguments arrival banks base blamed_lines bulk checks code count dram edges edits grading grading_hand_in \
        grading_pages index_trace judge lab lab_tensor launches model model_figure model_time options problems profile profile_change ptx \
        ptx_hostile published registers shown sim_lanes snippets step told transfer wgmma write_combine wrong_values xorwow
$(FREED:%=$(BUILD)/tests/test_%): private LDLIBS += $(LEAKS)

# A driver without a GPU, over the simulator of the suite that loads it.
$(BUILD)/tests/fake/libcuda.so.1: tests/fake_cuda.c $(wildcard common/device/*.h common/model/*.h) $(BUILD)/flags
	@mkdir -p $(@D)
	$(Q)$(CC) $(CFLAGS) -shared -fPIC $< -o $@
FAKED = $(BUILD)/tests/test_cuda $(BUILD)/tests/test_grading_gpus
$(FAKED): private LDLIBS += -rdynamic
$(FAKED): | $(BUILD)/tests/fake/libcuda.so.1

# The PTX that the records of hardware were made from, by either compiler.
RECORDED_PTX = $(BUILD)/ptx/clang/front $(BUILD)/ptx/nvcc/front
$(RECORDED_PTX): $(BUILD)/ptx/%/front: tests/hardware/ptx/%.tar.gz
	$(Q)rm -rf $(@D) && mkdir -p $(@D) && tar -xmzf $< -C $(@D)
$(BUILD)/tests/test_registers $(BUILD)/tests/test_launches $(BUILD)/tests/test_told: | $(BUILD)/ptx/clang/front

# gcc 12 to 14 may take a local variable to be aligned to 64 bytes because its place in the real stack frame is. ASan's copy of
# the frame, in which it finds uses after return, does not keep that place: with AVX-512 an aligned store to an array of
# integers faults. So there is no copy (ASan makes one by default from gcc 13 on).
SANITIZED = $(MAKE) BUILD=$(BUILD)/sanitize READY=$(READY) OPT='-O1 -march=$(MARCH) -ffp-contract=off -fno-math-errno' \
            SANITIZE='-fsanitize=address,undefined -fno-sanitize-recover=undefined --param asan-use-after-return=0 -fno-omit-frame-pointer'

.PHONY: tests all-programs suites sanitized check test quick sanitize threads
suites: $(SUITES)
all-programs: $(LOCKSTEP) $(HARDWARE) $(CLASS) $(STUDIO) $(BUILD)/cuda/bin/nvcc $(RECORDED_PTX)
tests: all-programs suites
sanitized: | $(READY)/ready-check
	+@$(SANITIZED) suites

check: tests sanitized $(READY)/ready-slides more ## every test: suites, scripts, the suites again under ASan and UBSan
	@sh tests/run.sh $(BUILD)

test: tests ## what a change needs: the suites and scripts that take a few seconds each
	@sh tests/run.sh --short $(BUILD)

quick: tests ## the same, and what people do, step by step: the journeys
	@sh tests/run.sh --quick $(BUILD)

sanitize: sanitized ## the suites under ASan and UBSan alone
	@sh tests/run.sh --sanitized $(BUILD)

# setarch: ThreadSanitizer wants addresses that are not drawn at random.
THREADS = $(BUILD)/threads
threads: | $(READY)/ready-check ## the solutions' kernels under ThreadSanitizer: does the simulator read what another of its threads writes?
	+@$(MAKE) BUILD=$(THREADS) READY=$(READY) OPT='-O1 -march=$(MARCH) -ffp-contract=off -fno-math-errno' \
	    SANITIZE=-fsanitize=thread LEAKS= $(THREADS)/lockstep-hardware $(THREADS)/ptx/clang/front
	@setarch -R $(THREADS)/lockstep-hardware run --shapes --device sim:h200 --ptx $(THREADS)/ptx/clang >$(THREADS)/said
	@echo "no race in $$(wc -l <$(THREADS)/said) launches"

# Coverage-guided, by clang's libFuzzer, over the kit's PTX and simulator; seeded with the solutions' PTX.
FUZZ_SECONDS ?= 60
FUZZ = $(BUILD)/fuzz
FUZZ_FLAGS = -std=gnu11 -g -O1 -w -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=undefined -Icommon -Itests -I.
FUZZ_OBJECTS = $(patsubst %.c,$(FUZZ)/%.o,$(wildcard common/base/*.c common/ptx/*.c common/ptxas/*.c common/model/*.c common/sim/*.c common/sim/*/*.c) tests/fuzz_ptx.c)

$(FUZZ)/%.o: %.c $(wildcard common/*/*.h common/sim/*/*.h tests/fuzz_ptx.h)
	@mkdir -p $(@D)
	$(call say,CLANG,$<)
	$(Q)clang $(FUZZ_FLAGS) -c $< -o $@

$(FUZZ)/fuzz_ptx: $(FUZZ_OBJECTS)
	$(call say,LINK,$@)
	$(Q)clang $(FUZZ_FLAGS) $^ -lm -lpthread -o $@

.PHONY: fuzz
fuzz: $(FUZZ)/fuzz_ptx $(HARDWARE) ## random PTX, guided by coverage, under ASan and UBSan (FUZZ_SECONDS=60; needs libclang-rt-dev)
	@mkdir -p $(FUZZ)/corpus $(FUZZ)/seeds
	@$(HARDWARE) run --device sim:tiny --write-ptx $(FUZZ)/seeds > /dev/null
	@$< -max_len=16384 -timeout=20 -max_total_time=$(FUZZ_SECONDS) -artifact_prefix=$(FUZZ)/ $(FUZZ)/corpus $(FUZZ)/seeds

# The kernels of labs and solutions, and the tables whose columns are aligned by hand, are not formatted.
FORMATTED = common/*/*.[ch] common/*/*/*.[ch] grading/*.[ch] labs/*/lab.c slides/*.c tests/*.[ch] tests/class/*.c tests/hardware/*.[ch]
.PHONY: format
format: ## give the project's C the form of .clang-format (needs clang-format)
	@ls $(FORMATTED) | grep -vE '^common/(cuda/|ptx/ops)' | xargs clang-format -i

.PHONY: clean
clean: ## remove what was built
	rm -rf $(BUILD)

.SECONDARY:
-include $(RUNTIME_SOURCES:%.c=$(BUILD)/pic/%.d) $(patsubst %.c,$(BUILD)/obj/%.d,$(wildcard common/nvcc/*.c)) $(CLASS_OBJECTS:.o=.d) $(STUDIO_OBJECTS:.o=.d) $(LIB_OBJECTS:.o=.d) $(HARDWARE_OBJECTS:.o=.d) $(MAIN_OBJECTS:.o=.d) $(patsubst tests/%.c,$(BUILD)/obj/tests/%.d,$(wildcard tests/test_*.c))
