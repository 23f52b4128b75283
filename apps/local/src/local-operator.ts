import { rm } from "node:fs/promises";
import { hasStrings, parseJson, readIfThere, writePrivateJson } from "./private-json.js";
import { outputOf } from "./run-cli.js";

/** Somebody who can sign in to the dashboard on this machine. */
export interface LocalOperator {
  email: string;
  password: string;
}

export interface LocalOperatorOptions {
  file: string;
  /** The service's link that makes the first operator; null when somebody can sign in already. */
  setupUrl: string | null;
  serviceUrl: string;
  cli: string;
  databaseUrl: string;
  randomBytes: (size: number) => Buffer;
}

const EMAIL = "operator@stowage.test";
const CALL_MS = 30_000;

/**
 * The first operator, made while nobody can sign in. The password is kept in `file` before the service is asked: whatever is
 * cut short in between, the next start finds either nobody and asks with the same password, or the operator it belongs to.
 *
 * @returns undefined where those who can sign in were made elsewhere
 * @throws {Error} when the service cannot be asked
 */
export async function ensureLocalOperator(options: LocalOperatorOptions): Promise<LocalOperator | undefined> {
  const { file, setupUrl, randomBytes } = options;
  const kept = await readOperator(file);
  if (setupUrl === null) return kept && (await isInDatabase(kept.email, options)) ? kept : undefined;
  const operator = kept ?? { email: EMAIL, password: randomBytes(18).toString("base64url") };
  if (!kept) await writePrivateJson(file, operator);
  if (await finishSetup(options.serviceUrl, new URL(setupUrl), operator)) return operator;
  if (!kept) await rm(file, { force: true });
  return undefined;
}

async function readOperator(file: string): Promise<LocalOperator | undefined> {
  const kept = parseJson((await readIfThere(file)) ?? "");
  if (!hasStrings(kept, "email", "password") || kept.email !== EMAIL) return undefined;
  return { email: kept.email, password: kept.password };
}

/**
 * As the set-up page does it, and with that page's Origin.
 *
 * @returns false when somebody else used a link first
 */
async function finishSetup(serviceUrl: string, link: URL, operator: LocalOperator): Promise<boolean> {
  const answer = await fetch(`${serviceUrl}/trpc/setup.finish`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: link.origin },
    body: JSON.stringify({ token: link.hash.slice(1), name: "Local operator", ...operator }),
    signal: AbortSignal.timeout(CALL_MS),
  });
  const said = await answer.text();
  if (answer.ok) return true;
  if (said.includes('"setup_refused"')) return false;
  throw new Error(`The service made no operator: it answered ${answer.status}.`);
}

/** By the command line, since a sign-in would leave a line in the audit log at every start. */
async function isInDatabase(email: string, { cli, databaseUrl }: LocalOperatorOptions): Promise<boolean> {
  const output = await outputOf(cli, ["operator", "list", "--json"], { DATABASE_URL: databaseUrl });
  return (JSON.parse(output) as { email: string }[]).some((operator) => operator.email === email);
}
