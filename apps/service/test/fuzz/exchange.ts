import { connect } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { FuzzCase } from "./fuzz-case.js";

export interface FuzzAnswer {
  status: number;
  /** Lower-case names. Of repeated headers the last one. */
  headers: Record<string, string>;
  body: string;
}

/** Everything that a connection received. */
export interface Exchange {
  answers: FuzzAnswer[];
  /** The server answered, or closed the connection, in time. */
  ended: boolean;
}

/** The longest that a case may take. An answer takes milliseconds, a password some 100. */
const TIME_LIMIT_MS = 8000;
/** After this silence the client ends its side of a request that may be incomplete. */
const SILENCE_MS = 25;

let connections = 0;

/**
 * Sends the bytes of a case on a new connection and collects the answers, until the server closes it or the answer of a complete
 * request has arrived. Each connection has another loopback address, because the service has limits per address.
 */
export async function exchange(port: number, fuzzCase: FuzzCase): Promise<Exchange> {
  connections = (connections + 1) % (250 * 250 * 250);
  const localAddress = `127.${1 + (connections % 250)}.${Math.floor(connections / 250) % 250}.${1 + (Math.floor(connections / 62_500) % 250)}`;
  const socket = connect({ host: "127.0.0.1", port, localAddress });
  const chunks: Buffer[] = [];
  const read = () => parseAnswers(Buffer.concat(chunks).toString("latin1"), fuzzCase.method === "HEAD");
  const closed = new Promise<boolean>((resolve) => {
    const deadline = setTimeout(() => resolve(false), TIME_LIMIT_MS);
    let silence: NodeJS.Timeout | undefined;
    const end = (isEnded: boolean) => {
      clearTimeout(deadline);
      clearTimeout(silence);
      resolve(isEnded);
    };
    const waitForSilence = () => {
      clearTimeout(silence);
      if (!fuzzCase.isComplete) silence = setTimeout(() => socket.end(), SILENCE_MS);
    };
    socket.on("close", () => end(true)).on("error", () => undefined);
    socket.on("connect", waitForSilence);
    socket.on("data", (chunk: Buffer) => {
      chunks.push(chunk);
      waitForSilence();
      const isStream = /\r\ncontent-type: text\/event-stream/i.test(chunk.toString("latin1"));
      if (isStream || (fuzzCase.isComplete && read().isComplete)) end(true);
    });
  });
  for (const piece of fuzzCase.pieces) {
    socket.write(piece);
    if (fuzzCase.pieces.length > 1) await nextTurn();
  }
  const ended = await closed;
  socket.destroy();
  return { answers: read().answers, ended };
}

/** Parses the answers that a connection received. `isComplete` tells whether the last one has arrived as a whole. */
function parseAnswers(received: string, isHead: boolean): { answers: FuzzAnswer[]; isComplete: boolean } {
  const answers: FuzzAnswer[] = [];
  let rest = received;
  let isComplete = false;
  while (rest.startsWith("HTTP/1.1 ") && rest.includes("\r\n\r\n")) {
    const [head = ""] = rest.split("\r\n\r\n", 1);
    const status = Number(head.slice(9, 12));
    const headers = parseHeaders(head);
    const hasNoBody = isHead || status < 200 || status === 204 || status === 304;
    const { body, length, isWhole } = hasNoBody
      ? { body: "", length: 0, isWhole: true }
      : readBody(rest.slice(head.length + 4), headers);
    rest = rest.slice(head.length + 4 + length);
    if (status < 200) continue;
    answers.push({ status, headers, body: Buffer.from(body, "latin1").toString("utf8") });
    isComplete = isWhole;
  }
  return { answers, isComplete };
}

function parseHeaders(head: string): Record<string, string> {
  const lines = head.split("\r\n").slice(1);
  return Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
}

function readBody(
  text: string,
  headers: Record<string, string>,
): { body: string; length: number; isWhole: boolean } {
  if (headers["transfer-encoding"] === "chunked") return readChunks(text);
  const length = Number(headers["content-length"] ?? Infinity);
  return {
    body: text.slice(0, length),
    length: Math.min(length, text.length),
    isWhole: text.length >= length,
  };
}

function readChunks(text: string): { body: string; length: number; isWhole: boolean } {
  let body = "";
  let at = 0;
  for (;;) {
    const [size = ""] = /^[0-9a-f]+(?=\r\n)/i.exec(text.slice(at, at + 20)) ?? [];
    const length = Number.parseInt(size, 16);
    const end = at + size.length + 2 + length + 2;
    if (size === "" || text.length < end) return { body, length: text.length, isWhole: false };
    body += text.slice(end - 2 - length, end - 2);
    at = end;
    if (length === 0) return { body, length: at, isWhole: true };
  }
}
