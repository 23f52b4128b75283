import http from "node:http";
import net from "node:net";

export interface WireAnswer {
  status: number;
  code: string | undefined;
  headers: http.IncomingHttpHeaders;
  text: string;
  body: Buffer;
}

export interface WireRequest {
  headers?: Record<string, string>;
  body?: string | Buffer;
  isChunked?: boolean;
}

/** Sends exactly these headers to exactly this URL, without normalising them. */
export function send(
  method: string,
  url: string,
  { headers = {}, body, isChunked }: WireRequest = {},
): Promise<WireAnswer> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sized =
      body !== undefined && !isChunked ? { "Content-Length": String(Buffer.byteLength(body)) } : {};
    const request = http.request(
      { method, hostname, port, path: pathOf(url), headers: { ...sized, ...headers }, agent: false },
      (response) => {
        const parts: Buffer[] = [];
        response.on("data", (part: Buffer) => parts.push(part));
        response.on("error", reject);
        response.on("end", () => {
          const all = Buffer.concat(parts);
          const text = all.toString();
          const code = /<Code>([^<]*)/.exec(text)?.[1];
          resolve({ status: response.statusCode ?? 0, code, headers: response.headers, text, body: all });
        });
      },
    );
    request.on("error", reject);
    if (body !== undefined) request.write(body);
    request.end();
  });
}

/** Returns `403 AccessDenied`, or `200`. */
export async function outcome(answer: Promise<WireAnswer>): Promise<string> {
  const { status, code } = await answer;
  return code ? `${status} ${code}` : String(status);
}

export interface RawConnection {
  socket: net.Socket;
  /** The text received so far. */
  received(): string;
  /** Resolves when the received text matches, or the server has closed the connection. */
  until(pattern: RegExp): Promise<string>;
}

/** Opens a raw connection, for requests that no HTTP client would send. */
export async function openRawConnection(url: string): Promise<RawConnection> {
  const { hostname, port } = new URL(url);
  const socket = net.connect({ host: hostname, port: Number(port) });
  let text = "";
  let isClosed = false;
  const listeners = new Set<() => void>();
  const notify = (): void => listeners.forEach((listener) => listener());
  socket.on("data", (data) => {
    text += data.toString("latin1");
    notify();
  });
  socket.on("error", () => {});
  socket.on("close", () => {
    isClosed = true;
    notify();
  });
  await new Promise<void>((resolve) => socket.once("connect", resolve));
  return {
    socket,
    received: () => text,
    until: (pattern) =>
      new Promise((resolve) => {
        const check = (): void => {
          if (!pattern.test(text) && !isClosed) return;
          listeners.delete(check);
          resolve(text);
        };
        listeners.add(check);
        check();
      }),
  };
}

export function pathOf(url: string): string {
  return url.slice(url.indexOf("/", url.indexOf("//") + 2));
}

/** Returns the request line and headers of a PUT to a presigned URL. */
export function putHead(url: string, headers: Record<string, string>): string {
  const lines = Object.entries({ Host: new URL(url).host, ...headers }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  return [`PUT ${pathOf(url)} HTTP/1.1`, ...lines, "", ""].join("\r\n");
}
