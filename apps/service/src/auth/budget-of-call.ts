import { createHmac } from "node:crypto";
import type { DeviceCookies } from "./device-cookie.js";
import type { SignInCall, SignInRequest } from "./sign-in.js";

/** The calls in which an operator who is signed in confirms something with the password. */
const CONFIRMED_CALLS: SignInCall[] = [
  "/change-password",
  "/two-factor/enable",
  "/two-factor/disable",
  "/two-factor/generate-backup-codes",
  "/oidc/connect",
];

interface BudgetOfCallDeps {
  secret: string;
  devices: Pick<DeviceCookies, "read">;
  /** Finds the id of the session of a request, or null. */
  findSessionId: (headers: Headers) => Promise<string | null>;
}

/**
 * Returns the budget of wrong passwords that a call uses, or null if it checks no password. An account has one budget for all
 * devices that it does not know, and one for each known device and each session. So guesses from elsewhere take no try from its
 * owner. An account that does not exist has a budget too, so the limit does not tell which accounts exist.
 */
export async function budgetOfCall(
  { secret, devices, findSessionId }: BudgetOfCallDeps,
  { call, headers, body }: Pick<SignInRequest, "call" | "headers" | "body">,
): Promise<number | null> {
  if (CONFIRMED_CALLS.includes(call)) {
    const sessionId = await findSessionId(headers);
    return sessionId === null ? null : bucketOf(secret, "session", sessionId);
  }
  const { email } = Object(body) as { email?: unknown };
  if (call !== "/sign-in/email" || typeof email !== "string") return null;
  const account = email.toLowerCase();
  const device = devices.read(headers.get("cookie"), account);
  return device === null
    ? bucketOf(secret, "unknown devices", account)
    : bucketOf(secret, "known device", account, device);
}

/** Bounds the table at 2^20 rows, about 60 MB. Two accounts share a row with a probability of one in a million. */
const BUCKET_BITS = 20;

/** The hash has a key, so that a caller cannot find two accounts that share a row. */
export function bucketOf(secret: string, ...parts: string[]): number {
  const hash = createHmac("sha256", secret)
    .update(JSON.stringify(["password budget", ...parts]))
    .digest();
  return hash.readUInt32BE() >>> (32 - BUCKET_BITS);
}
