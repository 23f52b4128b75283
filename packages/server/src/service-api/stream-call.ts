import type { Call } from "@stowage/schemas";
import { linkController } from "../linked-controller.js";
import {
  type CallAnswer,
  type CallInput,
  notStowage,
  parseJson,
  readText,
  type ServiceCallOptions,
  startCall,
  withinTime,
} from "./service-client.js";
import { serviceError } from "./service-error.js";

/** The lines of an answer that is a stream. */
export interface LineReader<Line> {
  /**
   * Reads the next line, and waits at most `timeoutMs` for it.
   *
   * @returns null after the last line
   * @throws {StowageError} `unavailable` if the connection breaks or `signal` aborts. The stream is closed then
   */
  next(): Promise<Line | null>;
  /** Ends the request. */
  close(): void;
}

/** Longer than any line of the service. */
const MAX_LINE_LENGTH = 1024 * 1024;

/**
 * Makes a call whose answer is a stream of JSON values, one a line. It holds one chunk of the answer and one line.
 *
 * @throws {StowageError} the service's refusal; `unavailable` if it does not answer in time or `signal` aborts
 */
export async function streamCall<Made extends Call & { isStream: true }>(
  options: ServiceCallOptions,
  call: Made,
  input: CallInput<Made>,
  signal: AbortSignal,
): Promise<LineReader<CallAnswer<Made>>> {
  const { controller, unlink } = linkController(signal);
  const close = () => {
    unlink();
    controller.abort();
  };
  const within = <T>(step: () => Promise<T>) => withinTime(options, signal, controller, step);
  try {
    const response = await within(() =>
      startCall(options, call, { input, headers: {}, signal: controller.signal }),
    );
    if (!response.ok) {
      const text = await within(() => readText(response, options));
      throw serviceError(response, parseJson(text), options.baseUrl);
    }
    const lines = splitLines(response);
    return {
      async next() {
        try {
          const { done, value: text } = await within(() => lines.next());
          if (done) {
            unlink();
            return null;
          }
          const parsed = call.answer.safeParse(parseJson(text));
          if (!parsed.success) throw notStowage(options.baseUrl, response);
          return parsed.data as CallAnswer<Made>;
        } catch (thrown) {
          close();
          throw thrown;
        }
      },
      close,
    };
  } catch (thrown) {
    close();
    throw thrown;
  }
}

/** Ignores what follows the last line break: the connection was cut in the middle of that line. */
async function* splitLines(response: Response): AsyncGenerator<string, void, undefined> {
  if (response.body === null) return;
  const decoder = new TextDecoder();
  let text = "";
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    const lines = (text + decoder.decode(chunk, { stream: true })).split("\n");
    text = lines.pop() ?? "";
    if (text.length > MAX_LINE_LENGTH) {
      throw new Error("a line of its answer is too long");
    }
    yield* lines;
  }
}
