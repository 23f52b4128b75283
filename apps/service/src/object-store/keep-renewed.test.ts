import { StowageError } from "@stowage/schemas";
import { afterEach, expect, test, vi } from "vitest";
import type { Credentials } from "./credentials.js";
import { CredentialsError, keepRenewed } from "./keep-renewed.js";

afterEach(() => vi.useRealTimers());

const MINUTE = 60_000;
const START = Date.parse("2026-11-29T12:00:00Z");

/** A source that hands out sessions of some minutes, on a clock that the test moves. */
function aSource(lifetimeMinutes: number | null = 15) {
  const source = { minutes: 0, lifetimeMinutes, calls: 0, fails: false, isSilent: false };
  const failures: { message: string; usableUntil: Date | null | undefined }[] = [];
  const now = () => START + source.minutes * MINUTE;
  const load = async (): Promise<Credentials> => {
    const number = ++source.calls;
    if (source.isSilent) return new Promise(() => undefined);
    if (source.fails)
      throw Object.assign(new Error("the token s3cr3t is not valid"), {
        name: "ExpiredTokenException",
        $metadata: { httpStatusCode: 400 },
      });
    return {
      accessKeyId: `key ${number}`,
      secretAccessKey: "secret",
      ...(source.lifetimeMinutes !== null && {
        sessionToken: `token ${number}`,
        expiration: new Date(now() + source.lifetimeMinutes * MINUTE),
      }),
    };
  };
  const credentials = keepRenewed(load, {
    waitMs: 50,
    now,
    onFailed: ({ message }, held) => failures.push({ message, usableUntil: held?.usableUntil }),
  });
  const leftMinutes = async () => ((await credentials()).expiration!.getTime() - now()) / MINUTE;
  return { source, credentials, failures, leftMinutes };
}

test("concurrent calls share one request to the source", async () => {
  const { source, credentials } = aSource();
  const keys = await Promise.all(Array.from({ length: 20 }, () => credentials()));
  expect(source.calls).toBe(1);
  expect(new Set(keys).size).toBe(1);
});

test("a session of hours serves until an hour is left, and then every call gets the next one", async () => {
  const { source, credentials, leftMinutes } = aSource(6 * 60);
  await credentials();
  source.minutes = 5 * 60;
  expect(await leftMinutes()).toBe(60);
  expect(source.calls).toBe(1);
  source.minutes = 5 * 60 + 0.01;
  const keys = await Promise.all(Array.from({ length: 20 }, () => credentials()));
  expect(new Set(keys.map(({ accessKeyId }) => accessKeyId))).toEqual(new Set(["key 2"]));
  expect(source.calls).toBe(2);
  expect(await leftMinutes()).toBe(360);
});

test.each([
  [61, 55],
  [60, 55],
  [15, 11.25],
  [1, 0.75],
])(
  "with sessions of %i minutes, no URL has less than %d, and the source is asked rarely",
  async (lifetime, least) => {
    const { source, leftMinutes } = aSource(lifetime);
    const left: number[] = [];
    for (source.minutes = 0; source.minutes < 3 * lifetime; source.minutes += lifetime / 60)
      left.push(await leftMinutes());
    expect(Math.min(...left)).toBeGreaterThanOrEqual(least - lifetime / 60);
    const asked = (3 * lifetime) / Math.min(5, lifetime / 4);
    expect(source.calls).toBeLessThanOrEqual(asked + 1);
  },
);

test("a source that answers the same session until shortly before its end is asked, and no call fails", async () => {
  const end = new Date(START + 40 * MINUTE);
  let minutes = 0;
  let calls = 0;
  const now = () => START + minutes * MINUTE;
  const load = async () => {
    calls++;
    const expiration = now() < end.getTime() - 5 * MINUTE ? end : new Date(now() + 360 * MINUTE);
    return { accessKeyId: "key", secretAccessKey: "secret", sessionToken: `${+expiration}`, expiration };
  };
  const credentials = keepRenewed(load, { waitMs: 50, now, onFailed: () => undefined });
  const first = await credentials();
  for (; minutes < 35; minutes++) expect(await credentials()).toBe(first);
  for (; minutes < 40; minutes += 0.5) await credentials();
  expect(+(await credentials()).expiration!).toBeGreaterThan(now() + 300 * MINUTE);
  expect(calls).toBeLessThan(20);
});

test("a source that fails is logged without its words, and the session serves until it ends", async () => {
  const { source, credentials, failures } = aSource();
  const first = await credentials();
  source.fails = true;
  source.minutes = 10;
  expect(await credentials()).toBe(first);
  expect(failures).toEqual([
    { message: "ExpiredTokenException, HTTP 400", usableUntil: new Date(START + 15 * MINUTE) },
  ]);
  source.minutes = 14.9;
  expect(await credentials()).toBe(first);
  source.minutes = 15;
  const error: unknown = await credentials().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(StowageError);
  expect(error).toMatchObject({
    code: "unavailable",
    message: "there are no credentials for storage",
    cause: new CredentialsError("ExpiredTokenException, HTTP 400"),
  });
  expect(JSON.stringify([failures, error, String((error as Error).cause)])).not.toContain("s3cr3t");
  source.fails = false;
  source.minutes = 16;
  expect((await credentials()).accessKeyId).not.toBe(first.accessKeyId);
});

test("a source that has failed is not asked for each call", async () => {
  const { source, credentials } = aSource();
  source.fails = true;
  for (let times = 0; times < 50; times++) await expect(credentials()).rejects.toThrow("no credentials");
  expect(source.calls).toBe(1);
  source.minutes = 0.5;
  source.fails = false;
  expect((await credentials()).accessKeyId).toBe("key 2");
});

test("the calls that meet a silent source wait for a while, and no later one while the session serves", async () => {
  const { source, credentials } = aSource();
  const first = await credentials();
  source.isSilent = true;
  source.minutes = 10;
  vi.useFakeTimers();
  const waiting = [credentials(), credentials()];
  vi.advanceTimersByTime(50);
  expect(await Promise.all(waiting)).toEqual([first, first]);
  // The timers stand still, so a call that waits would never end.
  for (let times = 0; times < 20; times++) expect(await credentials()).toBe(first);
  expect(source.calls).toBe(2);
  vi.useRealTimers();
  source.minutes = 15;
  await expect(credentials()).rejects.toMatchObject({ code: "unavailable" });
});

test("a session that ends before the one that is held is not taken, and one that has ended is none", async () => {
  const { source, credentials } = aSource();
  const first = await credentials();
  source.minutes = 5;
  source.lifetimeMinutes = 2;
  expect(await credentials()).toBe(first);
  source.minutes = 14;
  expect(await credentials()).not.toBe(first);
  source.lifetimeMinutes = 0;
  source.minutes = 20;
  await expect(credentials()).rejects.toMatchObject({
    cause: new CredentialsError("the source answered keys that have ended"),
  });
});

test("keys without an end are read again, and no call waits for that", async () => {
  const { source, credentials } = aSource(null);
  const first = await credentials();
  source.minutes = 4;
  expect(await credentials()).toBe(first);
  source.minutes = 5;
  expect(await credentials()).toBe(first);
  await expect.poll(async () => (await credentials()).accessKeyId).toBe("key 2");
  source.isSilent = true;
  source.minutes = 1000;
  expect((await credentials()).accessKeyId).toBe("key 2");
});
