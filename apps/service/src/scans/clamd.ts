import { once } from "node:events";
import { connect, type NetConnectOpts, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { limits } from "@stowage/schemas";
import { ScanFailedError, type Scanner, ScannerDownError, type ScannerVerdict } from "./scanner.js";

/** Also the time for which storage may send nothing. It is the default of clamd itself. */
const ANSWER_TIMEOUT_MS = 120_000;
const CONNECT_TIMEOUT_MS = 5_000;
/** Larger chunks of the source are split. */
const MAX_CHUNK_BYTES = 256 * 1024;
/** An answer is a short line. */
const MAX_ANSWER_BYTES = 4096;

/**
 * Speaks to clamd with its commands PING and INSTREAM (clamd(8)): each chunk has its length before it as 32 bits in network order, and
 * a length of zero ends the stream.
 *
 * @param url `tcp://host:port` or `unix:/path/to/socket`
 */
export function createClamd(url: string): Scanner {
  const address = addressOf(url);
  return {
    async ping() {
      const socket = await open(address);
      try {
        const answer = readAnswer(socket);
        socket.write("zPING\0");
        const text = await answer;
        if (text !== "PONG") throw new ScannerDownError("clamd did not answer PONG to a PING");
      } catch (error) {
        throw error instanceof ScannerDownError ? error : down(error);
      } finally {
        socket.destroy();
      }
    },
    async scan(bytes, signal) {
      signal.throwIfAborted();
      const socket = await open(address);
      const abort = () => socket.destroy(new Error("the scan was ended"));
      signal.addEventListener("abort", abort);
      try {
        const answer = readAnswer(socket);
        // The answer may fail while the bytes are still sent. It is awaited below.
        answer.catch(() => undefined);
        const isComplete = await send(socket, bytes, answer);
        const verdict = toVerdict(await answer);
        if (verdict.verdict === "clean" && !isComplete)
          throw new ScanFailedError("clamd called the file clean before it had all bytes");
        return verdict;
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        signal.removeEventListener("abort", abort);
        socket.destroy();
      }
    },
  };
}

function addressOf(url: string): NetConnectOpts {
  if (url.startsWith("unix:")) return { path: url.slice("unix:".length).replace(/^\/\/(?=\/)/, "") };
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) };
}

async function open(address: NetConnectOpts): Promise<Socket> {
  const socket = connect(address);
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) });
  } catch (error) {
    socket.destroy();
    throw down(error);
  }
  socket.setTimeout(ANSWER_TIMEOUT_MS, () => socket.destroy(new Error("clamd did not answer in time")));
  return socket;
}

function down(cause: unknown): ScannerDownError {
  return new ScannerDownError("clamd does not answer", { cause });
}

/** Reads the one line that clamd sends. */
function readAnswer(socket: Socket): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    socket.on("data", (chunk: Buffer) => {
      text += chunk.toString("utf8");
      const end = text.indexOf("\0");
      if (end >= 0) resolve(text.slice(0, end));
      else if (text.length > MAX_ANSWER_BYTES)
        reject(new ScanFailedError("clamd sent a line that is too long"));
    });
    socket.on("error", (cause) =>
      reject(new ScanFailedError("clamd ended the connection without a verdict", { cause })),
    );
    socket.on("close", () => reject(new ScanFailedError("clamd ended the connection without a verdict")));
  });
}

/**
 * Sends until the source ends or clamd has answered, which it does early if the stream is too long.
 *
 * @returns whether everything was sent
 */
async function send(
  socket: Socket,
  bytes: AsyncIterable<Uint8Array>,
  answer: Promise<string>,
): Promise<boolean> {
  const state = { isAnswered: false };
  const end = () => void (state.isAnswered = true);
  const answered = answer.then(end, end);
  const write = async (data: Uint8Array | string) => {
    if (!socket.write(data)) await Promise.race([once(socket, "drain").catch(() => undefined), answered]);
  };
  await write("zINSTREAM\0");
  for await (const chunk of bytes) {
    for (let start = 0; start < chunk.length && !state.isAnswered; start += MAX_CHUNK_BYTES) {
      const part = chunk.subarray(start, start + MAX_CHUNK_BYTES);
      await write(lengthOf(part.length));
      await write(part);
      // Reads what clamd has sent. If it closed the connection, a write before the read would lose its answer.
      await nextTurn();
    }
    if (state.isAnswered) return false;
  }
  await write(lengthOf(0));
  return true;
}

function lengthOf(length: number): Buffer {
  const prefix = Buffer.alloc(4);
  prefix.writeUInt32BE(length);
  return prefix;
}

/** clamd's names for what it could not look into, if `AlertEncrypted` and `AlertExceedsMax` are on. */
const UNSCANNABLE = /^Heuristics\.(Encrypted|Limits\.Exceeded)\b/;

function toVerdict(answer: string): ScannerVerdict {
  if (/^stream: OK$/.test(answer)) return { verdict: "clean", signature: null };
  const found = /^stream: (.+) FOUND$/.exec(answer)?.[1];
  if (found !== undefined) {
    const signature = found.replace(/\p{Cc}/gu, "").slice(0, limits.scanSignatureLength);
    return { verdict: UNSCANNABLE.test(signature) ? "unscannable" : "infected", signature };
  }
  if (answer.startsWith("INSTREAM size limit exceeded"))
    return { verdict: "unscannable", signature: "larger than clamd's StreamMaxLength" };
  throw new ScanFailedError("clamd reported an error");
}
