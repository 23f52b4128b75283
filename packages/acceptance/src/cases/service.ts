import { core, smoke, topic } from "../case.js";
import { aText, aTextLike, exactly, oneOf } from "../expect/match.js";

const CALLS = [
  ["POST", "upload"],
  ["POST", "complete"],
  ["POST", "cancel"],
  ["POST", "uploads"],
  ["GET", "uploads"],
  ["POST", "uploads/parts"],
  ["GET", "uploads/parts"],
  ["POST", "scan-result"],
  ["POST", "download"],
  ["POST", "downloads"],
  ["POST", "links"],
  ["GET", "links"],
  ["POST", "links/revoke"],
  ["GET", "file"],
  ["GET", "files"],
  ["POST", "update"],
  ["GET", "folders"],
  ["POST", "folders/move"],
  ["POST", "folders/delete"],
  ["GET", "jobs"],
  ["GET", "events"],
  ["PUT", "quota"],
  ["PUT", "limits"],
  ["PUT", "plans"],
  ["GET", "plans"],
  ["POST", "plans/delete"],
  ["GET", "tenants"],
  ["GET", "tenants/export"],
  ["POST", "tenants/delete"],
  ["GET", "usage"],
  ["GET", "usage/daily"],
  ["GET", "usage/monthly"],
  ["POST", "delete"],
  ["POST", "restore"],
  ["GET", "versions"],
  ["POST", "versions/restore"],
  ["POST", "hold"],
  ["POST", "visibility"],
] as const;

/** What the service says of itself, and what all its answers have. */
export const serviceCases = topic("the service", [
  smoke("is alive", async (t) => {
    (await t.send("/healthz", { key: null })).ok(exactly({ status: "alive" }));
  }),
  smoke("is ready", async (t) => {
    (await t.send("/readyz", { key: null })).ok({ status: oneOf("ready") });
  }),
  smoke("names itself and its version", async (t) => {
    (await t.send("/", { key: null })).ok({
      name: "Stowage",
      version: aTextLike(/^\d+\.\d+\.\d+/),
      openapi: aText,
    });
  }),
  ...(["/openapi.json", "/openapi-3.0.json"] as const).map((path) =>
    core(`describes every call in ${path}`, async (t) => {
      const answer = await t.send(path, { key: null });
      const { paths } = answer.ok<{ paths: Record<string, object> }>({
        openapi: aTextLike(path.includes("3.0") ? /^3\.0/ : /^3\.1/),
        paths: {},
      });
      for (const [method, call] of CALLS) {
        const methods = paths[`/api/storage/${call}/`] ?? {};
        answer.must(
          `the operation ${method} ${call}/`,
          method.toLowerCase() in methods,
          Object.keys(methods).join(),
        );
      }
    }),
  ),
  core("gives each answer an X-Request-Id of its own", async (t) => {
    const ids = new Set<string>();
    for (const path of ["/healthz", "/healthz", "/api/storage/usage/", "/api/storage/usage/", "/nothing"]) {
      const answer = await t.send(path);
      answer.hasHeader("x-request-id", /^[\w-]{8,}$/);
      answer.must("an X-Request-Id that no other answer has", !ids.has(answer.requestId!), answer.requestId!);
      ids.add(answer.requestId!);
    }
  }),
  core("forbids caches to keep its answers", async (t) => {
    for (const path of ["/healthz", "/api/storage/usage/", "/api/storage/files/", "/nothing"])
      (await t.send(path)).hasHeader("cache-control", "no-store");
  }),
  core("answers with and without a trailing slash", async (t) => {
    for (const path of ["/api/storage/usage", "/api/storage/usage/"]) (await t.send(path)).ok();
    const body = { tenant_id: t.tenant, filename: "a.txt", size: 1 };
    for (const path of ["/api/storage/upload", "/api/storage/upload/"]) (await t.send(path, { body })).ok();
  }),
  core("answers 404 to an unknown path", async (t) => {
    for (const path of ["/nothing", "/api/storage/nothing/", "/api/storage/upload/x"])
      (await t.send(path)).refused(404, "not_found", "Not found");
  }),
  core("answers 405 with Allow to another method of a known path", async (t) => {
    for (const [method, call, allowed] of [
      ["GET", "upload", /\bPOST\b/],
      ["DELETE", "file", /\bGET\b/],
      ["POST", "quota", /\bPUT\b/],
    ] as const) {
      const answer = await t.send(`/api/storage/${call}/`, {
        method,
        ...(method === "POST" && { body: {} }),
      });
      answer.refused(405, "method_not_allowed", "Method not allowed");
      answer.hasHeader("allow", allowed);
    }
  }),
]);

export { CALLS };
