"""`python -m calibration ...`: fitting from data. A door to the house, not a part of the room."""

from __future__ import annotations

import click

__all__ = ["main"]


@click.group()
def main() -> None:
    """Fit what the grader ships, from data."""


def _add_commands() -> None:
    # Looked up here, so that importing the room does not pull in the whole house.
    from judge.embedded.distilling.command import distill, features  # noqa: PLC0415

    main.add_command(distill)
    main.add_command(features)


if __name__ == "__main__":
    _add_commands()
    main(prog_name="python -m calibration")
