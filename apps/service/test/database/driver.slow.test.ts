import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";
import { setImmediate as nextTurn } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "drizzle-orm";
import { describeError } from "#cli/report-error.js";
import { inTransaction, openDatabase } from "#db/client.js";
import { aDatabase } from "../fixtures/a-database.js";
import { anOutageProxy } from "../fixtures/an-outage-proxy.js";

/* What src/db/driver relies on beyond the documentation of postgres.js, and what no other test shows: src/db/driver/README.md. */

let database: Awaited<ReturnType<typeof aDatabase>>;
beforeAll(async () => {
  database = await aDatabase();
});
afterAll(() => database.drop());

const open = (url = database.url, timeoutMs = 30_000) => openDatabase({ url, poolSize: 1, timeoutMs });

/** A server that does what the test says with each message of a client. */
async function aServer(onMessage: (message: Buffer, socket: Socket) => void) {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
    socket.on("data", (message) => onMessage(message, socket));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return { sockets, url: `postgres://user:password@127.0.0.1:${port}/db?sslmode=disable`, server };
}

test("rows before an error are not counted for the next statement of the connection", async () => {
  const db = open();
  const failing = db.execute("select 1 / (3 - n) from generate_series(1, 5) as n", []);
  await expect(failing).rejects.toMatchObject({ code: "22012" });
  expect(await db.execute("select 1 as x", [])).toEqual([{ x: 1 }]);
  await db.close();
});

test("a connection that closes while a statement is being sent is replaced", async () => {
  const sockets: Socket[] = [];
  const onSocket = (message: unknown) => void sockets.push((message as { socket: Socket }).socket);
  subscribe("net.client.socket", onSocket);
  const db = open();
  await db.execute("select 1", []);
  unsubscribe("net.client.socket", onSocket);
  const { port } = new URL(database.url);
  const used = sockets.filter(({ remotePort }) => String(remotePort) === port);
  // The driver writes at the end of this turn of the event loop. The socket closes before that.
  await nextTurn();
  for (const socket of used) socket.destroy();
  await expect(db.execute("select 1", [])).rejects.toMatchObject({ code: "unavailable" });
  expect(await db.execute("select 1 as x", [])).toEqual([{ x: 1 }]);
  await db.close();
});

test("a transaction that sends a statement after its connection broke fails, and the process lives", async () => {
  const [db, other] = [open(), open()];
  let broken: Promise<unknown> | undefined;
  const lateError = new Promise<unknown>((resolve) => {
    broken = inTransaction(db, async (queries) => {
      const [row] = await queries.execute<{ pid: number }>("select pg_backend_pid() as pid", []);
      await other.execute("select pg_terminate_backend($1::int)", [row!.pid]);
      await broken!.catch(() => undefined);
      resolve(await queries.execute("select 1", []).catch((error: unknown) => error));
    });
  });
  await expect(broken).rejects.toMatchObject({ code: "unavailable" });
  expect(await lateError).toBeInstanceOf(Error);
  // The error of the late statement may reach the next one too.
  await expect.poll(() => db.execute("select 1 as x", []).catch(() => [])).toEqual([{ x: 1 }]);
  await Promise.all([db.close(), other.close()]);
});

test("times are texts and sizes are numbers, by statements and by drizzle", async () => {
  const db = open();
  const text = "select '2026-11-28T01:02:03Z'::timestamptz as at, 5::bigint as size";
  const expected = [{ at: expect.stringMatching(/^2026-11-2/), size: 5 }];
  expect(await db.execute(text, [])).toEqual(expected);
  expect([...(await db.run((drizzle) => drizzle.execute(sql.raw(text))))]).toEqual(expected);
  await db.close();
});

test("warming up opens every connection of every lane, and a burst opens no other", async () => {
  const db = openDatabase({ url: database.url, poolSize: 14, timeoutMs: 30_000 });
  const count = async () =>
    (
      await db.execute<{ n: number }>(
        "select count(*)::int as n from pg_stat_activity where datname = current_database() and application_name = 'stowage'",
        [],
      )
    )[0]!.n;
  await db.warmUp();
  expect(await count()).toBe(14);
  await Promise.all(Array.from({ length: 50 }, () => db.lane("read", "burst").execute("select 1", [])));
  expect(await count()).toBe(14);
  await db.close();
});

test("closing the client ends a connection that is still being dialled", async () => {
  // Asked for TLS, it never answers.
  const { sockets, url, server } = await aServer(() => undefined);
  const db = open(url.replace("disable", "require"));
  const failed = db.execute("select 1", []).catch((error: unknown) => error);
  await expect.poll(() => sockets.size).toBe(1);
  await db.close();
  expect(await failed).toMatchObject({ code: "unavailable" });
  await expect.poll(() => sockets.size).toBe(0);
  server.close();
});

test("a connection that could not be opened once is opened later", async () => {
  const proxy = await anOutageProxy(database.url);
  await proxy.takeDown();
  const db = open(proxy.url);
  await expect(db.execute("select 1", [])).rejects.toMatchObject({ code: "unavailable" });
  await proxy.bringBack();
  expect(await db.execute("select 1 as x", [])).toEqual([{ x: 1 }]);
  await db.close();
  await proxy.close();
});

test("a server that does not know the user's password is named as another server", async () => {
  const message = (type: number, text: string) => {
    const body = Buffer.alloc(9 + text.length);
    body.write("R");
    body.writeUInt32BE(8 + text.length, 1);
    body.writeUInt32BE(type, 5);
    body.write(text, 9);
    return body;
  };
  const { url, server } = await aServer((received, socket) => {
    const nonce = /r=([^,]+)/.exec(received.toString("latin1"))?.[1];
    if (received.readUInt32BE(4) === 196_608) socket.write(message(10, "SCRAM-SHA-256\0\0"));
    else if (received.includes("n,,")) socket.write(message(11, `r=${nonce}x,s=AAAA,i=1`));
    else socket.write(message(12, "v=wrong"));
  });
  const db = open(url);
  const failure: unknown = await db.execute("select 1", []).catch((error: unknown) => error);
  expect(describeError(failure)).toContain("the server does not know the user's password");
  await db.close();
  server.close();
});
