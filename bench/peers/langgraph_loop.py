"""The loop of our benchmarks in LangGraph: create, review, three iterations, six instant answers, 2 KB candidates.

Usage: langgraph_loop.py sequential|at-once COUNT FOLDER

AsyncSqliteSaver as it ships, `durability="sync"`: each step's checkpoint is written before the next step starts.
The journal stands and a first loop has been played before the time begins, as on our side. The state keeps what
our loop shows its agents: the newest candidate and the newest review. Prints one line, in our program's form.
"""

import asyncio
import os
import sys
import time
from typing import TypedDict

from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph

ROUNDS = 3
SENTENCE = " A sentence of the candidate, as long as such sentences are."


class Loop(TypedDict, total=False):
    """What a step sees of the loop so far."""

    run: str
    round: int
    candidate: str
    done: bool
    verdict: str
    issues: list[dict[str, str]]


async def create(state: Loop) -> Loop:
    """The fake creator: a candidate of 2,000 bytes that stands nowhere else."""
    number = state.get("round", 0) + 1
    text = f"<{state['run']} round {number}>"
    text = (text + SENTENCE * 40)[:2000]
    return {"round": number, "candidate": text, "done": number >= ROUNDS}


async def review(state: Loop) -> Loop:
    """The fake reviewer: content in the last round only."""
    if state["round"] >= ROUNDS:
        return {"verdict": "ok", "issues": []}
    message = f"round {state['round']} of {state['run']}: say more about the guest"
    return {"verdict": "changes_requested", "issues": [{"severity": "error", "message": message}]}


def after_review(state: Loop) -> str:
    """Both agree, or the last round was played."""
    agreed = state["verdict"] == "ok" and state["done"]
    return END if agreed or state["round"] >= ROUNDS else "create"


def graph(saver: AsyncSqliteSaver):
    """The loop as a graph that saves itself."""
    builder = StateGraph(Loop)
    builder.add_node("create", create)
    builder.add_node("review", review)
    builder.add_edge(START, "create")
    builder.add_edge("create", "review")
    builder.add_conditional_edges("review", after_review, ["create", END])
    return builder.compile(checkpointer=saver)


async def play(loop, name: str) -> None:
    """One loop, which must converge."""
    config = {"configurable": {"thread_id": name}}
    ended = await loop.ainvoke({"run": name}, config, durability="sync")
    assert ended["verdict"] == "ok" and ended["round"] == ROUNDS, ended


async def pragmas(saver: AsyncSqliteSaver) -> str:
    """How durable the peer's database is, by its own word."""
    found = []
    for name in ("journal_mode", "synchronous", "wal_autocheckpoint"):
        async with saver.conn.execute(f"PRAGMA {name}") as rows:
            found.append(f"{name}={(await rows.fetchone())[0]}")
    return ",".join(found)


async def main(order: str, count: int, folder: str) -> None:
    """Plays the loops and says how many a second."""
    async with AsyncSqliteSaver.from_conn_string(os.path.join(folder, "peer.db")) as saver:
        await saver.setup()
        loop = graph(saver)
        await play(loop, "first")
        width = 1 if order == "sequential" else 100
        begun = time.perf_counter()
        for at in range(0, count, width):
            names = [f"01990000-0000-7000-8000-{n:012x}" for n in range(at, min(count, at + width))]
            await asyncio.gather(*(play(loop, name) for name in names))
        took = time.perf_counter() - begun
        async with saver.conn.execute("SELECT count(*) FROM checkpoints WHERE thread_id != 'first'") as rows:
            checkpoints = (await rows.fetchone())[0]
        print(
            f"loops_per_second={count / took:.1f} loops={count} calls={2 * ROUNDS * count} "
            f"checkpoints={checkpoints} {await pragmas(saver)} seconds={took:.3f}"
        )


if __name__ == "__main__":
    os.environ.setdefault("LANGSMITH_TRACING", "false")
    asyncio.run(main(sys.argv[1], int(sys.argv[2]), sys.argv[3]))
