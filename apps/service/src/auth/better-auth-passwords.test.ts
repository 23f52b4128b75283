import { StowageError } from "@stowage/schemas";
import { expect, test } from "vitest";
import { createPasswords } from "./better-auth-passwords.js";
import { createScryptQueue } from "./scrypt-queue.js";
import { callContext } from "./sign-in-audit.js";

/** Runs a call as the sign-in of a client does. */
const from = <T>(ipAddress: string, call: () => Promise<T>) =>
  callContext.run({ call: "/sign-in/email", client: { ipAddress, userAgent: "" } }, call);

test("accepts the hashed password and no other one", async () => {
  const passwords = createPasswords(createScryptQueue());
  const hash = await passwords.hash("correct horse");
  expect(hash).not.toContain("correct");
  expect(await passwords.verify({ hash, password: "correct horse" })).toBe(true);
  expect(await passwords.verify({ hash, password: "battery staple" })).toBe(false);
});

test("a client with many passwords does not delay another client, and too many are refused", async () => {
  const passwords = createPasswords(createScryptQueue({ maxWaitingPerOwner: 3 }));
  const outcomes: string[] = [];
  const check = async (ipAddress: string) => {
    await from(ipAddress, () => passwords.hash("a guess")).then(
      () => outcomes.push(ipAddress),
      (error: unknown) => outcomes.push(error instanceof StowageError ? error.code : String(error)),
    );
  };
  // All addresses of an IPv6 network of 64 bits are one client: one of its passwords is checked, and three wait.
  const flood = Array.from({ length: 5 }, (_, index) => check(`2001:db8::${index + 1}`));
  const other = check("192.0.2.1");
  await flood[4];
  expect(outcomes).toEqual(["too_many_requests"]);
  await other;
  // Two run at the same time. The system may give the other client's thread less time than that of the flood.
  expect(outcomes.length).toBeLessThanOrEqual(4);
  await Promise.all(flood);
  expect(outcomes.filter((outcome) => outcome === "too_many_requests")).toHaveLength(1);
});
