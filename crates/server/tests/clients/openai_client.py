"""Talks to a running server with the official OpenAI client, and fails where anything is not as its protocol has it.

    python openai_client.py http://127.0.0.1:4180/v1 [TOKEN]

The server's agents have to answer by themselves: scripted, or offline. Needs `pip install openai`.
"""

import sys

import openai

base_url, token = sys.argv[1], (sys.argv[2:] or ["none"])[0]
client = openai.OpenAI(base_url=base_url, api_key=token, max_retries=0)
MODEL = "redraft/solve"
QUESTION = [
    {"role": "system", "content": "Answer in English."},
    {"role": "user", "content": "The launch moved from May to June because the tests were late."},
    {"role": "assistant", "content": "I see."},
    {"role": "user", "content": "When is the launch?"},
]

# Models.
assert [model.id for model in client.models.list()] == [MODEL]
assert client.models.retrieve(MODEL).object == "model"

# A whole answer.
whole = client.chat.completions.create(
    model=MODEL, messages=QUESTION, temperature=0.2, extra_headers={"Idempotency-Key": "openai-client-1"}
)
choice = whole.choices[0]
assert whole.object == "chat.completion" and whole.model == MODEL
assert choice.message.role == "assistant" and choice.message.content
assert choice.finish_reason in ("stop", "length")
assert whole.usage.total_tokens == whole.usage.prompt_tokens + whole.usage.completion_tokens
assert whole.redraft["run_id"] and whole.redraft["ignored"] == ["temperature"]
assert "June" in choice.message.content, choice.message.content
for field in ("assumptions", "known_issues"):
    for line in whole.redraft[field]:
        assert line in choice.message.content, f"the footer lacks {line}"
assert whole.redraft["assumptions"] + whole.redraft["known_issues"], "the offline agent never is sure"

# The same chat in pieces: another body, so another key, and another run.
text, reasons, usage, extra = "", [], None, None
for chunk in client.chat.completions.create(
    model=MODEL, messages=QUESTION, stream=True, stream_options={"include_usage": True}
):
    assert chunk.object == "chat.completion.chunk"
    for change in chunk.choices:
        text += change.delta.content or ""
        reasons += [change.finish_reason] if change.finish_reason else []
    usage = chunk.usage or usage
    extra = getattr(chunk, "redraft", None) or extra
assert text == choice.message.content, "the same chat has the same answer, streamed or whole"
assert reasons == [choice.finish_reason]
assert usage.total_tokens >= 0 and extra["run_id"] != whole.redraft["run_id"]

# Both forms of JSON are accepted and leave the footer to the extra field; whether the answer keeps to them is the solver's affair, and tested there.
schema = {"name": "launch", "schema": {"type": "object", "required": ["month"]}}
for form in [{"type": "json_object"}, {"type": "json_schema", "json_schema": schema}]:
    formed = client.chat.completions.create(model=MODEL, messages=QUESTION, response_format=form)
    for line in formed.redraft["known_issues"]:
        assert line not in formed.choices[0].message.content, "a footer inside JSON"

# The same key and body: the same answer, byte for byte.
again = [
    client.chat.completions.with_raw_response.create(
        model=MODEL, messages=QUESTION, extra_headers={"Idempotency-Key": "openai-client-2"}
    ).text
    for _ in range(2)
]
assert again[0] == again[1]

# What cannot be done is refused with errors that the client understands.
image = [{"role": "user", "content": [{"type": "image_url", "image_url": {"url": "data:,"}}]}]
tool = {"type": "function", "function": {"name": "look", "parameters": {}}}


def key(name):
    return {"extra_headers": {"Idempotency-Key": name}}


for kind, code, wrong in [
    (openai.NotFoundError, "no-such-model", {"model": "another"}),
    (openai.UnprocessableEntityError, "invalid-request", {"n": 2}),
    (openai.UnprocessableEntityError, "invalid-request", {"tools": [tool]}),
    (openai.UnprocessableEntityError, "invalid-request", {"messages": image}),
    (openai.UnprocessableEntityError, "invalid-request", {"messages": []}),
    (openai.UnprocessableEntityError, "key-reused", key("openai-client-1")),
    (openai.BadRequestError, "bad-request", key("two words")),
]:
    for stream in (False, True):
        try:
            client.chat.completions.create(**({"model": MODEL, "messages": QUESTION, "stream": stream} | wrong))
            raise SystemExit(f"was not refused: {wrong}")
        except kind as error:
            assert error.message and error.code == code and error.type == "invalid_request_error", error
            assert error.request_id, "every answer has the request's id"
if token != "none":
    try:
        openai.OpenAI(base_url=base_url, api_key="wrong", max_retries=0).models.list()
        raise SystemExit("a wrong token was let in")
    except openai.AuthenticationError as error:
        assert error.code == "unauthorized" and error.type == "invalid_request_error", error
print("the OpenAI client is content")
