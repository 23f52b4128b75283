import { core, topic } from "../case.js";
import type { Context } from "../context.js";
import type { Answer } from "../http/answer.js";

/** Calls about a file, made with the ID of another tenant. */
const calls: [string, (t: Context, body: { file_path: string; tenant_id: string }) => Promise<Answer>][] = [
  ["download", (t, body) => t.post("download", body)],
  ["complete", (t, body) => t.post("complete", body)],
  ["cancel", (t, body) => t.post("cancel", body)],
  ["delete", (t, body) => t.post("delete", { ...body, purge: true })],
  ["restore", (t, body) => t.post("restore", body)],
  ["hold", (t, body) => t.post("hold", { ...body, hold: true })],
  ["file", (t, body) => t.get("file", body)],
  ["uploads/parts", (t, body) => t.post("uploads/parts", { ...body, parts: [{ number: 1 }] })],
];

/** What a customer's backend relies on when it names its user: a file of another one does not exist. */
export const isolationCases = topic("another tenant", [
  ...calls.map(([call, send]) =>
    core(`gets 404 from ${call}`, async (t) => {
      const [owner, other] = [await t.ownTenant(), await t.ownTenant()];
      const { file_path } = await t.stored({ tenant_id: owner });
      const answer = await send(t, { file_path, tenant_id: other });
      answer.refused(404, "file_not_found", "File not found");
      (await t.get("file", { file_path, tenant_id: owner })).ok({ status: "stored" });
    }),
  ),
  core("finds the files of nobody else in calls for many", async (t) => {
    const [owner, other] = [await t.ownTenant(), await t.ownTenant()];
    const { file_path } = await t.cleanFile({ tenant_id: owner });
    const file_paths = [file_path];
    (await t.post("delete", { file_paths, tenant_id: other })).ok({ deleted: [], not_found: file_paths });
    (await t.post("downloads", { file_paths, tenant_id: other })).ok({
      downloads: [],
      not_found: file_paths,
    });
    (await t.get("files", { tenant_id: other })).ok({ files: [], next_cursor: null });
    await t.hasUsage(other, 0, 0, 0);
    await t.hasUsage(owner, 5, 0, 1);
  }),
]);
