import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";

/** The calls for several files. Each of their files is recorded, and answered, as a call of its own. */
const BATCHES = { "request-batch": "request", "complete-batch": "complete" } as const;
export type Batch = keyof typeof BATCHES;
export const isBatch = (action: string): action is Batch => action in BATCHES;

type Answer = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

/**
 * Answers each file of a batch by the backend's answer to a single call.
 *
 * @returns the results in the order of the files, or `destroyed` if a single call would have closed its connection
 */
export async function answerBatch(
  batch: Batch,
  files: object[],
  headers: IncomingMessage["headers"],
  answer: Answer,
): Promise<object[] | "destroyed"> {
  const results = await Promise.all(files.map((file) => answerFile(BATCHES[batch], file, headers, answer)));
  const answered = results.filter((result) => result !== "destroyed");
  return answered.length === results.length ? answered : "destroyed";
}

/** Answers one file of a batch as if it had come by itself. Resolves when it is answered. */
function answerFile(
  step: "request" | "complete",
  file: object,
  headers: IncomingMessage["headers"],
  answer: Answer,
) {
  const body = Buffer.from(JSON.stringify(file));
  return new Promise<object | "destroyed">((resolve) => {
    let status = 200;
    let retryAfter: string | undefined;
    const socket = { destroy: () => resolve("destroyed") };
    const request = Object.assign(Readable.from([body]), {
      method: "POST",
      url: `/api/upload/${step}`,
      headers,
      socket,
    });
    const listeners: (() => void)[] = [];
    const response = {
      setHeader() {},
      on: (_event: string, listener: () => void) => listeners.push(listener),
      destroy: socket.destroy,
      writeHead(given: number, givenHeaders: Record<string, string> = {}) {
        status = given;
        retryAfter = givenHeaders["Retry-After"];
        return response;
      },
      end(text: string) {
        for (const listener of listeners) listener();
        const content = JSON.parse(text) as object;
        if (status === 200) return resolve({ status, answer: content });
        const seconds = retryAfter === undefined ? {} : { retry_after_seconds: Number(retryAfter) };
        resolve({ status, error: content, ...seconds });
      },
    };
    // The parts of Node's objects that `answer` uses.
    void answer(request as unknown as IncomingMessage, response as unknown as ServerResponse);
  });
}
