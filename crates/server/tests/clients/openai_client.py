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
    {"role": "user", "content": "The launch moved from May to June because the tests were late. When is the launch?"},
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
assert isinstance(whole.redraft["assumptions"], list) and isinstance(whole.redraft["known_issues"], list)

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
assert text and len(reasons) == 1 and reasons[0] in ("stop", "length")
assert usage.total_tokens >= 0 and extra["run_id"] != whole.redraft["run_id"]

# Both forms of JSON are accepted; whether the answer keeps to them is the solver's affair, and tested there.
schema = {"name": "launch", "schema": {"type": "object", "required": ["month"]}}
for form in [{"type": "json_object"}, {"type": "json_schema", "json_schema": schema}]:
    formed = client.chat.completions.create(model=MODEL, messages=QUESTION, response_format=form)
    assert formed.choices[0].message.content

# The same key and body: the same answer, byte for byte.
again = [
    client.chat.completions.with_raw_response.create(
        model=MODEL, messages=QUESTION, extra_headers={"Idempotency-Key": "openai-client-2"}
    ).text
    for _ in range(2)
]
assert again[0] == again[1]

# What cannot be done is refused with errors that the client understands.
for kind, wrong in [
    (openai.NotFoundError, {"model": "another"}),
    (openai.UnprocessableEntityError, {"model": MODEL, "n": 2}),
    (openai.UnprocessableEntityError, {"model": MODEL, "extra_headers": {"Idempotency-Key": "openai-client-1"}}),
]:
    try:
        client.chat.completions.create(messages=QUESTION, **wrong)
        raise SystemExit(f"was not refused: {wrong}")
    except kind as error:
        assert error.message and error.code and error.type == "invalid_request_error", error
if token != "none":
    try:
        openai.OpenAI(base_url=base_url, api_key="wrong", max_retries=0).models.list()
        raise SystemExit("a wrong token was let in")
    except openai.AuthenticationError:
        pass
print("the OpenAI client is content")
