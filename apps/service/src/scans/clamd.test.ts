import { Readable } from "node:stream";
import type { Socket } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { afterEach, describe, expect, test } from "vitest";
import { aClamdServer, type ClamdFrames } from "../../test/fixtures/a-clamd-protocol.js";
import { createClamd } from "./clamd.js";
import { ScanFailedError, ScannerDownError } from "./scanner.js";

const closes: (() => void)[] = [];
afterEach(() => closes.splice(0).forEach((close) => close()));

async function aServer(answer: Parameters<typeof aClamdServer>[0]) {
  const seen: ClamdFrames[] = [];
  const sockets = new Set<Socket>();
  const server = await aClamdServer((frames, socket) => {
    sockets.add(socket);
    if (!seen.includes(frames)) seen.push(frames);
    return answer(frames, socket);
  });
  closes.push(server.close);
  return { clamd: createClamd(server.url), seen, sockets };
}

const never = new AbortController().signal;
const bytesOf = (...chunks: Buffer[]) => Readable.from(chunks);

test("sends each chunk after its length, and a length of zero at the end", async () => {
  const { clamd, seen } = await aServer(({ isComplete }) => (isComplete ? "stream: OK\0" : undefined));
  const large = Buffer.alloc(600_000, 7);
  const verdict = await clamd.scan(bytesOf(Buffer.from("hello"), Buffer.alloc(0), large), never);
  expect(verdict).toEqual({ verdict: "clean", signature: null });
  expect(seen[0]!.command).toBe("zINSTREAM");
  expect(Buffer.concat(seen[0]!.chunks).equals(Buffer.concat([Buffer.from("hello"), large]))).toBe(true);
});

test.each([
  ["stream: Eicar-Test FOUND", { verdict: "infected", signature: "Eicar-Test" }],
  [
    "stream: Heuristics.Encrypted.Zip FOUND",
    { verdict: "unscannable", signature: "Heuristics.Encrypted.Zip" },
  ],
  [
    "stream: Heuristics.Limits.Exceeded.MaxFileSize FOUND",
    { verdict: "unscannable", signature: "Heuristics.Limits.Exceeded.MaxFileSize" },
  ],
])("understands %s", async (answer, verdict) => {
  const { clamd } = await aServer(({ isComplete }) => (isComplete ? `${answer}\0` : undefined));
  expect(await clamd.scan(bytesOf(Buffer.from("x")), never)).toEqual(verdict);
});

test("reads no further from a source whose stream is too long for clamd", async () => {
  let sent = 0;
  async function* endless() {
    for (;;) {
      sent++;
      await Promise.resolve();
      yield Buffer.alloc(1000);
    }
  }
  const { clamd } = await aServer(({ chunks }, socket) => {
    if (chunks.length < 3) return undefined;
    socket.pause();
    return "INSTREAM size limit exceeded. ERROR\0";
  });
  const verdict = await clamd.scan(endless(), never);
  expect(verdict.verdict).toBe("unscannable");
  const sentBefore = sent;
  await new Promise(setImmediate);
  expect(sent).toBe(sentBefore);
});

test.each(["stream: some text ERROR\0", "", "x".repeat(5000)])(
  "is no verdict if clamd answers %j and ends the connection",
  async (answer) => {
    const { clamd } = await aServer(({ isComplete }) => (isComplete ? answer : undefined));
    await expect(clamd.scan(bytesOf(Buffer.from("x")), never)).rejects.toBeInstanceOf(ScanFailedError);
  },
);

test("is no verdict if clamd calls the bytes clean before it has got all of them", async () => {
  const { clamd } = await aServer(({ chunks }) => (chunks.length === 1 ? "stream: OK\0" : undefined));
  async function* slow() {
    for (let n = 0; n < 100; n++) {
      await nextTurn();
      yield Buffer.alloc(1000);
    }
  }
  await expect(clamd.scan(slow(), never)).rejects.toBeInstanceOf(ScanFailedError);
});

test("is no verdict if the source ends with an error, and clamd gets no end of the stream", async () => {
  const { clamd, seen } = await aServer(({ isComplete }) => (isComplete ? "stream: OK\0" : undefined));
  async function* broken() {
    yield Buffer.from("half of");
    await Promise.reject(new Error("storage ended the connection"));
  }
  await expect(clamd.scan(broken(), never)).rejects.toThrow("storage ended the connection");
  expect(seen[0]?.isComplete ?? false).toBe(false);
});

test("ends when its signal aborts while clamd does not answer", async () => {
  const stopping = new AbortController();
  const { clamd } = await aServer(({ isComplete }) => {
    if (isComplete) stopping.abort(new Error("stopping"));
    return undefined;
  });
  await expect(clamd.scan(bytesOf(Buffer.from("x")), stopping.signal)).rejects.toThrow("stopping");
});

describe("a session", () => {
  test("is kept for the next scan, and there are as many as scans at the same time", async () => {
    const { clamd, sockets } = await aServer(({ chunks, isComplete }) =>
      isComplete ? `stream: ${Buffer.concat(chunks).toString()} FOUND\0` : undefined,
    );
    const scan = (name: string) => clamd.scan(bytesOf(Buffer.from(name)), never);
    const named = (name: string) => ({ verdict: "infected", signature: name });
    for (const name of ["one", "two", "three"]) expect(await scan(name)).toEqual(named(name));
    expect(sockets.size).toBe(1);
    expect(await Promise.all(["four", "five"].map(scan))).toEqual(["four", "five"].map(named));
    expect(sockets.size).toBe(2);
  });

  test.each([
    ["has ended", (socket: Socket) => socket.end()],
    ["has sent more than its answers", (socket: Socket) => socket.write("2: stream: OK\0")],
  ])("is not used again if clamd %s", async (_, then) => {
    const { clamd, sockets } = await aServer(({ isComplete }, socket) => {
      if (!isComplete) return undefined;
      setImmediate(() => then(socket));
      return "stream: Test FOUND\0";
    });
    for (let scans = 1; scans <= 2; scans++) {
      expect((await clamd.scan(bytesOf(Buffer.from("x")), never)).signature).toBe("Test");
      await sleep(50);
      expect(sockets.size).toBe(scans);
    }
  });

  test("gives no verdict by an answer to another command", async () => {
    const { clamd } = await aServer(({ isComplete }, socket) => {
      if (isComplete) socket.write("2: stream: OK\0");
      return undefined;
    });
    await expect(clamd.scan(bytesOf(Buffer.from("x")), never)).rejects.toBeInstanceOf(ScanFailedError);
  });
});

test("a PING is answered by PONG, and everything else means that the scanner is down", async () => {
  const { clamd, seen } = await aServer(() => "PONG\0");
  await clamd.ping();
  expect(seen[0]!.command).toBe("zPING");
  const { clamd: other } = await aServer(() => "UNKNOWN COMMAND\0");
  await expect(other.ping()).rejects.toBeInstanceOf(ScannerDownError);
  const nowhere = createClamd("tcp://127.0.0.1:1");
  await expect(nowhere.ping()).rejects.toBeInstanceOf(ScannerDownError);
  await expect(nowhere.scan(bytesOf(), never)).rejects.toBeInstanceOf(ScannerDownError);
});
