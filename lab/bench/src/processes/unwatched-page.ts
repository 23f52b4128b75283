import type { Browser } from "playwright-core";

/**
 * A page that Playwright does not follow. For its own pages Chromium reports every request and every byte of progress, which takes a
 * fifth of the core with many small files and does not happen in a user's browser.
 */
export interface UnwatchedPage {
  /**
   * Runs a function in the page and waits for its promise.
   *
   * @param argument sent as JSON, like the result
   * @throws {Error} the page's error, or an error after the time limit
   */
  evaluate<Argument, Answer>(
    run: (argument: Argument) => Promise<Answer>,
    argument: Argument,
  ): Promise<Answer>;
  /** Sets files of the disk on the first file input, as a user would choose them. */
  chooseFiles(paths: string[]): Promise<void>;
  close(): Promise<void>;
}

interface Waiting {
  resolve(answer: never): void;
  reject(error: Error): void;
}

/** The answer to `Runtime.evaluate`: https://chromedevtools.github.io/devtools-protocol/tot/Runtime/ */
interface Evaluated {
  result: { value?: unknown; objectId?: string };
  exceptionDetails?: { text: string; exception?: { description?: string } };
}

const READY_MS = 30_000;
const INPUT = 'document.querySelector("input[type=file]")';

/**
 * Opens a page in its own session and waits until it has a file input.
 *
 * @param timeoutMs the limit of each call to the page
 */
export async function openUnwatched(
  browser: Browser,
  url: string,
  timeoutMs: number,
): Promise<UnwatchedPage> {
  const session = await browser.newBrowserCDPSession();
  const { browserContextId } = await session.send("Target.createBrowserContext");
  const { targetId } = await session.send("Target.createTarget", { url, browserContextId });
  // Not flattened, because Playwright forwards messages of unknown sessions only in this form.
  const { sessionId } = await session.send("Target.attachToTarget", { targetId, flatten: false });
  const waiting = new Map<number, Waiting>();
  let lastId = 0;
  session.on("Target.receivedMessageFromTarget", ({ message }) => {
    const { id, result, error } = JSON.parse(message) as {
      id?: number;
      result: never;
      error?: { message: string };
    };
    const caller = id === undefined ? undefined : waiting.get(id);
    if (error) caller?.reject(new Error(error.message));
    else caller?.resolve(result);
  });

  const call = async <Answer>(method: string, params: object): Promise<Answer> => {
    const id = ++lastId;
    let timer: NodeJS.Timeout | undefined;
    try {
      return await new Promise<Answer>((resolve, reject) => {
        waiting.set(id, { resolve, reject });
        timer = setTimeout(() => reject(new Error(`${method}: no answer within ${timeoutMs} ms`)), timeoutMs);
        session
          .send("Target.sendMessageToTarget", { sessionId, message: JSON.stringify({ id, method, params }) })
          .catch(reject);
      });
    } finally {
      clearTimeout(timer);
      waiting.delete(id);
    }
  };
  const evaluate = async (expression: string, returnByValue: boolean) => {
    const options = { expression, returnByValue, awaitPromise: true };
    const { result, exceptionDetails } = await call<Evaluated>("Runtime.evaluate", options);
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
    return result;
  };

  const waitForInput = () =>
    evaluate(
      `new Promise((resolve, reject) => {
        setTimeout(() => reject(new Error("no input for files")), ${READY_MS});
        const look = () => (${INPUT} ? resolve() : setTimeout(look, 20));
        look();
      })`,
      true,
    );
  // The first look may find the empty document before the page, which ends with it.
  await waitForInput().catch((error: Error) => {
    if (!error.message.includes("context was destroyed")) throw error;
    return waitForInput();
  });
  return {
    async evaluate<Argument, Answer>(run: (argument: Argument) => Promise<Answer>, argument: Argument) {
      const { value } = await evaluate(`(${run.toString()})(${JSON.stringify(argument)})`, true);
      return value as Answer;
    },
    async chooseFiles(files) {
      const { objectId } = await evaluate(INPUT, false);
      await call("DOM.setFileInputFiles", { files, objectId });
    },
    async close() {
      await session.send("Target.closeTarget", { targetId });
      await session.send("Target.disposeBrowserContext", { browserContextId });
      await session.detach();
    },
  };
}
