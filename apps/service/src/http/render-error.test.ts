import Fastify from "fastify";
import { StowageError } from "@stowage/schemas";
import { DashboardError } from "@stowage/operator-schemas";
import { expect, test } from "vitest";
import { toCsv } from "./csv.js";
import { renderError, renderErrorWithCode } from "./render-error.js";

test("answers a JSON error when an export fails before its first byte", async () => {
  async function* pages(): AsyncGenerator<string[]> {
    yield await Promise.reject(new StowageError("unavailable", { retryAfterSeconds: 5 }));
  }
  const app = Fastify();
  app.setErrorHandler(renderErrorWithCode);
  app.get("/", (_request, reply) =>
    reply
      .header("Content-Type", "text/csv; charset=utf-8")
      .header("Content-Disposition", 'attachment; filename="a.csv"')
      .send(toCsv(pages(), { name: (row) => row }, { limitMs: 60_000 })),
  );
  const answer = await app.inject("/");
  expect([answer.statusCode, answer.json<{ code: string }>().code]).toEqual([503, "unavailable"]);
  expect(answer.headers).toMatchObject({
    "content-type": "application/json; charset=utf-8",
    "retry-after": "5",
  });
  expect(answer.headers).not.toHaveProperty("content-disposition");
});

test.each([
  ["of the catalogue", new StowageError("quota_exceeded"), 403, "quota_exceeded"],
  ["of the dashboard", new DashboardError("signed_out"), 401, "signed_out"],
  ["that is unexpected", new Error("a bug"), 500, "internal_error"],
])("sends the code of an error %s in X-Error-Code", async (_which, error, status, code) => {
  const app = Fastify();
  app.setErrorHandler(renderErrorWithCode);
  app.get("/", () => Promise.reject(error));
  const answer = await app.inject("/");
  expect([answer.statusCode, answer.headers["x-error-code"]]).toEqual([status, code]);
});

test("keeps the body of an error of the REST API to its detail", async () => {
  const app = Fastify();
  app.setErrorHandler(renderError);
  app.get("/", () => Promise.reject(new Error("a bug")));
  const answer = await app.inject("/");
  expect([answer.headers["x-error-code"], answer.json()]).toEqual([
    "internal_error",
    { detail: "Internal error" },
  ]);
});
