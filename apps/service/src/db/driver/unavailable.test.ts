import { expect, test } from "vitest";
import { isUnavailable } from "./unavailable.js";

const withCode = (code: string, message = "") => Object.assign(new Error(message), { code });

test.each([
  ["a refused connection", withCode("ECONNREFUSED")],
  ["a server that shuts down", withCode("57P01")],
  ["a transaction that PostgreSQL ended, because it was in a deadlock", withCode("40P01")],
  [
    "a node that Citus lost in a transaction over several nodes",
    withCode("XX000", "failure on connection marked as essential: 10.0.0.2:5432"),
  ],
])("%s may be available again later, also as the cause of another error", (_what, error) => {
  expect(isUnavailable(error)).toBe(true);
  expect(isUnavailable(new Error("a query failed", { cause: error }))).toBe(true);
});

test("an internal error or a violated constraint is not an outage", () => {
  expect(isUnavailable(withCode("XX000", "cache lookup failed"))).toBe(false);
  expect(isUnavailable(withCode("23505"))).toBe(false);
});
