import { mkdtemp, rm } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Message, queryMessage, READY, readMessages, textsOf } from "./postgres-messages.js";

/** What a gate tells the scheduler. */
export interface GateEvents {
  /** Resolves when this step may be taken. @param label what it is, for a trace */
  arrive(label: string): Promise<void>;
  /** PostgreSQL works on a statement of this backend from now on. */
  start(pid: number): void;
  end(pid: number): void;
  /** Sends a request to storage, as one step. */
  request<T>(label: string, send: () => Promise<T>): Promise<T>;
}

export interface StatementGate {
  /** DATABASE_URL of the client whose statements wait. */
  url: string;
  close(): Promise<void>;
}

/**
 * A proxy in front of PostgreSQL in which each statement of a client waits until it may go on. The client is the product as it is.
 *
 * A statement outside of a transaction becomes two steps: its effects, and the commit that shows them to others. PostgreSQL itself
 * makes no difference between them only as long as a commit takes no time. A statement that wrote nothing and locked nothing has no second
 * step.
 */
export async function aStatementGate(databaseUrl: string, events: GateEvents): Promise<StatementGate> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl);
  const dir = await mkdtemp(join(tmpdir(), "gate-"));
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket);
      socket.on("error", () => undefined);
      socket.on("close", () => {
        open.delete(socket);
        other.destroy();
      });
    }
    void serve(client, upstream, events).catch(() => client.destroy());
  });
  await new Promise<void>((resolve) => server.listen(join(dir, ".s.PGSQL.5432"), resolve));
  const login = password ? `${username}:${password}` : username;
  return {
    url: `postgres://${login}@${encodeURIComponent(dir)}${pathname}`,
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await rm(dir, { recursive: true });
    },
  };
}

/** Statements that show nothing to others and change nothing. */
const NO_STEP = /^(begin\b|start transaction\b|rollback\b|select set_config\()/i;
/** The driver begins statements with one: see db/driver/fresh-reads.ts. */
const COMMENT = /^\s*\/\*.*?\*\/\s*/;
const LABEL_CHARACTERS = 70;

async function serve(client: Socket, upstream: Socket, events: GateEvents): Promise<void> {
  const server = new ServerSide(upstream, client);
  const texts = new Map<string, string>();
  let group: Buffer[] = [];
  let text = "";
  for await (const message of readMessages(client, true)) {
    group.push(message.bytes);
    const [first = "", second = ""] = textsOf(message.body);
    if (message.type === "Q") text = first;
    if (message.type === "P") texts.set(first, (text = second));
    if (message.type === "B") text = texts.get(second) ?? "";
    // The messages of a login, and the end of a connection, have no answer to wait for.
    if (!server.isReady || message.type === "X") {
      upstream.write(Buffer.concat(group));
      group = [];
    } else if (message.type === "H") {
      server.begin();
      upstream.write(Buffer.concat(group));
      group = [];
    } else if (message.type === "S" || message.type === "Q") {
      await runStatement(server, { bytes: Buffer.concat(group), text }, events);
      group = [];
    }
  }
}

async function runStatement(
  server: ServerSide,
  { bytes, text }: { bytes: Buffer; text: string },
  events: GateEvents,
): Promise<void> {
  const statement = text.replace(COMMENT, "");
  if (NO_STEP.test(statement)) {
    // Described as a statement of its own, and now the begin of the client's transaction.
    if (server.isOurs) await server.end("rollback");
    server.pass(await server.ask(bytes));
    return;
  }
  const label = statement.replaceAll(/\s+/g, " ").trim().slice(0, LABEL_CHARACTERS);
  await events.arrive(label);
  events.start(server.pid);
  try {
    server.begin();
    const answered = server.ask(bytes);
    if (!server.isOurs) return server.pass(await answered);
    const hasChanges = server.hasChanges();
    const answer = await answered;
    const mayCommit = (await hasChanges) ? events.arrive(`commit of ${label}`) : undefined;
    events.end(server.pid);
    await mayCommit;
    events.start(server.pid);
    await server.end(server.status === "E" ? "rollback" : "commit");
    server.pass([...answer.slice(0, -1), READY]);
  } finally {
    events.end(server.pid);
  }
}

/** PostgreSQL's side of a connection. */
class ServerSide {
  pid = 0;
  /** Of the last answer: `I` outside of a transaction, `T` inside, `E` inside of one that has failed. Empty before the login. */
  status = "";
  /** Whether the transaction was begun here and not by the client. */
  isOurs = false;
  readonly #upstream: Socket;
  readonly #client: Socket;
  /** PostgreSQL answers in this order. */
  readonly #asked: { answer: Buffer[]; resolve: (answer: Buffer[]) => void }[] = [];

  constructor(upstream: Socket, client: Socket) {
    this.#upstream = upstream;
    this.#client = client;
    void this.#read().catch(() => client.destroy());
  }

  get isReady(): boolean {
    return this.status !== "";
  }

  async #read(): Promise<void> {
    for await (const message of readMessages(this.#upstream, false)) this.#receive(message);
  }

  #receive({ type, bytes, body }: Message): void {
    if (type === "K") this.pid = body.readInt32BE(0);
    if (type === "Z") this.status = body.toString("latin1");
    const [oldest] = this.#asked;
    if (!oldest) {
      this.#client.write(bytes);
      return;
    }
    oldest.answer.push(bytes);
    if (type !== "Z") return;
    this.#asked.shift();
    oldest.resolve(oldest.answer);
  }

  /** Need not wait for the answer before. @returns the messages of the answer */
  ask(bytes: Buffer): Promise<Buffer[]> {
    return new Promise((resolve) => {
      this.#asked.push({ answer: [], resolve });
      this.#upstream.write(bytes);
    });
  }

  pass(answer: Buffer[]): void {
    this.#client.write(Buffer.concat(answer));
  }

  /** Begins a transaction if there is none. What is sent next need not wait for it. */
  begin(): void {
    if (this.isOurs || this.status !== "I") return;
    this.isOurs = true;
    void this.ask(queryMessage("begin"));
  }

  async end(how: "commit" | "rollback"): Promise<void> {
    await this.ask(queryMessage(how));
    this.isOurs = false;
  }

  /** Whether the transaction has changed or locked a row. False after a failure. */
  async hasChanges(): Promise<boolean> {
    const answer = await this.ask(
      queryMessage("select from (select) x where pg_current_xact_id_if_assigned() is not null"),
    );
    return answer.some((bytes) => bytes.toString("latin1", 0, 1) === "D");
  }
}
