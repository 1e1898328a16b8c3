"""`python -m benchmark ...`: measurements. A door to the house, not a part of the room."""

from __future__ import annotations

import click

__all__ = ["main"]


@click.group()
def main() -> None:
    """Measure parts of the grader on data with known answers."""


def _add_commands() -> None:
    # Looked up here, so that importing the room does not pull in the whole house.
    from judge.drift_card.command import drift  # noqa: PLC0415
    from judge.retrieval_bench.command import retrieval  # noqa: PLC0415

    main.add_command(drift)
    main.add_command(retrieval)


if __name__ == "__main__":
    _add_commands()
    main(prog_name="python -m benchmark")
