"""What a run would ask, and what that would cost, before anything is sent.

Everything up to the request is done as a run does it: repositories are read, evidence is found,
prompts are rendered. Then, instead of asking, the run directory's verdicts, its ledger and the
cache are looked into. Nothing is sent and nothing is written.
"""

from __future__ import annotations

import contextlib
import math
from collections import Counter
from dataclasses import dataclass, field
from functools import lru_cache

from judge.cache import AnswerCache
from judge.claim_batches import as_part, together
from judge.models.measuring import AT_LEAST, AT_MOST, request_tokens
from judge.models.panel import members_of
from judge.models.wire import output_cap
from judge.plan_past import ASSUMED_OUTPUT, Output, Past
from judge.preparing import Job, Pending, Prepared, failed, prepare
from judge.protocol import Judge, LocalJudge, Question, Request
from judge.run_plan import RunPlan, context_of
from judge.verdict import Status
from judge.workers import Pool
from retrieval.tokens import estimate_tokens

__all__ = ["ASSUMED_OUTPUT", "Miss", "Output", "RunEstimate", "estimate"]

_CACHEABLE = 1024
"""A prefix that is shorter is not cached by either vendor."""


@dataclass(frozen=True, slots=True)
class Miss:
    """One request that would be sent.

    Attributes:
        submission: The submission's id.
        sau: The claim's id, or those of several that are asked together.
        why: Why no answer is at hand.
        tokens: Estimated input tokens.
        claims: How many claims it is about.
        cap: Tokens of its answer at most; `None` is no cap.
        judge: Who would be asked.
    """

    submission: str
    sau: str
    why: str
    tokens: int
    claims: int = 1
    cap: int | None = None
    judge: str = ""


@dataclass(slots=True)
class RunEstimate:
    """What a run would ask.

    Attributes:
        judge: The judge's name.
        pairs: Claims about submissions.
        here: Whether the judge computes here and asks nobody; then nothing else is counted.
        kept: Pairs whose verdict stands.
        hits: Questions whose answer is at hand, by where: `cache`, `ledger`, `same question`.
        misses: Questions that would be sent.
        failed: Pairs that would be errors before anybody is asked, by reason.
        first: Pairs that the first judge of a cascade would answer.
        audited: Questions among the others that audit it.
        submissions: Submissions with questions that were made.
        whole: Those among them that are shown whole.
        input_tokens: Of all misses, as estimated.
        shared_tokens: Those among them that repeat what an earlier question began with.
        prefix_tokens: Those that begin a prefix which others repeat.
        output: Tokens of one answer.
        parts: Of a panel, the same for each member; else empty.
    """

    judge: str
    pairs: int = 0
    here: bool = False
    kept: int = 0
    hits: Counter[str] = field(default_factory=Counter)
    misses: list[Miss] = field(default_factory=list)
    failed: Counter[str] = field(default_factory=Counter)
    first: int = 0
    audited: int = 0
    submissions: int = 0
    whole: int = 0
    input_tokens: int = 0
    shared_tokens: int = 0
    prefix_tokens: int = 0
    output: Output = field(default_factory=lambda: Output(*ASSUMED_OUTPUT, None, 0))
    parts: list[RunEstimate] = field(default_factory=list)

    @property
    def calls(self) -> int:
        """Requests that would be sent, each once: what is asked again comes on top."""
        return len(self.misses)

    @property
    def answers(self) -> int:
        """Answers that they would bring: one for each claim that a request is about."""
        return sum(miss.claims for miss in self.misses)

    @property
    def reasons(self) -> Counter[str]:
        """How many questions would be sent for which reason."""
        return Counter(miss.why for miss in self.misses)

    @property
    def input_range(self) -> tuple[int, int]:
        """Input tokens, at least and at most."""
        return math.floor(self.input_tokens * AT_LEAST), math.ceil(self.input_tokens * AT_MOST)

    @property
    def output_range(self) -> tuple[int, int]:
        """Output tokens, at least and at most."""
        if self.parts:
            ranges = [part.output_range for part in self.parts]
            return sum(low for low, _ in ranges), sum(high for _, high in ranges)
        return self.answers * self.output.low, self.answers * self.output.high

    def add(self, part: RunEstimate) -> None:
        """Add what one member of a panel would be asked."""
        self.parts.append(part)
        self.hits.update(part.hits)
        self.misses += part.misses
        self.input_tokens += part.input_tokens
        self.shared_tokens += part.shared_tokens
        self.prefix_tokens += part.prefix_tokens


async def estimate(plan: RunPlan) -> RunEstimate:
    """Find out what a run would ask.

    Args:
        plan: The run.

    Raises:
        InputError: The run directory is damaged, or the cache cannot be read.
    """
    context = context_of(plan)
    found = RunEstimate(plan.judge_name)
    past = Past(plan)
    claims = {paper.id: paper.saus for paper in plan.benchmark.papers}
    found.pairs = sum(len(claims.get(s.paper, ())) for s in plan.submissions)
    texts = {paper.id: paper.text for paper in plan.benchmark.papers}
    jobs = (
        Job(s, saus, past.settled_of(s.id), texts.get(s.paper), plan.among.get(s.paper, ()))
        for s in plan.submissions
        for saus in [claims.get(s.paper, ())]
    )
    if isinstance(plan.judge, LocalJudge):
        found.here = True
        return found
    pool = Pool(
        prepare,
        context,
        lambda job, reason: failed(context, job, reason),
        workers=plan.workers,
        seconds=plan.submission_seconds,
    )
    with contextlib.ExitStack() as stack:
        cache = None
        if (plan.cache / "cache.db").exists():
            cache = stack.enter_context(AnswerCache(plan.cache))
        members = members_of(plan.judge, context.question.repeats)
        parts = [RunEstimate(one.judge.name) for one in members] if len(members) > 1 else [found]
        countings = [
            _Counting(one.judge, part, past, cache, repeats=one.repeats)
            for one, part in zip(members, parts, strict=True)
        ]
        async with contextlib.aclosing(pool.results(jobs)) as results:
            async for prepared in results:
                _count_prepared(found, prepared)
                for counting in countings:
                    counting.take(prepared)
    for one, part in zip(members, parts, strict=True):
        cap = getattr(one.judge, "max_output_tokens", None)
        part.output = past.output(cap, one.judge.model if len(members) > 1 else None)
        if part is not found:
            found.add(part)
    return found


def _count_prepared(found: RunEstimate, prepared: Prepared) -> None:
    """Count what is the same whoever is asked."""
    found.kept += prepared.kept
    found.first += prepared.first
    found.audited += sum(
        one.cascade is not None and one.cascade.route == "audit" for one in prepared.pending
    )
    errors = sum(status is Status.ERROR for status, _ in prepared.verdicts)
    if errors:
        found.failed[prepared.failure or "the question could not be made"] += errors
    if prepared.pending:
        found.submissions += 1
        found.whole += prepared.whole


class _Counting:
    """Sorts prepared questions into what is at hand and what is not."""

    def __init__(
        self,
        judge: Judge,
        found: RunEstimate,
        past: Past,
        cache: AnswerCache | None,
        *,
        repeats: int,
    ) -> None:
        self._judge = judge
        self._repeats = repeats
        self._found = found
        self._past = past
        self._cache = cache
        self._asked: set[str] = set()
        self._prefixes: set[int] = set()
        self._tokens = lru_cache(maxsize=64)(estimate_tokens)

    def take(self, prepared: Prepared) -> None:
        """Count one submission's questions, in the order in which they would be asked."""
        for repeat in range(self._repeats):
            groups: dict[tuple[str, ...], list[Pending]] = {}
            for pending in prepared.pending:
                # One that is asked alone is a group of its own.
                groups.setdefault(pending.group or (pending.sau.id,), []).append(pending)
            for group in groups.values():
                self._group(prepared, group, repeat)

    def _group(self, prepared: Prepared, group: list[Pending], repeat: int) -> None:
        """Count the questions that may be asked in one request."""
        open_ones = []
        for pending in group:
            request = self._single(prepared, pending, repeat)
            part = as_part(request, pending) if len(pending.group) > 1 else None
            if part is not None and self._at_hand(part):
                continue
            if not self._at_hand(request):
                open_ones.append((pending, request))
        if len(open_ones) > 1:
            asked = [pending for pending, _ in open_ones]
            request = together(self._judge, prepared.submission.id, asked, repeat=repeat)
            if not self._at_hand(request):
                self._miss(prepared, asked, request, repeat)
                return
            # The answer to all of them is there, and nothing could be made of these.
        for pending, request in open_ones:
            self._miss(prepared, [pending], request, repeat)

    def _single(self, prepared: Prepared, pending: Pending, repeat: int) -> Request:
        question = Question(prepared.submission.id, pending.sau, pending.evidence, pending.prompt)
        return self._judge.request(question, repeat=repeat)

    def _at_hand(self, request: Request) -> bool:
        """Whether an answer is there, counting it where it is."""
        found, key = self._found, request.key
        if key in self._asked:
            found.hits["same question"] += 1
        elif self._cache is not None and self._cache.get(key) is not None:
            found.hits["cache"] += 1
        elif key in self._past.answered:
            found.hits["ledger"] += 1
        else:
            return False
        self._asked.add(key)
        return True

    def _miss(
        self, prepared: Prepared, pendings: list[Pending], request: Request, repeat: int
    ) -> None:
        """Count a request that would be sent."""
        found = self._found
        self._asked.add(request.key)
        tokens = request_tokens(request.body)
        cap = output_cap(request.body) if "max_output_tokens" in request.body else None
        found.misses.append(
            Miss(
                prepared.submission.id,
                " ".join(pending.sau.id for pending in pendings),
                self._past.why(prepared, pendings[0]),
                tokens,
                claims=len(pendings),
                cap=cap,
                judge=self._judge.name,
            )
        )
        found.input_tokens += tokens
        if repeat:
            # All of it was asked before.
            found.shared_tokens += tokens if tokens >= _CACHEABLE else 0
            return
        prompt = pendings[0].prompt
        # The rules are one prefix, and with what a submission's claims share another.
        for text, more in ((prompt.system, ""), (prompt.system, prompt.shared)):
            if more or text:
                self._prefix(text, more)

    def _prefix(self, rules: str, shared: str) -> None:
        length = self._tokens(rules) + (self._tokens(shared) if shared else 0)
        if length < _CACHEABLE:
            return
        mine = self._tokens(shared) if shared else length
        name = hash((rules, shared))
        if name in self._prefixes:
            self._found.shared_tokens += mine
        else:
            self._prefixes.add(name)
            self._found.prefix_tokens += mine
