import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedPut {
  headers: IncomingMessage["headers"];
  path: string;
  bytes: Buffer;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** An HTTP server in place of object storage. It accepts every PUT, except where `next` gives another answer. */
export async function aStorage() {
  const puts: ReceivedPut[] = [];
  const scripted: Answer[] = [];
  const server = createServer((request, response) => {
    const answer = scripted.shift();
    if (answer) return answer(request, response);
    void request.toArray().then(
      (chunks: Buffer[]) => {
        puts.push({ headers: request.headers, path: request.url ?? "", bytes: Buffer.concat(chunks) });
        response.writeHead(200).end();
      },
      () => {},
    );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    puts,
    /** Sets the answers to the next PUTs, one each. They run before the body is read. */
    next: (...answers: Answer[]) => void scripted.push(...answers),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Refuses a PUT after its body was read, as S3 does. */
export function refusesPut(status: number, code: string): Answer {
  return (request, response) => {
    request.resume().on("end", () => {
      response.writeHead(status, { "Content-Type": "application/xml" });
      response.end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
    });
  };
}
