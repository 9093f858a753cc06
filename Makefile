# Two commands do everything on a fresh Debian machine: `make demo` and `make test`.
PYTHON ?= python3.11
VENV   ?= .venv
BIN    := $(VENV)/bin
# EGL and Mesa film the simulator's scenes, PostgreSQL backs the record's tests, Mosquitto and GStreamer's RTSP server
# stand for a house's broker and cameras; the product needs none of them.
APT_PACKAGES := chromium libegl1 libgl1-mesa-dri postgresql mosquitto python3-gi gir1.2-gst-rtsp-server-1.0 \
	gstreamer1.0-plugins-base gstreamer1.0-plugins-good gstreamer1.0-plugins-bad gstreamer1.0-plugins-ugly
STAMP  := $(VENV)/.installed

.PHONY: demo test nightly bench lint types contracts unit setup clean

demo: setup
	@$(BIN)/pitwatch demo

test: setup system lint types contracts unit

setup: $(STAMP)

$(STAMP): pyproject.toml
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || sh scripts/system-packages.sh python3.11 python3.11-venv
	@test -x $(BIN)/python || $(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install --quiet --upgrade pip
	@$(BIN)/pip install --quiet --editable '.[dev,sim]'
	@touch $(STAMP)

.PHONY: system
system:
	@sh scripts/system-packages.sh $(APT_PACKAGES)

lint:
	@$(BIN)/ruff check . && $(BIN)/ruff format --check .

types:
	@$(BIN)/mypy

contracts:
	@$(BIN)/lint-imports

unit:
	@$(BIN)/pytest -q -n 2 -m "not nightly"

nightly: setup system
	@$(BIN)/pytest -q -n 2

bench: setup
	@$(BIN)/python benchmarks/bench_hands.py
	@$(BIN)/python benchmarks/bench_judge.py
	@$(BIN)/python benchmarks/bench_room.py

clean:
	rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
