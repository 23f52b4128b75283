import { createServer, connect, type Socket, type AddressInfo } from "node:net";

/** A moment of a statement: the server has not received it yet, or it has taken effect and its answer has not arrived. */
export interface KillPoint {
  moment: "before" | "after";
  statement: Pick<RegExp, "test">;
  /** Only if the connection has sent this one before, in the same transaction. */
  following?: RegExp;
}

/** A proxy of PostgreSQL that stops a connection at a chosen point of a statement, where a test kills the client. */
export interface KillPointProxy {
  url: string;
  /** Resolves when a connection is at the point. That connection passes no byte on any more. */
  reaches(point: KillPoint): Promise<void>;
  /** Breaks all connections, as the end of the client's process does. Later ones work. */
  cut(): void;
  close(): Promise<void>;
}

/** Reads PostgreSQL's protocol 3.0: https://www.postgresql.org/docs/current/protocol-message-formats.html */
export async function aKillPointProxy(targetUrl: string): Promise<KillPointProxy> {
  const target = new URL(targetUrl);
  const sockets = new Set<Socket>();
  let armed: { point: KillPoint; reached: () => void } | undefined;

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    }
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());

    const texts = new Map<string, string>();
    let sent: string[] = [];
    /** The server is ready once without a sync, when the connection starts. */
    let syncs = 1;
    let answered = 0;
    /** The answers to so many syncs show that the statement has taken effect. */
    let effective = Infinity;
    let isStopped = false;
    const stop = () => {
      isStopped = true;
      armed?.reached();
      armed = undefined;
    };
    const meets = ({ statement, following }: KillPoint, text: string) =>
      statement.test(text) && (!following || sent.some((earlier) => following.test(earlier)));

    /** @returns whether the connection stops before this statement */
    function run(text: string): boolean {
      if (/^\s*begin/i.test(text)) sent = [];
      if (armed && effective === Infinity && meets(armed.point, text)) {
        if (armed.point.moment === "before") return true;
        effective = syncs + 1;
      }
      sent = [...sent.slice(-20), text];
      return false;
    }

    const fromClient = readMessages(true, (type, body) => {
      if (type === "P") texts.set(textAt(body, 0), textAt(body, textAt(body, 0).length + 1));
      const text = type === "Q" ? textAt(body, 0) : type === "B" ? texts.get(statementOf(body)) : undefined;
      if (text !== undefined && run(text)) return false;
      if (type === "Q" || type === "S") syncs++;
      return true;
    });
    const fromServer = readMessages(false, (type) => {
      if (type === "Z") answered++;
      return answered < effective || !armed;
    });
    client.on("data", (chunk: Buffer) => {
      if (isStopped) return;
      if (fromClient(chunk)) upstream.write(chunk);
      else stop();
    });
    let isFirst = true;
    upstream.on("data", (chunk: Buffer) => {
      if (isStopped) return;
      const isTlsAnswer = isFirst && chunk.length === 1;
      isFirst = false;
      if (isTlsAnswer || fromServer(chunk)) {
        // Another connection was at the point first.
        if (!armed) effective = Infinity;
        client.write(chunk);
      } else stop();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    armed = undefined;
    for (const socket of sockets) socket.destroy();
  };
  const url = new URL(targetUrl);
  url.hostname = "127.0.0.1";
  url.port = String((server.address() as AddressInfo).port);
  return {
    url: url.href,
    reaches: (point) => new Promise((reached) => (armed = { point, reached })),
    cut,
    async close() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const SSL_REQUEST = 80_877_103;

/**
 * Cuts a stream into messages.
 *
 * @param hasStartup whether the first message has no type
 * @returns a function that reads a chunk; false as soon as `onMessage` has returned false
 */
function readMessages(hasStartup: boolean, onMessage: (type: string, body: Buffer) => boolean) {
  let rest: Buffer = Buffer.alloc(0);
  let isStarting = hasStartup;
  return (chunk: Buffer): boolean => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      const head = isStarting ? 0 : 1;
      if (rest.length < head + 4) return true;
      const end = head + rest.readInt32BE(head);
      if (rest.length < end) return true;
      const type = isStarting ? "" : String.fromCharCode(rest[0]!);
      const body = rest.subarray(head + 4, end);
      rest = rest.subarray(end);
      // A client may first ask whether the server has TLS, which the test's servers do not.
      isStarting &&= body.readInt32BE(0) === SSL_REQUEST;
      if (!onMessage(type, body)) return false;
    }
  };
}

/** A text ends with a zero byte. */
const textAt = (body: Buffer, from: number) => body.toString("latin1", from, body.indexOf(0, from));
/** A Bind names its portal and then its statement. */
const statementOf = (body: Buffer) => textAt(body, body.indexOf(0) + 1);
