import { type Operation, operations, serviceErrors, webhookEventTypes } from "@stowage/schemas";
import { fastify } from "fastify";
import { describe, expect, test } from "vitest";
import { describeApi } from "./describe-api.js";
import { type HttpDeps, registerRoutes } from "../router.js";

interface Described {
  headers: Record<string, object>;
}

const document = describeApi();
const withoutSlash = (path: string) => path.replace(/(?<=.)\/$/, "");

/** Reads the routes that Fastify registers. No route is called, so no dependency is needed. */
async function readRoutes(): Promise<string[]> {
  const routes: string[] = [];
  const app = fastify({ exposeHeadRoutes: false });
  app.addHook("onRoute", ({ method, url }) => void routes.push(`${String(method)} ${withoutSlash(url)}`));
  await registerRoutes(app, {
    rateLimitPerMinute: 0,
    failingKeysPerMinute: 0,
    dashboardDir: "none",
    docsDir: "none",
    docsSiteDir: "none",
    dashboard: { basePath: "" },
  } as HttpDeps);
  await app.close();
  return routes;
}

test("the table of operations lists exactly the routes of customers", async () => {
  const documented = Object.values<Operation>(operations).map(
    ({ method, path }) => `${method} ${withoutSlash(path)}`,
  );
  const routes = (await readRoutes()).filter((route) => !/ \/(s|internal|auth|dashboard)\//.test(route));
  expect(routes.toSorted()).toEqual(documented.toSorted());
});

describe("the OpenAPI document", () => {
  test("contains the target of every reference", () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)];
    expect(references.length).toBeGreaterThan(10);
    for (const [, path] of references) {
      const target = path!
        .split("/")
        .reduce<unknown>((at, name) => (at as Record<string, unknown>)[name], document);
      expect(target, path).toBeDefined();
    }
  });

  test("contains every error of the service and marks the calls that need no key", () => {
    const text = JSON.stringify(document);
    // Only paths and methods that do not exist answer these.
    const { not_found: _, method_not_allowed: _method, ...documented } = serviceErrors;
    for (const { detail } of Object.values(documented)) expect(text).toContain(JSON.stringify(detail));
    const paths = document["paths"] as Record<string, Record<string, { security?: [] }>>;
    const open = Object.entries(paths).filter(([, calls]) => Object.values(calls)[0]?.security);
    const publicPaths = ["/healthz", "/readyz", "/", "/openapi.json", "/openapi-3.0.json"];
    expect(open.map(([path]) => path)).toEqual(publicPaths);
  });

  test("describes X-Error-Code in every error response, and in no other one", () => {
    const paths = document["paths"] as Record<
      string,
      Record<string, { responses: Record<string, Described> }>
    >;
    const responses = Object.values(paths).flatMap((calls) =>
      Object.values(calls).flatMap((call) => Object.entries(call.responses)),
    );
    expect(responses.length).toBeGreaterThan(50);
    for (const [status, { headers }] of responses) {
      expect(headers["X-Error-Code"] !== undefined, status).toBe(Number(status) >= 400);
    }
  });

  test("describes each webhook with its headers and the members of its data", () => {
    const { webhooks } = document as { webhooks: Record<string, object> };
    expect(Object.keys(webhooks)).toEqual([...webhookEventTypes, "webhook.test"]);
    const dataOf = (...members: string[]) => ({
      required: true,
      content: {
        "application/json": {
          schema: { properties: { data: { required: expect.arrayContaining(members) } } },
        },
      },
    });
    expect(webhooks).toMatchObject({
      "file.stored": {
        post: {
          security: [],
          parameters: [
            { name: "Webhook-Id", in: "header", required: true },
            { name: "Webhook-Timestamp", in: "header", required: true },
            { name: "Webhook-Signature", in: "header", required: true },
          ],
          requestBody: dataOf("project_ref", "file_path", "tenant_id", "size"),
        },
      },
      "file.scanned": { post: { requestBody: dataOf("scan_status", "signature") } },
      "tenant.quota_reached": {
        post: { requestBody: dataOf("used_bytes", "reserved_bytes", "quota_bytes") },
      },
    });
  });

  test("has the names, limits, defaults and nullable members of the schemas", () => {
    expect(document).toMatchObject({
      paths: {
        "/api/storage/files/": {
          get: {
            parameters: [
              { name: "tenant_id", required: false },
              { name: "status" },
              { name: "q" },
              { name: "metadata", style: "deepObject", schema: { type: "object", maxProperties: 3 } },
              { name: "folder" },
              { name: "folder_below" },
              { name: "content_type" },
              { name: "created_from" },
              { name: "created_to" },
              { name: "size_from" },
              { name: "size_to" },
              { name: "limit", schema: { type: "integer", minimum: 1, maximum: 100, default: 50 } },
              { name: "cursor" },
            ],
          },
        },
      },
      components: {
        schemas: {
          UploadRequest: {
            required: ["filename", "tenant_id"],
            properties: {
              filename: { type: "string", minLength: 1, maxLength: 255 },
              size: { anyOf: [{ type: "integer", maximum: 5 * 1024 ** 3 }, { type: "null" }] },
            },
          },
          File: { properties: { size: { anyOf: [{ type: "integer" }, { type: "null" }] } } },
        },
      },
    });
  });
});
