import { once } from "node:events";
import { connect, type NetConnectOpts, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { limits } from "@stowage/schemas";
import { ScanFailedError, type Scanner, ScannerDownError, type ScannerVerdict } from "./scanner.js";

/** Also the time for which storage may send nothing. It is the default of clamd itself. */
const ANSWER_TIMEOUT_MS = 120_000;
const CONNECT_TIMEOUT_MS = 3_000;
/** clamd answers a PING at once, also while it scans. */
const PING_TIMEOUT_MS = 3_000;
/** clamd ends a session that is idle for half a minute. */
const IDLE_SESSION_MS = 5_000;
/** Larger chunks of the source are split. */
const MAX_CHUNK_BYTES = 256 * 1024;
/** An answer is a short line. */
const MAX_ANSWER_BYTES = 4096;

/**
 * Speaks to clamd with its commands PING, IDSESSION and INSTREAM (clamd(8)): each chunk has its length before it as 32 bits in network
 * order, and a length of zero ends the stream. A session scans one file at a time and is kept for the next one, so there are as many as
 * scans at the same time.
 *
 * @param url `tcp://host:port` or `unix:/path/to/socket`
 */
export function createClamd(url: string): Scanner {
  const address = addressOf(url);
  const idle: Session[] = [];
  const startSession = async () => {
    const session = createSession(await open(address, ANSWER_TIMEOUT_MS));
    session.socket.on("close", () => {
      if (idle.includes(session)) idle.splice(idle.indexOf(session), 1);
    });
    return session;
  };
  return {
    async ping() {
      let socket: Socket | undefined;
      try {
        socket = await open(address, PING_TIMEOUT_MS);
        const { nextAnswer } = readAnswers(socket);
        const answer = nextAnswer();
        socket.write("zPING\0");
        if ((await answer) !== "PONG") throw new ScannerDownError("clamd did not answer PONG to a PING");
      } catch (error) {
        throw error instanceof ScannerDownError ? error : down(error);
      } finally {
        socket?.destroy();
      }
    },
    async scan(bytes, signal) {
      signal.throwIfAborted();
      const session = idle.pop() ?? (await startSession());
      session.use();
      const abort = () => session.socket.destroy(new Error("the scan was ended"));
      signal.addEventListener("abort", abort);
      let isKept = false;
      try {
        const answer = session.nextAnswer();
        // The answer may fail while the bytes are still sent. It is awaited below.
        answer.catch(() => undefined);
        const isComplete = await send(session.socket, bytes, answer);
        const verdict = toVerdict(await answer);
        if (verdict.verdict === "clean" && !isComplete)
          throw new ScanFailedError("clamd called the file clean before it had all bytes");
        isKept = isComplete && session.keep();
        if (isKept) idle.push(session);
        return verdict;
      } catch (error) {
        signal.throwIfAborted();
        throw error;
      } finally {
        signal.removeEventListener("abort", abort);
        if (!isKept) session.socket.destroy();
      }
    },
  };
}

interface Session {
  socket: Socket;
  /** Resolves with the answer to the next command. */
  nextAnswer(): Promise<string>;
  use(): void;
  /** @returns false if clamd has ended the session, or has said more than its answers */
  keep(): boolean;
}

/** In a session, each answer begins with the number of its command. */
function createSession(socket: Socket): Session {
  const { nextAnswer, isQuiet } = readAnswers(socket);
  let commands = 0;
  socket.write("zIDSESSION\0");
  return {
    socket,
    async nextAnswer() {
      const number = `${++commands}: `;
      const answer = await nextAnswer();
      // An answer to another command would be a verdict about other bytes.
      if (!answer.startsWith(number)) throw new ScanFailedError("clamd answered to another command");
      return answer.slice(number.length);
    },
    use() {
      socket.ref();
      socket.setTimeout(ANSWER_TIMEOUT_MS);
    },
    keep() {
      socket.unref();
      socket.setTimeout(IDLE_SESSION_MS);
      return isQuiet();
    },
  };
}

function addressOf(url: string): NetConnectOpts {
  if (url.startsWith("unix:")) return { path: url.slice("unix:".length).replace(/^\/\/(?=\/)/, "") };
  const { hostname, port } = new URL(url);
  return { host: hostname.replace(/^\[|\]$/g, ""), port: Number(port) };
}

async function open(address: NetConnectOpts, timeoutMs: number): Promise<Socket> {
  // Otherwise the end of a stream waits for clamd's delayed acknowledgement, 40 ms for each file.
  const socket = connect({ ...address, noDelay: true });
  try {
    await once(socket, "connect", { signal: AbortSignal.timeout(CONNECT_TIMEOUT_MS) });
  } catch (error) {
    socket.destroy();
    throw down(error);
  }
  socket.setTimeout(timeoutMs);
  socket.on("timeout", () => socket.destroy(new Error("clamd did not answer in time")));
  return socket;
}

function down(cause: unknown): ScannerDownError {
  return new ScannerDownError("clamd does not answer", { cause });
}

/** Reads the lines that clamd sends. Each is the answer to one command, and the next command is sent after it. */
function readAnswers(socket: Socket) {
  let text = "";
  let ended: ScanFailedError | undefined;
  let onChange = () => {};
  const end = (error: ScanFailedError) => {
    ended ??= error;
    onChange();
  };
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("utf8");
    if (text.length > MAX_ANSWER_BYTES) end(new ScanFailedError("clamd sent a line that is too long"));
    onChange();
  });
  const without = "clamd ended the connection without a verdict";
  socket.on("error", (cause) => end(new ScanFailedError(without, { cause })));
  socket.on("close", () => end(new ScanFailedError(without)));
  return {
    isQuiet: () => !ended && text === "",
    nextAnswer: () =>
      new Promise<string>((resolve, reject) => {
        onChange = () => {
          const length = text.indexOf("\0");
          if (length >= 0) {
            resolve(text.slice(0, length));
            text = text.slice(length + 1);
            onChange = () => {};
          } else if (ended) reject(ended);
        };
        onChange();
      }),
  };
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
  const write = async (...pieces: (Uint8Array | string)[]) => {
    socket.cork();
    const isFree = pieces.map((piece) => socket.write(piece)).every(Boolean);
    socket.uncork();
    if (!isFree) await Promise.race([once(socket, "drain").catch(() => undefined), answered]);
  };
  let command = "zINSTREAM\0";
  for await (const chunk of bytes) {
    for (let start = 0; start < chunk.length && !state.isAnswered; start += MAX_CHUNK_BYTES) {
      const part = chunk.subarray(start, start + MAX_CHUNK_BYTES);
      await write(command, lengthOf(part.length), part);
      command = "";
      // Reads what clamd has sent. If it closed the connection, a write before the read would lose its answer.
      await nextTurn();
    }
    if (state.isAnswered) return false;
  }
  await write(command, lengthOf(0));
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
