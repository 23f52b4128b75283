import { describe, expect, test } from "vitest";
import { addMs, SECOND_MS } from "#lib/time.js";
import { urlEnd, urlLifetime } from "./url-lifetime.js";

const forever = { expiresAt: null };
const noon = new Date("2026-11-21T12:00:00Z");
const at = (seconds: number) => addMs(noon, seconds * SECOND_MS);
const reused = (wantedSeconds: number, now: Date, file: { expiresAt: Date | null } = forever) =>
  urlLifetime(file, { wantedSeconds, reuse: true, now, keysEnd: null });

describe("a URL of its own", () => {
  test("is signed in the current second, for the whole time", () => {
    const lifetime = urlLifetime(forever, { wantedSeconds: 60, now: at(7.9), keysEnd: null });
    expect(lifetime).toEqual({ signedAt: at(7), expiresInSeconds: 60 });
  });

  test("ends with its file, and there is none in the last second of the file", () => {
    const file = { expiresAt: at(10.5) };
    const lifetime = (now: Date) => urlLifetime(file, { wantedSeconds: 60, now, keysEnd: null });
    expect(lifetime(at(0))).toEqual({ signedAt: at(0), expiresInSeconds: 10 });
    expect(lifetime(at(9.4))).toEqual({ signedAt: at(9), expiresInSeconds: 1 });
    expect(lifetime(at(10))).toBeNull();
    expect(lifetime(at(11))).toBeNull();
  });
});

describe("a URL that is reused", () => {
  test("is the same during half of its time, and another one after that", () => {
    const first = reused(600, at(0));
    expect(first).toEqual({ signedAt: at(0), expiresInSeconds: 600 });
    expect(reused(600, at(299.999))).toEqual(first);
    expect(reused(600, at(300))).toEqual({ signedAt: at(300), expiresInSeconds: 600 });
    expect(reused(600, at(-0.001))).toEqual({ signedAt: at(-300), expiresInSeconds: 600 });
  });

  // Odd, prime, default and longest times.
  test.each([2, 3, 5, 7, 61, 900, 3600, 86_399, 604_800])(
    "of %d seconds has at least half of its time left, at each moment",
    (wantedSeconds) => {
      const window = Math.floor(wantedSeconds / 2);
      for (const seconds of [0, 0.001, 0.5, 1, window / 2, window - 0.001, window, window + 0.001, 12_345]) {
        const now = at(seconds);
        const lifetime = reused(wantedSeconds, now)!;
        expect(lifetime.signedAt.getTime()).toBeLessThanOrEqual(now.getTime());
        expect(lifetime.signedAt.getTime() % SECOND_MS).toBe(0);
        const leftMs = urlEnd(lifetime).getTime() - now.getTime();
        expect(leftMs).toBeGreaterThanOrEqual((wantedSeconds * SECOND_MS) / 2);
        expect(leftMs).toBeLessThanOrEqual(wantedSeconds * SECOND_MS);
      }
    },
  );

  test("of one second is signed in the current second", () => {
    expect(reused(1, at(3.5))).toEqual({ signedAt: at(3), expiresInSeconds: 1 });
  });

  test("ends with its file, is still the same during its window, and is not given out after the end", () => {
    const file = { expiresAt: at(100.5) };
    const lifetime = { signedAt: at(0), expiresInSeconds: 100 };
    expect(reused(600, at(0), file)).toEqual(lifetime);
    expect(reused(600, at(99), file)).toEqual(lifetime);
    // It would be signed before the end of the file, and valid for 100 seconds of the past.
    expect(reused(600, at(100), file)).toBeNull();
    expect(reused(600, at(200), file)).toBeNull();
    expect(reused(600, at(0), { expiresAt: at(600.5) })).toEqual({ signedAt: at(0), expiresInSeconds: 600 });
  });
});

describe("a URL of temporary keys", () => {
  const file = (seconds: number) => ({ expiresAt: at(seconds) });

  test("ends with the keys, in whole seconds", () => {
    const lifetime = urlLifetime(forever, { wantedSeconds: 3600, now: at(0.5), keysEnd: at(900.9) })!;
    expect(lifetime).toEqual({ signedAt: at(0), expiresInSeconds: 900 });
  });

  test("ends with its file, if that is earlier", () => {
    const lifetime = urlLifetime(file(600), { wantedSeconds: 3600, now: at(0), keysEnd: at(900) })!;
    expect(urlEnd(lifetime)).toEqual(at(600));
  });

  test("is shorter than the keys, if the caller wants that", () => {
    const lifetime = urlLifetime(forever, { wantedSeconds: 60, now: at(0), keysEnd: at(900) })!;
    expect(urlEnd(lifetime)).toEqual(at(60));
  });

  test("that is reused is the same until the window or the keys end, and never outlives the keys", () => {
    const options = { wantedSeconds: 3600, reuse: true };
    const first = urlLifetime(forever, { ...options, now: at(100), keysEnd: at(1000.5) })!;
    expect(first).toEqual({ signedAt: at(0), expiresInSeconds: 1000 });
    expect(urlLifetime(forever, { ...options, now: at(900), keysEnd: at(1000.5) })).toEqual(first);
    const next = urlLifetime(forever, { ...options, now: at(901), keysEnd: at(1900) })!;
    expect(urlEnd(next)).toEqual(at(1900));
  });
});
