"""The solve of our benchmarks in LangGraph: plan, generate, critique, assemble; nodes that answer at once.

Usage: langgraph_solve.py serve FOLDER                              a server; prints its port, ends by SIGTERM
       langgraph_solve.py play FOLDER CLIENTS SECONDS < QUESTION    without HTTP; prints one line

AsyncSqliteSaver with WAL and `synchronous=FULL`, which is what it comes with and what our journal has, and
`durability="sync"`: each step's checkpoint is written before the next step starts, as our facts are. The state keeps
what our run keeps: the request, the plan, the draft with its assumptions, the critique, the response. Texts are as
long as ours. What our side also does is left out here: it checks the request, hashes its journal, applies its rules
to the draft and keeps a record of every call.
"""

import asyncio
import json
import os
import socket
import sys
import time
import uuid
from contextlib import asynccontextmanager
from typing import TypedDict

from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph

WARM_UP = 0.5
NOTE = "the answer is made of sentences of the context, chosen by the words they share with the question"
VIEWS = ["requirements", "architecture", "risk", "compliance", "security_ops", "evaluation"]


class Solve(TypedDict, total=False):
    """What a step sees of the solve so far."""

    prompt: str
    constraints: list[str]
    context: str
    steps: list[str]
    answer_draft: str
    assumptions: list[str]
    uncertainty_flags: list[str]
    issues: list[dict[str, str]]
    constraint_violations: list[str]
    missing_roles: list[str]
    final_answer: str
    known_issues: list[str]


async def plan(_: Solve) -> Solve:
    """Two steps."""
    return {
        "steps": [
            "Find the sentences of the context that share the most with the question.",
            "Give them in their order, word for word.",
        ]
    }


async def generate(state: Solve) -> Solve:
    """As much of the context as our offline agent takes."""
    return {
        "answer_draft": state["context"][:ANSWER_BYTES],
        "assumptions": ["the context says what the question asks for"],
        "uncertainty_flags": [NOTE],
    }


async def critique(_: Solve) -> Solve:
    """Nothing is wrong; some views were not taken."""
    return {"issues": [], "constraint_violations": [], "missing_roles": VIEWS[1:]}


async def assemble(state: Solve) -> Solve:
    """The answer with its footer."""
    known = [f"minor: nobody looked at it from the view {view}" for view in state["missing_roles"]]
    known += state["uncertainty_flags"]
    lines = [state["answer_draft"], "", "Assumptions / Known issues"]
    lines += [f"- {line}" for line in state["assumptions"] + known]
    return {"final_answer": "\n".join(lines), "known_issues": known}


def graph(saver: AsyncSqliteSaver):
    """The solve as a graph that saves itself."""
    steps = {"plan": plan, "generate": generate, "critique": critique, "assemble": assemble}
    builder = StateGraph(Solve)
    for name, step in steps.items():
        builder.add_node(name, step)
    names = [START, *steps, END]
    for before, after in zip(names, names[1:]):
        builder.add_edge(before, after)
    return builder.compile(checkpointer=saver)


async def solve(app, question: dict) -> dict:
    """One run from its request to its response, under an id of its own."""
    run = str(uuid.uuid4())
    ended = await app.ainvoke(question, {"configurable": {"thread_id": run}}, durability="sync")
    told = ("final_answer", "assumptions", "known_issues")
    return {**{name: ended[name] for name in told}, "run_id": run}


@asynccontextmanager
async def opened(folder: str):
    """The graph over a new database, and that database."""
    async with AsyncSqliteSaver.from_conn_string(os.path.join(folder, "peer.db")) as saver:
        await saver.setup()
        await saver.conn.execute("PRAGMA synchronous=FULL")
        yield graph(saver), saver


async def settings(saver: AsyncSqliteSaver) -> str:
    """How durable the peer's database is, by its own word."""
    found = []
    for name in ("journal_mode", "synchronous", "wal_autocheckpoint"):
        async with saver.conn.execute(f"PRAGMA {name}") as rows:
            found.append(f"{name}={(await rows.fetchone())[0]}")
    return ",".join(found)


async def client(app, question: dict, begin: float, end: float) -> list[float]:
    """Asks again as soon as it is answered; the times of what was asked and answered between begin and end, in ms."""
    times = []
    while (asked := time.perf_counter()) < end:
        await solve(app, question)
        answered = time.perf_counter()
        if asked >= begin and answered <= end:
            times.append((answered - asked) * 1000)
    return times


async def play(folder: str, clients: int, seconds: float) -> None:
    """Clients in this process."""
    question = json.load(sys.stdin)
    async with opened(folder) as (app, saver):
        begin = time.perf_counter() + WARM_UP
        each = [client(app, question, begin, begin + seconds) for _ in range(clients)]
        times = sorted(time for times in await asyncio.gather(*each) for time in times)
        async with saver.conn.execute("SELECT count(*), count(DISTINCT thread_id) FROM checkpoints") as rows:
            checkpoints, runs = await rows.fetchone()
        if not times:
            sys.exit(f"no solve was answered within {seconds} s")
        at = lambda part: times[min(int(len(times) * part), len(times) - 1)]
        print(
            f"solves_per_second={len(times) / seconds:.1f} p50_ms={at(0.5):.3f} p99_ms={at(0.99):.3f} "
            f"checkpoints_each={checkpoints / runs:.1f} {await settings(saver)}"
        )


def serve(folder: str) -> None:
    """The same behind `POST /v1/solve`, in one process, as uvicorn runs it."""
    import uvicorn
    from starlette.applications import Starlette
    from starlette.responses import JSONResponse
    from starlette.routing import Route

    held = {}

    async def answer(request) -> JSONResponse:
        return JSONResponse(await solve(held["app"], await request.json()))

    @asynccontextmanager
    async def lifespan(_):
        async with opened(folder) as (app, _):
            held["app"] = app
            yield

    routes = [Route("/v1/solve", answer, methods=["POST"])]
    app = Starlette(routes=routes, lifespan=lifespan)
    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    print(listener.getsockname()[1], flush=True)
    config = uvicorn.Config(app, loop="uvloop", http="httptools", log_level="warning", access_log=False)
    uvicorn.Server(config).run(sockets=[listener])


# What our offline agent's answer to the benchmark's question takes of the context.
ANSWER_BYTES = 380


if __name__ == "__main__":
    os.environ.setdefault("LANGSMITH_TRACING", "false")
    if sys.argv[1] == "serve":
        serve(sys.argv[2])
    else:
        import uvloop

        uvloop.run(play(sys.argv[2], int(sys.argv[3]), float(sys.argv[4])))
