"""The `run.yaml` that `judge init` writes: every key, its default, and what it is for."""

from __future__ import annotations

__all__ = ["default_config_text"]

_TEXT = """\
# What a run is made from. Check it with:  judge validate --config run.yaml
# Relative paths are relative to this file. Keys that are commented out show their defaults.

benchmark:
  # Folder with <paper>/sau.json, or one paper's folder or file.
  # The word `suite` is the built-in suite, which needs nothing else.
  path: suite
  # format: auto                # auto | sa-bench
  # dimensions: [D1, D2, D3, D4]
  # papers: [adam, ddpm]        # default: all
  # name: my benchmark

submissions:
  # Folder with <agent>/<paper>/repo, <paper>/workspace/repo or <paper>/<paper>_repo; or a manifest
  # with one row a submission: submission, agent, paper, path. The suite brings its own.
  # path: runs-to-grade
  # manifest: submissions.jsonl
  # format: auto                # auto | sa-bench | manifest
  # agents: [my-agent]          # default: all
  # papers: [adam]              # default: those of the benchmark
  # exclude: ["/third_party/"]  # never read, in .gitignore style
  # agent_name: my-agent        # where the folder is one agent's
  # allow_outside: false        # true: take repositories outside the folder
  # skip_unknown_papers: false  # true: leave out papers without claims

retrieval:
  # Tokens of code that a judge is shown for one claim, and of the repository's map among them.
  # budget_tokens: 4000
  # map_tokens: 800
  # context: auto               # whole (the repository, shared by its claims) | retrieve | auto:
  #                             # whole, unless that costs half as much again
  # whole_max_tokens: 60000     # what is larger is never shown whole
  # strip_comments: false       # true: no comments, docstrings and docs where all is shown either
  # lookup_tokens: 1500         # shown once more when a judge says what it lacks; 0: never
  # max_file_bytes: 1048576
  # max_files: 20000
  # max_total_bytes: 67108864

judge:
  # embedded:  rules and a small model in this program; no key, no network.
  # openai:    an LLM behind OpenAI's API or any compatible server (base_url).
  # anthropic: an LLM behind Anthropic's API.
  # exchange:  writes requests to files and reads answers from files: whoever answers.
  # scripted:  answers from a file, for tests.
  # panel:     several of these judges; the verdict is the median level of its members.
  # cascade:   the embedded judge answers what it may, another judge the rest; docs/cascade.md
  kind: embedded
  # foresee: gpt-5.5            # embedded: the level that SA-Bench's published scorer would most
  #                             # likely give by gpt-5.5 or deepseek-v4-pro, not the rubric's
  # model: name-of-the-model    # openai, anthropic: no default, the choice is yours
  # base_url: http://127.0.0.1:8000/v1
  # api_key_env: OPENAI_API_KEY # the NAME of the variable that holds the key, or none
  # parameters: {}              # sent as they stand, e.g. {temperature: 0}; nothing else is
  # api: auto                   # openai: chat | responses; auto is chat, which all servers have
  # max_output_tokens: 8192     # room for one answer
  # reasoning_tokens: 0         # room for a model's thoughts, on top; the sum is the cap
  # logprobs: off               # openai, exchange: auto asks for them, for an expected level
  # repeats: 1                  # times each question is asked; the verdict is the median
  # concurrency: 8              # requests at a time at most; fewer while the provider objects
  # requests_per_minute: 500    # not set: no bound of ours
  # tokens_per_minute: 200000   # input and output together; not set: no bound of ours
  # timeout_seconds: 300        # for one attempt
  # deadline_seconds: 900       # for one claim, all attempts together
  # structure: auto             # auto | json_schema | tool | json_object | text
  # script: script.yaml         # scripted
  # exchange: exchange          # exchange: the folder of requests.jsonl and answers*.jsonl
  # prices: prices.yaml         # your own price table
  # members: [{kind: openai, model: one}, {kind: anthropic, model: other}]  # panel: its judges
  # quorum: 2                   # panel: how many must give a level; default: more than half
  # first: {kind: embedded}     # cascade: who answers first
  # then: {kind: openai, model: name-of-the-model}
  # rule: rule.json             # of judge calibrate --cascade
  # risk: 0.05                  # the loss that is accepted, over all claims
  # bound: conformal            # conformal | upper
  # audit: 0.05                 # share of what the first could answer that goes to the other
  # seed: 0                     # of the audit's draw

cache:
  # Every answer is kept here and never paid for twice.
  # path: .judge-cache

output:
  # path: runs/run              # default: runs/<name of this file>
  # workers: auto               # processes

prompt:
  # version: v1
  # paper_tokens: 600           # of what a claim's source names in paper.md, where it is at hand
  # claims_per_request: 1       # up to 8 of a submission and kind; more is cheaper and less right

calibration:
  # path: calibration.json      # of judge calibrate, for this judge: writes calibrated.jsonl too

# max_errors_share: 0.1         # a run stops when more of its verdicts are errors
# max_cost: 5.00                # dollars that one run may spend; not set: no cap
"""


def default_config_text() -> str:
    """A commented config that grades the built-in suite as it stands."""
    return _TEXT
