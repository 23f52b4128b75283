import { core, smoke, topic } from "../case.js";
import type { Answer } from "../http/answer.js";
import { CALLS } from "./service.js";

function isUnauthorized(answer: Answer): void {
  answer.refused(401, "unauthorized", "Unauthorized");
  answer.hasHeader("www-authenticate", "Bearer");
}

const MALFORMED = `stow_live_${"0".repeat(49)}`;

/** Who may call. */
export const authenticationCases = topic("authentication", [
  smoke("refuses a call without a key", async (t) => {
    isUnauthorized(await t.get("usage", {}, { key: null }));
  }),
  ...[
    ["an empty header", ""],
    ["the scheme Basic", "Basic dXNlcjpwYXNz"],
    ["Bearer without a key", "Bearer"],
    ["a key that does not exist", `Bearer ${MALFORMED}`],
    ["two keys", `Bearer ${MALFORMED} ${MALFORMED}`],
  ].map(([what, Authorization]) =>
    core(`refuses ${what}`, async (t) => {
      isUnauthorized(await t.get("usage", {}, { key: null, headers: { Authorization: Authorization! } }));
    }),
  ),
  core("takes the word Bearer in any letter case", async (t) => {
    for (const scheme of ["bearer", "BEARER"]) (await t.get("usage", {}, { scheme })).ok();
  }),
  core("is judged before the body", async (t) => {
    for (const body of ["{broken", {}, { tenant_id: 7 }])
      isUnauthorized(await t.post("upload", body, { key: null }));
  }),
  core("is needed for every call", async (t) => {
    for (const [method, call] of CALLS) {
      const body = method === "GET" ? {} : { body: {} };
      isUnauthorized(await t.send(`/api/storage/${call}/`, { method, key: null, ...body }));
    }
  }),
]);
