import { randomBytes } from "node:crypto";
import { fork } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import postgres from "postgres";
import { inject } from "vitest";

const MAIN = createRequire(import.meta.url).resolve("@stowage/service/main");

/** A service that nobody can sign in to yet, on a database of its own, as it says itself once it is ready. */
export async function aNewService(): Promise<AsyncDisposable & { url: string; setupUrl: string }> {
  const { databaseUrl, storage } = inject("dashboard");
  const name = `setup_${randomBytes(4).toString("hex")}`;
  const sql = postgres(databaseUrl, { max: 1, onnotice: () => undefined });
  await sql.unsafe(`create database ${name}`);
  const child = fork(MAIN, [], {
    env: {
      PATH: process.env["PATH"],
      ...storage,
      DATABASE_URL: Object.assign(new URL(databaseUrl), { pathname: `/${name}` }).href,
      PORT: "0",
    },
    execArgv: [],
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const exit = once(child, "exit");
  const [ready] = (await Promise.race([once(child, "message"), exit])) as [
    { port: number; setupUrl: string } | number,
  ];
  if (typeof ready !== "object") throw new Error("the service ended before it was ready");
  return {
    url: `http://localhost:${ready.port}`,
    setupUrl: ready.setupUrl,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await exit;
      await sql.unsafe(`drop database ${name} with (force)`);
      await sql.end();
    },
  };
}
