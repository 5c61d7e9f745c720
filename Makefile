# make play   set everything up and play a simulated game, in the terminal and at http://127.0.0.1:8080
# make test   set everything up and run every check
# make bench  measure everything, in about a quarter of an hour: one table at the end
PY := .venv/bin/python

.DEFAULT_GOAL := help
.PHONY: help play test check bench soak lock dist clean

help:
	@sed -n 's/^# //p' Makefile

play: .venv/.ready
	@.venv/bin/companion play above

test: .venv/.ready-dev
	@.venv/bin/ruff check .
	@.venv/bin/ruff format --check .
	@.venv/bin/mypy
	@.venv/bin/lint-imports
	@# To have every assertion explained takes each worker seconds beforehand: what fails runs once more with that.
	@.venv/bin/pytest -n 2 --assert=plain || { .venv/bin/pytest --last-failed --last-failed-no-failures none; exit 1; }

bench: .venv/.ready-bench
	@OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 .venv/bin/python -m pytest -vv -s --tb=short -p no:xdist benchmarks --benchmark-only --benchmark-quiet

soak: .venv/.ready-dev
	.venv/bin/companion soak above --players 2 --games 20 --seed 1 --json
	.venv/bin/companion soak above --players 4 --games 20 --seed 1 --json
	for stage in both camera; do for players in 2 4; do .venv/bin/companion soak above --players $$players --games 5 --seed 1 --stage $$stage --sloppy --faults --json || exit 1; done; done
	for stage in both camera; do for players in 2 4; do .venv/bin/companion soak above --players $$players --games 100 --seed 2 --stage $$stage --sloppy --faults --by-readings --json || exit 1; done; done
	.venv/bin/companion soak above --players 2 --games 100 --seed 5 --stage reeds --by-readings --json
	.venv/bin/companion soak above --players 2 --games 20 --seed 9 --stage reeds --sloppy --faults --by-readings --json
	for players in 2 3 4 5 6; do .venv/bin/companion soak olympeak --players $$players --games 5 --seed 1 --json || exit 1; done
	for players in 2 3 4 5 6; do .venv/bin/companion soak olympeak --players $$players --games 20 --seed 1 --sloppy --faults --by-readings --json || exit 1; done
	for players in 2 3 4 5 6; do .venv/bin/companion soak olympeak --players $$players --games 5 --seed 1 --sloppy --faults --json || exit 1; done
	.venv/bin/python benchmarks/endurance.py above 24
	.venv/bin/python benchmarks/endurance.py olympeak 4

.venv/.ready-dev .venv/.ready-bench: .venv/.ready%: requirements%.lock pyproject.toml deploy/setup.sh
	@sh deploy/setup.sh $<
	@touch $@
.venv/.ready: requirements.lock pyproject.toml deploy/setup.sh
	@sh deploy/setup.sh $<
	@touch $@

lock:
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-annotate --no-header pyproject.toml -o requirements.lock
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-annotate --no-header pyproject.toml --group dev -o requirements-dev.lock
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-annotate --no-header pyproject.toml --group dev --group bench -o requirements-bench.lock
	uv pip compile -q --universal --python-version 3.11 --generate-hashes --no-annotate --no-header pyproject.toml -c deploy/bookworm.txt -o deploy/bookworm.lock
	uv pip compile -q --universal --python-version 3.13 --generate-hashes --no-annotate --no-header pyproject.toml -c deploy/trixie.txt -o deploy/trixie.lock
	.venv/bin/python deploy/notices.py

dist: .venv/.ready-dev
	.venv/bin/hatchling build

clean:
	rm -rf .venv
