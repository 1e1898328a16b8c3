"""What an endpoint turned out to accept, remembered for as long as the process lives.

Nothing is guessed from a model's name. A request goes out in the strictest form; when the answer
is the refusal that says "unsupported", one thing is changed, remembered, and the request sent
again. What was really sent stands in the answer.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, field

from judge.models.endpoint import Endpoint
from judge.models.faults import Unsupported
from judge.protocol import FatalProviderError

__all__ = ["Adaptation", "Form", "adaptation_for", "forget"]

_log = logging.getLogger(__name__)

_SAMPLING = {
    "frequency_penalty",
    "include",
    "logprobs",
    "min_p",
    "presence_penalty",
    "seed",
    "temperature",
    "top_k",
    "top_logprobs",
    "top_p",
}
"""What may be left out when it is refused: it changes how an answer is drawn, not what is asked or
what it costs. Any other parameter that is refused stops the run."""


@dataclass(frozen=True, slots=True)
class Form:
    """The form that a request goes out in.

    Attributes:
        rung: How structure is asked for.
        cap: What the output cap is called; `None` where the endpoint takes none.
        dropped: Parameters that are left out.
    """

    rung: str
    cap: str | None
    dropped: frozenset[str] = frozenset()


@dataclass(slots=True)
class Adaptation:
    """What one endpoint accepts, as far as is known.

    Attributes:
        ladder: Ways to ask for structure that its API has, strictest first.
        caps: Names of the output cap that its API has had, the first to try first.
        reached: Whether it ever answered anything.
        proven: Whether it has taken a request as it is sent now.
    """

    ladder: tuple[str, ...]
    caps: tuple[str, ...]
    reached: bool = False
    proven: bool = False
    _rung: int = 0
    _cap: int = 0
    _dropped: set[str] = field(default_factory=set)

    def form(self, structure: str) -> Form:
        """The form for the next request.

        Args:
            structure: `auto`, or the one way that the user wants.
        """
        return Form(
            rung=self.ladder[self._rung] if structure == "auto" else structure,
            cap=self.caps[self._cap] if self._cap < len(self.caps) else None,
            dropped=frozenset(self._dropped),
        )

    def learn(self, refusal: Unsupported, sent: Form, structure: str, endpoint: Endpoint) -> None:
        """Take a refusal to heart, so that the next `form` differs from what was sent.

        Where another request has already taught the same, nothing more is changed.

        Raises:
            FatalProviderError: There is no other form that the user would accept.
        """
        if self.form(structure) != sent:
            return
        place = f"{endpoint.provider} at {endpoint.base_url}"
        said = f"HTTP {refusal.fault.status}: {refusal.fault.message}"
        if not refusal.parameters:
            if structure != "auto" or self._rung + 1 >= len(self.ladder):
                raise FatalProviderError(
                    f"{place} does not take structure {sent.rung!r} for {endpoint.model} ({said}). "
                    "Set judge.structure: auto, or one that it takes"
                )
            self._rung += 1
            _log.warning(
                "%s takes no %s for %s: asking by %s from now on",
                place,
                sent.rung,
                endpoint.model,
                self.ladder[self._rung],
            )
            return
        wanted = refusal.parameters - {sent.cap} - _SAMPLING
        if wanted:
            names = ", ".join(sorted(wanted))
            raise FatalProviderError(
                f"{place} does not take {names} for {endpoint.model} ({said}). "
                "Take it out of judge.parameters"
            )
        if sent.cap in refusal.parameters:
            self._cap += 1
        self._dropped |= refusal.parameters & _SAMPLING
        _log.warning(
            "%s takes no %s for %s: left out or renamed from now on",
            place,
            ", ".join(sorted(refusal.parameters)),
            endpoint.model,
        )


_known: dict[tuple[object, ...], Adaptation] = {}
_lock = threading.Lock()


def adaptation_for(
    endpoint: Endpoint, ladder: tuple[str, ...], caps: tuple[str, ...]
) -> Adaptation:
    """What this process knows of an endpoint; one object for each provider, URL, model and API."""
    with _lock:
        return _known.setdefault((*endpoint.identity, ladder, caps), Adaptation(ladder, caps))


def forget() -> None:
    """Forget all that was learnt, as a new process would."""
    with _lock:
        _known.clear()
