import Fastify from "fastify";
import { StowageError } from "@stowage/schemas";
import { expect, test } from "vitest";
import { toCsv } from "./csv.js";
import { renderErrorWithCode } from "./render-error.js";

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
