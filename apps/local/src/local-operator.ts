import { rm } from "node:fs/promises";
import { hasStrings, parseJson, readIfExists, writePrivateJson } from "./private-json.js";
import { runCli } from "./run-cli.js";

/** The operator account of this machine, which can sign in to the dashboard. */
export interface LocalOperator {
  email: string;
  password: string;
}

export interface LocalOperatorOptions {
  file: string;
  /** The service's link for creating the first operator; null if an operator exists already. */
  setupUrl: string | null;
  serviceUrl: string;
  cli: string;
  databaseUrl: string;
  randomBytes: (size: number) => Buffer;
}

const EMAIL = "operator@stowage.test";
const CALL_MS = 30_000;

/**
 * Creates the first operator if the service has none. The password is written to `file` before the service is called. If the
 * start is interrupted between the two, the next start either uses the same password again or finds the operator created.
 *
 * @returns undefined if the service's operators were created in another way
 * @throws {Error} if the call to the service fails
 */
export async function ensureLocalOperator(options: LocalOperatorOptions): Promise<LocalOperator | undefined> {
  const { file, setupUrl, randomBytes } = options;
  const stored = await readOperator(file);
  if (setupUrl === null) {
    return stored && (await isInDatabase(stored.email, options)) ? stored : undefined;
  }
  const operator = stored ?? { email: EMAIL, password: randomBytes(18).toString("base64url") };
  if (!stored) await writePrivateJson(file, operator);
  if (await finishSetup(options.serviceUrl, new URL(setupUrl), operator)) return operator;
  if (!stored) await rm(file, { force: true });
  return undefined;
}

async function readOperator(file: string): Promise<LocalOperator | undefined> {
  const stored = parseJson((await readIfExists(file)) ?? "");
  if (!hasStrings(stored, "email", "password") || stored.email !== EMAIL) return undefined;
  return { email: stored.email, password: stored.password };
}

/**
 * Makes the same call as the dashboard's set-up page, with that page's Origin.
 *
 * @returns false if the set-up link is no longer valid
 */
async function finishSetup(serviceUrl: string, link: URL, operator: LocalOperator): Promise<boolean> {
  const response = await fetch(`${serviceUrl}/trpc/setup.finish`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: link.origin },
    body: JSON.stringify({ token: link.hash.slice(1), name: "Local operator", ...operator }),
    signal: AbortSignal.timeout(CALL_MS),
  });
  const body = await response.text();
  if (response.ok) return true;
  if (body.includes('"setup_refused"')) return false;
  throw new Error(`The service could not create the operator: it answered with status ${response.status}.`);
}

/** Uses the command line instead of a sign-in, because each sign-in adds a line to the audit log. */
async function isInDatabase(email: string, { cli, databaseUrl }: LocalOperatorOptions): Promise<boolean> {
  const output = await runCli(cli, ["operator", "list", "--json"], { DATABASE_URL: databaseUrl });
  return (JSON.parse(output) as { email: string }[]).some((operator) => operator.email === email);
}
