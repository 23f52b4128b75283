import { createHash } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export interface ReceivedPut {
  headers: IncomingMessage["headers"];
  path: string;
  bytes: Buffer;
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * An HTTP server in place of object storage. It accepts every PUT, except where `next` gives another answer.
 *
 * @param onPut receives each accepted PUT before it is answered
 */
export async function aStorage(onPut: (put: ReceivedPut) => void = () => {}) {
  const puts: ReceivedPut[] = [];
  const scripted: Answer[] = [];
  const permanent = new Map<string, Answer>();
  const server = createServer((request, response) => {
    const answer = scripted.shift() ?? permanent.get(partNumberOf(request));
    if (answer) return answer(request, response);
    void request.toArray().then(
      (chunks: Buffer[]) => {
        const bytes = Buffer.concat(chunks);
        if (!hasRightMd5(request, bytes)) return refusesPut(400, "BadDigest")(request, response);
        const put = { headers: request.headers, path: request.url ?? "", bytes };
        puts.push(put);
        onPut(put);
        response.writeHead(200, { ETag: `"${createHash("md5").update(bytes).digest("hex")}"` }).end();
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
    /** Sets the answer to every PUT of one part. `undefined` accepts it again. */
    answerPart(number: number, answer: Answer | undefined) {
      if (answer) permanent.set(String(number), answer);
      else permanent.delete(String(number));
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function hasRightMd5({ headers }: IncomingMessage, bytes: Buffer): boolean {
  const expected = headers["content-md5"];
  return expected === undefined || expected === createHash("md5").update(bytes).digest("base64");
}

function partNumberOf({ url = "" }: IncomingMessage): string {
  return new URL(url, "http://storage").searchParams.get("partNumber") ?? "";
}

/** Refuses a PUT that has no MD5, as AWS does for a bucket with Object Lock. */
export const refusesWithoutMd5 = refusesPut(
  400,
  "InvalidRequest",
  "Content-MD5 OR x-amz-checksum- HTTP header is required for Put Object requests with Object Lock parameters",
);

/** Refuses a PUT after its body was read, as S3 does. */
export function refusesPut(status: number, code: string, message = ""): Answer {
  return (request, response) => {
    const refuse = () => {
      response.writeHead(status, { "Content-Type": "application/xml" });
      response.end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`);
    };
    if (request.readableEnded) refuse();
    else request.resume().on("end", refuse);
  };
}
