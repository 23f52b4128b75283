import { core, topic } from "../case.js";

const LIMIT_BYTES = 64 * 1024;

/** Bodies that no call can read. */
export const bodyCases = topic("a request body", [
  ...(
    [
      ["that is broken JSON", '{"tenant_id":', "invalid_json", "Request body must be valid JSON"],
      ["that is empty", "", "invalid_json", "Request body must be valid JSON"],
      [
        "that is no UTF-8",
        Buffer.from('{"tenant_id":"\xff","filename":"a"}', "latin1"),
        "invalid_json",
        "Request body must be valid JSON",
      ],
      ["that is a list", "[]", "invalid_request", "Request body must be a JSON object"],
      ["that is null", "null", "invalid_request", "Request body must be a JSON object"],
    ] as const
  ).map(([what, body, code, detail]) =>
    core(`${what} is refused`, async (t) => (await t.post("upload", body)).refused(400, code, detail)),
  ),
  ...["text/plain", "application/x-www-form-urlencoded", "application/jsonx", "multipart/form-data"].map(
    (type) =>
      core(`of the type ${type} is refused`, async (t) => {
        const answer = await t.post("upload", "{}", { headers: { "Content-Type": type } });
        answer.refused(415, "unsupported_media_type", "Content-Type must be application/json");
      }),
  ),
  core("may name its character set", async (t) => {
    const headers = { "Content-Type": "application/json; charset=utf-8" };
    (await t.requestUpload({}, { headers })).ok();
  }),
  core("may have 64 KiB and no byte more", async (t) => {
    const members = { tenant_id: t.tenant, filename: "a", size: 1, x: "" };
    const body = (bytes: number) =>
      JSON.stringify({ ...members, x: "y".repeat(bytes - JSON.stringify(members).length) });
    (await t.post("upload", body(LIMIT_BYTES))).ok();
    const refused = await t.post("upload", body(LIMIT_BYTES + 1));
    refused.refused(413, "body_too_large", "Request body must be at most 65536 bytes");
  }),
  core("of a delete may be as long as 1,000 paths", async (t) => {
    const file_paths = Array.from({ length: 1000 }, (_, index) => `${index}`.padEnd(200, "x"));
    (await t.post("delete", { file_paths })).ok({ deleted: [], not_found: file_paths });
  }),
  core("may have members that the service does not know", async (t) => {
    (await t.requestUpload({ colour: "red" })).ok();
  }),
]);
