import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { aStowage, post } from "../../test/a-stowage.js";
import { aService, says, type FakeService } from "@stowage/service-fake";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());

const ALLOWED_ORIGIN = "https://pages.example";
const stowage = () => aStowage(service, { allowedOrigins: [ALLOWED_ORIGIN] });

function preflight(headers: Record<string, string>, action = "request") {
  return stowage().handler(
    new Request(`https://app.example/api/stowage/${action}`, {
      method: "OPTIONS",
      headers: { "Access-Control-Request-Method": "POST", ...headers },
    }),
  );
}

const corsOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => /^access-control|^vary$/.test(name)));

const allowed = {
  "access-control-allow-origin": ALLOWED_ORIGIN,
  "access-control-allow-credentials": "true",
  "access-control-expose-headers": "Retry-After",
  vary: "Origin",
};

describe("a preflight", () => {
  test.each(["request", "complete/", "delete", "routes"])(
    "of an allowed origin receives the allowed methods and headers: %s",
    async (action) => {
      const requested = { Origin: ALLOWED_ORIGIN, "Access-Control-Request-Headers": "content-type,x-csrf" };
      const response = await preflight(requested, action);
      expect(response.status).toBe(204);
      expect(await response.text()).toBe("");
      expect(corsOf(response)).toEqual({
        ...allowed,
        "access-control-allow-methods": "GET, POST",
        "access-control-allow-headers": "content-type,x-csrf",
        "access-control-max-age": "7200",
        vary: "Origin, Access-Control-Request-Headers",
      });
    },
  );

  test("allows Content-Type if it requests no headers", async () => {
    expect(corsOf(await preflight({ Origin: ALLOWED_ORIGIN }))["access-control-allow-headers"]).toBe(
      "content-type",
    );
  });

  test.each(["https://evil.example", "https://app.example", "null"])("of %s is refused", async (origin) => {
    const response = await preflight({ Origin: origin });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: "cross_site" });
    expect(corsOf(response)).toEqual({});
  });

  test("is only an OPTIONS request that asks for a method", async () => {
    const request = new Request("https://app.example/request", {
      method: "OPTIONS",
      headers: { Origin: ALLOWED_ORIGIN },
    });
    expect((await stowage().handler(request)).status).toBe(404);
  });
});

describe("a page of an allowed origin", () => {
  test("may read every response, refusals included", async () => {
    service.next(
      says(200, "<html>"),
      says(503, { detail: "Service temporarily unavailable" }, { "Retry-After": "9" }),
    );
    const headers = { Origin: ALLOWED_ORIGIN, "Sec-Fetch-Site": "cross-site" };
    const calls = [
      post("request", { filename: "a", size: 1 }, headers),
      post("request", { filename: "a", size: 1 }, headers),
      post("request", { filename: "a", size: 1 }, headers),
      post("request", {}, headers),
      post("request", "{", { ...headers, "Content-Type": "text/plain" }),
      post("nowhere", {}, headers),
      post("request", { filename: "a", size: 1 }, { ...headers, "X-Test-User": "" }),
      new Request("https://app.example/routes", { headers }),
    ];
    const statuses: number[] = [];
    for (const call of calls) {
      const response = await stowage().handler(call);
      expect(corsOf(response)).toEqual(allowed);
      statuses.push(response.status);
    }
    expect(statuses).toEqual([503, 503, 200, 400, 415, 404, 401, 200]);
  });

  test("is the only one that receives CORS headers", async () => {
    for (const origin of ["https://evil.example", "https://app.example", "null"]) {
      const response = await stowage().handler(
        post("request", { filename: "a", size: 1 }, { Origin: origin }),
      );
      expect(corsOf(response)).toEqual({});
    }
  });
});
