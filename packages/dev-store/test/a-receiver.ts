import { once } from "node:events";
import { createServer } from "node:http";
import { onTestFinished } from "vitest";

export interface ReceivedRecord {
  eventSource: string;
  eventName: string;
  s3: {
    bucket: { name: string };
    object: { key: string; size?: number; eTag?: string; sequencer: string };
  };
}

export interface Receiver {
  url: string;
  requests: { authorization: string | undefined; records: ReceivedRecord[] }[];
  /** The records of the requests that got 200. */
  records: ReceivedRecord[];
  /** The answers to the next requests, then 200. "nothing" sends no answer. */
  answers: (number | "nothing")[];
  stop(): Promise<void>;
}

/** A receiver of notifications. It is stopped at the end of the test. */
export async function aReceiver(port = 0): Promise<Receiver> {
  const requests: Receiver["requests"] = [];
  const accepted: ReceivedRecord[] = [];
  const answers: (number | "nothing")[] = [];
  const server = createServer((request, response) => {
    let text = "";
    request.on("data", (part: Buffer) => (text += part.toString()));
    request.on("end", () => {
      const { Records: records } = JSON.parse(text) as { Records: ReceivedRecord[] };
      requests.push({ authorization: request.headers.authorization, records });
      const answer = answers.shift() ?? 200;
      if (answer === "nothing") return;
      if (answer === 200) accepted.push(...records);
      response.writeHead(answer, answer === 302 ? { Location: "/elsewhere" } : {}).end();
    });
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const stop = async (): Promise<void> => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  onTestFinished(stop);
  const { port: taken } = server.address() as { port: number };
  return { url: `http://127.0.0.1:${taken}/events`, requests, records: accepted, answers, stop };
}
