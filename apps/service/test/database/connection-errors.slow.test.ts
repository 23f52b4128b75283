import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { describeError } from "#cli/report-error.js";
import { openDatabase } from "#db/client.js";
import { aService } from "../fixtures/a-service.js";
import { call } from "../fixtures/call.js";
import { queryDatabase } from "../fixtures/direct-access.js";

const role = `role_${randomBytes(6).toString("hex")}`;
let silent: Server;
let web: Server;
beforeAll(async () => {
  await queryDatabase(`create role ${role} login password 'hunter2' connection limit 0`, []);
  silent = await listen(() => undefined);
  web = await listen("HTTP/1.1 400 Bad Request\r\n\r\n");
});
afterAll(async () => {
  silent.close();
  web.close();
  await queryDatabase(`drop role ${role}`, []);
});

/** Starts a server that answers each message with `answer`. */
async function listen(answer: string | (() => void)): Promise<Server> {
  const server = createServer((socket) => {
    socket.on("error", () => undefined).on("data", () => typeof answer === "string" && socket.end(answer));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return server;
}

function portOf(server: Server): string {
  return String((server.address() as { port: number }).port);
}

/** The run's database, with other parts. */
function urlWith(
  parts: Partial<Record<"hostname" | "port" | "username" | "password" | "pathname", string>>,
): URL {
  return Object.assign(new URL(inject("servers").DATABASE_URL), parts);
}

/** What `stowage` prints when it cannot use the database. */
async function failureOf(url: URL, timeoutMs: number): Promise<string> {
  const db = openDatabase({ url: url.href, poolSize: 1, timeoutMs });
  try {
    const error: unknown = await db.execute("select 1", []).catch((error: unknown) => error);
    expect(error).toMatchObject({ code: "unavailable" });
    return describeError(error);
  } finally {
    await db.close();
  }
}

test.each<[string, () => URL, RegExp, timeoutMs?: number]>([
  [
    "the host name does not exist",
    () => urlWith({ hostname: "db.invalid", port: "" }),
    /^Cannot connect to PostgreSQL at db\.invalid:5432 as stowage: (the host name was not found|the name server does not answer) \(database \w+\)\.$/,
  ],
  [
    "the server refuses connections",
    () => urlWith({ port: "1" }),
    /^Cannot connect to PostgreSQL at 127\.0\.0\.1:1 as stowage: connection refused \(database \w+\)\.$/,
  ],
  [
    "the server does not answer",
    () => urlWith({ port: portOf(silent) }),
    /^Cannot connect to PostgreSQL at 127\.0\.0\.1:\d+ as stowage: the server did not answer in time \(database \w+\)\.$/,
    1000,
  ],
  [
    "another kind of server answers",
    () => urlWith({ port: portOf(web) }),
    /^Cannot connect to PostgreSQL at 127\.0\.0\.1:\d+ as stowage: another kind of server answers there \(/,
  ],
  [
    "the password is wrong",
    () => urlWith({ password: "wrong-hunter2" }),
    /^Cannot connect to PostgreSQL at 127\.0\.0\.1:\d+ as stowage: password authentication failed \(database \w+\)\.$/,
  ],
  [
    "the user does not exist",
    () => urlWith({ username: "nobody" }),
    /^Cannot connect to PostgreSQL at 127\.0\.0\.1:\d+ as nobody: password authentication failed/,
  ],
  [
    "the database does not exist",
    () => urlWith({ pathname: "/nothing" }),
    /^Cannot connect to PostgreSQL at 127\.0\.0\.1:\d+ as stowage: the database nothing does not exist\.$/,
  ],
  [
    "there are too many connections",
    () => urlWith({ username: role, password: "hunter2" }),
    new RegExp(
      `^Cannot connect to PostgreSQL at 127\\.0\\.0\\.1:\\d+ as ${role}: too many connections \\(database`,
    ),
  ],
])(
  "one sentence names host, user, database and cause when %s",
  async (_what, url, sentence, timeoutMs = 30_000) => {
    const failure = await failureOf(url(), timeoutMs);
    expect(failure).toMatch(sentence);
    expect(failure).not.toContain("hunter2");
    expect(failure).not.toContain(urlWith({}).password);
  },
);

describe("a service with a wrong password", () => {
  test("says so in its log, and to the public only that the database does not answer", async () => {
    const service = await aService({ DATABASE_URL: urlWith({ password: "wrong-hunter2" }).href });
    try {
      const answer = await call(`${service.url}/readyz`);
      expect(answer.status).toBe(503);
      expect(answer.body).toEqual({ detail: "Not ready: the database does not answer" });
      expect(service.log()).toMatch(
        /Cannot connect to PostgreSQL at 127\.0\.0\.1:\d+ as stowage: password authentication failed \(database \w+\)\./,
      );
      expect(service.log()).not.toContain("hunter2");
    } finally {
      await service.close();
    }
  });
});
