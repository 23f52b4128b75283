import * as schemas from "@stowage/schemas";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import * as z from "zod";
import { aService, type RunningService } from "../fixtures/a-service.js";
import { collectRoutes, type Route } from "../fixtures/collect-routes.js";
import type { RequestParts } from "./http-request.js";
import { helperActions } from "./interfaces/helper.js";
import { authRequests, eventRequests, linkRequests, pageRequests } from "./interfaces/others.js";
import { restRequests } from "./interfaces/rest.js";
import { trpcRequests } from "./interfaces/trpc.js";

let service: RunningService;
let routes: Route[];
beforeAll(async () => {
  const settings = { STORAGE_EVENTS_SECRET: "a secret of the tests for storage events" };
  ({ started: service, routes } = await collectRoutes(() => aService(settings)));
});
afterAll(() => service.close());

test("every route of the service is fuzzed", () => {
  const known = { projectRef: ["p"], cursor: ["c"], tenantId: ["t"], file_path: ["f"] };
  const requests: fc.Arbitrary<RequestParts>[] = [
    restRequests("key", known),
    trpcRequests("cookie", "origin", known),
    authRequests("cookie", "origin", known),
    eventRequests("secret", "bucket", known),
    pageRequests("cookie", known),
    linkRequests(["http://127.0.0.1/s/token"], "password"),
  ];
  const sent = requests.flatMap((some) => fc.sample(some, { numRuns: 2000, seed: 20261130 }));
  const isSent = ({ method, url }: Route) =>
    sent.some((request) => {
      const isMethod = request.method === method || takesEveryMethod(url);
      return isMethod && patternOf(url).test(withoutSlash(request.path));
    });
  const takesEveryMethod = (url: string) =>
    routes.some((route) => route.url === url && route.method === "TRACE");
  // Fastify adds HEAD to each GET, and one route answers every preflight.
  const own = routes.filter(({ method }) => method !== "HEAD" && method !== "OPTIONS");
  expect(own.length).toBeGreaterThan(60);
  expect(own.filter((route) => !isSent(route)).map(({ method, url }) => `${method} ${url}`)).toEqual([]);
});

test("everything that a page can send to the helper is fuzzed", () => {
  const inputs = Object.entries(schemas).filter(
    ([name, value]) => /^browser.*(Request|Query|Batch)$/.test(name) && value instanceof z.ZodType,
  );
  const fuzzed = Object.values(helperActions).flatMap((actions) => Object.values(actions));
  expect(inputs.length).toBeGreaterThan(20);
  expect(inputs.filter(([, schema]) => !fuzzed.includes(schema as z.ZodType)).map(([name]) => name)).toEqual(
    [],
  );
});

/** The paths of a route of Fastify, such as `/trpc/:path` or `/docs/*`. */
function patternOf(url: string): RegExp {
  const segments = withoutSlash(url)
    .split("/")
    .map((segment) => {
      if (segment.startsWith(":")) return "[^/]+";
      return segment === "*" ? ".*" : segment.replaceAll(/[.+?^${}()|[\]\\]/g, String.raw`\$&`);
    });
  return new RegExp(`^${segments.join("/")}$`);
}

const withoutSlash = (path: string) => path.replace(/\/$/, "");
