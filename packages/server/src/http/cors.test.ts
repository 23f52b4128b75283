import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { aStowage, post } from "../../test/a-stowage.js";
import { aService, says, type FakeService } from "@stowage/service-fake";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());

const LISTED = "https://pages.example";
const stowage = () => aStowage(service, { allowedOrigins: [LISTED] });

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
  "access-control-allow-origin": LISTED,
  "access-control-allow-credentials": "true",
  "access-control-expose-headers": "Retry-After",
  vary: "Origin",
};

describe("a preflight", () => {
  it.each(["request", "complete/", "delete", "routes"])(
    "of a listed origin is told what it may send: %s",
    async (action) => {
      const asked = { Origin: LISTED, "Access-Control-Request-Headers": "content-type,x-csrf" };
      const response = await preflight(asked, action);
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

  it("may name no headers", async () => {
    expect(corsOf(await preflight({ Origin: LISTED }))["access-control-allow-headers"]).toBe("content-type");
  });

  it.each(["https://evil.example", "https://app.example", "null"])("of %s is refused", async (origin) => {
    const response = await preflight({ Origin: origin });
    expect(response.status).toBe(403);
    expect(await response.json()).toMatchObject({ code: "cross_site" });
    expect(corsOf(response)).toEqual({});
  });

  it("that asks nothing is no preflight", async () => {
    const request = new Request("https://app.example/request", {
      method: "OPTIONS",
      headers: { Origin: LISTED },
    });
    expect((await stowage().handler(request)).status).toBe(404);
  });
});

describe("a page of a listed origin", () => {
  it("may read each answer, and each refusal", async () => {
    service.next(
      says(200, "<html>"),
      says(503, { detail: "Service temporarily unavailable" }, { "Retry-After": "9" }),
    );
    const headers = { Origin: LISTED, "Sec-Fetch-Site": "cross-site" };
    const calls = [
      post("request", { filename: "a" }, headers),
      post("request", { filename: "a" }, headers),
      post("request", { filename: "a" }, headers),
      post("request", {}, headers),
      post("request", "{", { ...headers, "Content-Type": "text/plain" }),
      post("nowhere", {}, headers),
      post("request", { filename: "a" }, { ...headers, "X-Test-User": "" }),
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

  it("alone is told so", async () => {
    for (const origin of ["https://evil.example", "https://app.example", "null"]) {
      const response = await stowage().handler(post("request", { filename: "a" }, { Origin: origin }));
      expect(corsOf(response)).toEqual({});
    }
  });
});
