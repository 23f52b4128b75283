import { expect, test } from "vitest";
import { aRuntime } from "../../test/runtime.js";
import { aMoment } from "../../test/store.js";
import { UploadError } from "../upload-error.js";
import { batchCalls, type BatchSupport } from "./batch-calls.js";

interface Call {
  names: string[];
  isSingle: boolean;
  signal: AbortSignal;
  answer(): void;
  fail(error: Error): void;
  /** Answers as a backend without batches. */
  miss(): void;
}

/** A function for one name, and the calls that it has made. Its answer is the name in upper case, and an error for "bad". */
function aBatch(support: BatchSupport = { takesBatches: true }) {
  const runtime = aRuntime();
  const calls: Call[] = [];
  const outcomeOf = (name: string) =>
    name === "bad" ? new UploadError("file_too_large", { status: 400 }) : name.toUpperCase();
  const ask = batchCalls<{ name: string }, string>({
    runtime,
    support,
    callOne: ({ name }, callSignal) =>
      new Promise((resolve, reject) => {
        const outcome = outcomeOf(name);
        const answer = () => (typeof outcome === "string" ? resolve(outcome) : reject(outcome));
        calls.push({ names: [name], isSingle: true, signal: callSignal, answer, fail: reject, miss() {} });
      }),
    callMany: (inputs, callSignal) =>
      new Promise((resolve, reject) => {
        const names = inputs.map(({ name }) => name);
        const answer = () => resolve(names.map(outcomeOf));
        calls.push({
          names,
          isSingle: false,
          signal: callSignal,
          answer,
          fail: reject,
          miss: () => resolve(null),
        });
      }),
  });
  return {
    runtime,
    support,
    calls,
    names: () => calls.map(({ names }) => names.join(" ")),
    ask: (name: string, signal = new AbortController().signal) => ask({ name }, signal),
  };
}

test("sends a single input immediately and by itself", async () => {
  const { ask, calls, runtime } = aBatch();
  const asked = ask("a");
  expect(calls).toMatchObject([{ names: ["a"], isSingle: true }]);
  calls[0]!.answer();
  expect([await asked, runtime.pendingMs()]).toEqual(["A", []]);
});

test("sends what comes during a call together, as soon as the call ends", async () => {
  const { ask, calls, names, runtime } = aBatch();
  const asked = Promise.all(["a", "b", "c", "d"].map((name) => ask(name)));
  expect(names()).toEqual(["a"]);
  calls[0]!.answer();
  await aMoment();
  expect(names()).toEqual(["a", "b c d"]);
  calls[1]!.answer();
  expect([await asked, runtime.pendingMs()]).toEqual([["A", "B", "C", "D"], []]);
});

test("lets no input wait for a slow call longer than 100 ms, and has at most 6 calls at once", async () => {
  const { ask, calls, names, runtime } = aBatch();
  void ask("0");
  for (let round = 1; round <= 7; round++) {
    void ask(`${round}`);
    void ask(`${round}'`);
    runtime.advance(99);
    expect(calls).toHaveLength(Math.min(round, 6));
    runtime.advance(1);
  }
  expect(names()).toEqual(["0", "1 1'", "2 2'", "3 3'", "4 4'", "5 5'"]);
  calls[3]!.answer();
  await aMoment();
  expect(names().at(-1)).toBe("6 6' 7 7'");
});

test("puts at most 100 inputs, and at most 300,000 characters, into one call", async () => {
  const { ask, calls } = aBatch();
  void ask("first");
  for (let count = 0; count < 150; count++) void ask(`${count}`);
  const long = "x".repeat(200_000);
  for (let count = 0; count < 2; count++) void ask(long);
  for (let index = 0; index < 4; index++) {
    calls[index]!.answer();
    await aMoment();
  }
  expect(calls.map(({ names }) => names.length)).toEqual([1, 100, 51, 1]);
});

test("gives each input its own error, and all of them the error of the whole call", async () => {
  const { ask, calls } = aBatch();
  void ask("first");
  const asked = ["a", "bad", "c"].map((name) => ask(name));
  calls[0]!.answer();
  await aMoment();
  calls[1]!.answer();
  expect(await Promise.allSettled(asked)).toMatchObject([
    { value: "A" },
    { reason: { code: "file_too_large", status: 400 } },
    { value: "C" },
  ]);
  void ask("first");
  const failing = ["a", "b"].map((name) => ask(name));
  calls[2]!.answer();
  await aMoment();
  const error = new UploadError("too_many_requests", { status: 429, retryAfterMs: 7000 });
  calls[3]!.fail(error);
  expect(await Promise.allSettled(failing)).toMatchObject([{ reason: error }, { reason: error }]);
});

test("an aborted input throws its reason, and the other inputs of its call continue", async () => {
  const { ask, calls, names } = aBatch();
  const [waiting, sent, other] = [new AbortController(), new AbortController(), new AbortController()];
  void ask("first");
  const asked = [ask("a", waiting.signal), ask("b", sent.signal), ask("c", other.signal)];
  const outcomes = Promise.allSettled(asked);
  waiting.abort("not sent");
  calls[0]!.answer();
  await aMoment();
  expect(names()).toEqual(["first", "b c"]);
  sent.abort("sent");
  expect(calls[1]!.signal.aborted).toBe(false);
  calls[1]!.answer();
  expect(await outcomes).toMatchObject([{ reason: "not sent" }, { reason: "sent" }, { value: "C" }]);
  await expect(ask("late", AbortSignal.abort("over"))).rejects.toBe("over");
  expect(names()).toHaveLength(2);
});

test("aborts a call when all of its inputs are aborted", async () => {
  const { ask, calls } = aBatch();
  const [one, another] = [new AbortController(), new AbortController()];
  void ask("first");
  const asked = Promise.allSettled([ask("a", one.signal), ask("b", another.signal)]);
  calls[0]!.answer();
  await aMoment();
  one.abort();
  expect(calls[1]!.signal.aborted).toBe(false);
  another.abort();
  expect(calls[1]!.signal.aborted).toBe(true);
  await asked;
});

test("calls once for each input of a backend without batches, and remembers it", async () => {
  const { ask, calls, names, support } = aBatch();
  void ask("first");
  const asked = Promise.all([ask("a"), ask("b")]);
  calls[0]!.answer();
  await aMoment();
  calls[1]!.miss();
  await aMoment();
  expect(names()).toEqual(["first", "a b", "a", "b"]);
  expect(support.takesBatches).toBe(false);
  for (const name of ["c", "d"]) void ask(name);
  expect(names().slice(4)).toEqual(["c", "d"]);
  calls[2]!.answer();
  calls[3]!.answer();
  expect(await asked).toEqual(["A", "B"]);
});
