import type { RowTools } from "../row.js";
import { startChild } from "./start-child.js";
import type { Listening } from "./start-service.js";

/** A line with delay, a limit of bytes in flight and cut connections: `sides/slow-line.ts`. */
export interface SlowLine {
  /** The server's address at the far end of the line. */
  url: string;
  /** Cuts all connections, and starts the series of random cuts from the beginning. */
  restart(seed: number): Promise<void>;
}

const ANSWER_MS = 10_000;
/** Each way. A longer delay makes the line slower in proportion: then less CPU is needed, and other work on the machine matters less. */
const DELAY_MS = process.env["LINE_DELAY_MS"] ?? "50";

/** Starts a slow line to the server at a URL. It ends with the row. */
export async function startSlowLine(
  serverUrl: string,
  { atEnd }: Pick<RowTools, "atEnd">,
): Promise<SlowLine> {
  const line = await startChild<Listening>(import.meta.resolve("#sides/slow-line.js"), {
    role: "others",
    env: { TARGET_PORT: new URL(serverUrl).port, DELAY_MS },
  });
  atEnd(() => line.stop());
  return {
    url: `http://127.0.0.1:${line.ready.port}`,
    async restart(seed) {
      await line.ask({ seed }, ANSWER_MS);
    },
  };
}
