import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { aStowage, FILE_PATH } from "../../test/a-stowage.js";
import { transports } from "../../test/transports.js";
import { aService, says, type FakeService } from "@stowage/service-fake";

let service: FakeService;
beforeAll(async () => void (service = await aService()));
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(() => void (service.calls.length = 0));

const path = { file_path: FILE_PATH };
const refuses = (status: number, code: string, headers = {}) =>
  says(status, { detail: code }, { "X-Error-Code": code, ...headers });
const pathsOf = () => service.calls.map(({ path }) => path.split("/")[3]);

describe.each(transports)("over $name, a route that requires a variant", (transport) => {
  async function afterUpload() {
    const completed: string[] = [];
    const stowage = aStowage(service, {
      routes: {
        avatar: { requireVariant: "face", onComplete: ({ file }) => void completed.push(file.filePath) },
      },
    });
    await transport.call(stowage, "request", { filename: "a.png", size: 1, route: "avatar" });
    service.calls.length = 0;
    return { stowage, completed };
  }

  test("runs onComplete when the variant is made, also if it takes a moment", async () => {
    const { stowage, completed } = await afterUpload();
    service.next(
      undefined,
      refuses(409, "variant_pending", { "Retry-After": "1" }),
      refuses(403, "file_not_scanned"),
    );
    expect((await transport.call(stowage, "complete", path)).status).toBe(200);
    expect(pathsOf()).toEqual(["complete", "download", "download", "download"]);
    expect(service.calls[1]?.body).toEqual({ ...path, tenant_id: "user_ada", variant: "face" });
    expect(completed).toEqual([FILE_PATH]);
  });

  test.each([
    [415, "variant_impossible"],
    [422, "variant_failed"],
  ])("deletes a file that it cannot be made of (%i %s)", async (status, code) => {
    const { stowage, completed } = await afterUpload();
    service.next(undefined, refuses(status, code));
    expect(await transport.call(stowage, "complete", path)).toEqual({
      status: 415,
      code: "image_unreadable",
      detail: "The image cannot be decoded",
    });
    expect(pathsOf()).toEqual(["complete", "download", "delete"]);
    expect(service.calls[2]?.body).toEqual({ ...path, tenant_id: "user_ada" });
    expect(completed).toEqual([]);
  });

  test.each([
    [409, "variant_pending", "variant_pending"],
    [403, "file_not_scanned", "variant_pending"],
    [403, "file_quarantined", "file_quarantined"],
    [404, "preset_not_found", "preset_not_found"],
  ])("keeps the file, and lets the page ask again, after %i %s", async (status, code, answered) => {
    const { stowage, completed } = await afterUpload();
    service.next(undefined, refuses(status, code, { "Retry-After": "20" }));
    expect((await transport.call(stowage, "complete", path)).code).toBe(answered);
    expect(pathsOf()).toEqual(["complete", "download"]);
    expect(completed).toEqual([]);
    expect((await transport.call(stowage, "complete", path)).status).toBe(200);
    expect(completed).toEqual([FILE_PATH]);
  });
});
