import { deleteRequest, type DownloadRequest, parse } from "@stowage/schemas";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { composeDelivery, composeStore } from "#compose-storage.js";
import { readStorageConfig } from "#config.js";
import type { ProbeContext } from "#doctor/probe.js";
import { privateCdn } from "#doctor/probes/private-cdn.js";
import { deleteFiles } from "#files/delete/delete-files.js";
import { createDownload } from "#deliver/create-download.js";
import { settleUpload } from "#files/settle/settle-upload.js";
import { aPrivateCdn, type CdnName } from "../fixtures/a-private-cdn.js";
import { aWorld, put, type World } from "../fixtures/a-world.js";
import { stowage } from "../fixtures/command-line.js";

let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(() => world.close());

/** A stored file, and the service's verbs with a CDN in front of the private bucket. */
async function aDelivery(name: CdnName) {
  const cdn = await aPrivateCdn(name);
  const purged: string[] = [];
  const settings = readStorageConfig({ ...inject("servers"), ...cdn.settings });
  const purge = async (pattern: string) => {
    purged.push(pattern);
    await cdn.purge(pattern);
  };
  const store = composeStore(settings, undefined, undefined, {
    public: null,
    private: { purge, close: () => undefined },
  });
  const deps = { ...world.deps, store };
  const project = await world.project();
  const upload = await world.upload(project, { filename: "seite ü.html", content_type: "text/html" });
  await put(upload, "<script>");
  await settleUpload(world.deps, project.id, upload.filePath);
  const { filePath } = upload;
  return {
    cdn,
    purged,
    filePath,
    download: async (options: Partial<DownloadRequest> = {}) =>
      (await createDownload({ ...deps, settling: deps }, project, { filePath, ...options })).presignedUrl,
    delete: () => deleteFiles(deps, project, parse(deleteRequest, { file_path: filePath })),
    [Symbol.dispose]: () => {
      cdn.close();
      store.close();
    },
  };
}

const statusOf = async (url: string) => (await fetch(url)).status;

describe.each(["bunny", "cloudfront"] as const)("a private file behind %s", (name) => {
  test("is read there with a signed URL, and as nothing that a browser would run", async () => {
    using delivery = await aDelivery(name);
    const url = await delivery.download({ disposition: "inline" });
    expect(url.startsWith(delivery.cdn.settings.PRIVATE_BASE_URL)).toBe(true);
    const answer = await fetch(url);
    expect(await answer.text()).toBe("<script>");
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "content-type": "application/octet-stream",
      "content-disposition": expect.stringMatching(/^attachment;filename=/) as unknown,
    });
  });

  test("is refused without the signature, with another header, for another file, and after its end", async () => {
    using delivery = await aDelivery(name);
    const url = await delivery.download();
    const ending = await delivery.download({ expiresIn: 1 });
    expect(await statusOf(url)).toBe(200);
    const forged = [
      url.split("?", 1)[0]!,
      url.replace("application%2Foctet-stream", "text%2Fhtml"),
      url.replace(/[^/]+\.html/, "other.html"),
    ];
    expect(await Promise.all(forged.map(statusOf))).toEqual([403, 403, 403]);
    await expect.poll(() => statusOf(ending)).toBe(403);
  });

  test("has one URL in a window, whose second reader is answered from the cache", async () => {
    using delivery = await aDelivery(name);
    const urls = await Promise.all([1, 2].map(() => delivery.download({ reuse: true })));
    expect(urls[0]).toBe(urls[1]);
    const answers = [await fetch(urls[0]!), await fetch(urls[1]!)];
    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(answers[1]!.headers.get("cache-control")).toBe("public, must-revalidate");
    expect(delivery.cdn.counts).toEqual({ hits: 1, misses: 1 });
  });

  test("is gone from the cache too when it was deleted", async () => {
    using delivery = await aDelivery(name);
    const url = await delivery.download({ reuse: true });
    expect(await statusOf(url)).toBe(200);
    await delivery.delete();
    expect(delivery.purged).toEqual([
      `${delivery.cdn.settings.PRIVATE_BASE_URL}/${delivery.filePath.split("/").map(encodeURIComponent).join("/")}*`,
    ]);
    expect(await statusOf(url)).toBe(404);
  });
});

describe("stowage doctor", () => {
  test("has a line about the CDN", async () => {
    const cdn = await aPrivateCdn("cloudfront");
    const { stdout } = await stowage(["doctor"], { ...cdn.settings });
    cdn.close();
    expect(stdout).toMatch(/^ok +CDN of private files .*holders of a signed URL only/m);
  });

  test.each<[CdnName, object, RegExp]>([
    ["bunny", {}, /holders of a signed URL only/],
    ["bunny", { checks: false }, /everyone who knows their path/],
    ["cloudfront", { forwards: false }, /does not pass response-content-type/],
  ])("finds out what %s does (%o)", async (name, faults, found) => {
    const cdn = await aPrivateCdn(name, faults);
    const settings = readStorageConfig({ ...inject("servers"), ...cdn.settings });
    const path = `stowage-doctor/${world.deps.randomBytes(8).toString("hex")}`;
    const context = {
      store: world.deps.store,
      clock: () => new Date(),
      newPath: () => path,
      send: async (url: string, request?: RequestInit) => {
        const response = await fetch(url, request);
        return { status: response.status, headers: response.headers, body: await response.text() };
      },
    };
    const finding = await privateCdn(composeDelivery(settings)!).run(context as unknown as ProbeContext);
    await world.deps.store.remove(path);
    cdn.close();
    expect(finding.found).toMatch(found);
    expect(finding.verdict).toBe(Object.keys(faults).length === 0 ? "ok" : "fail");
  });
});
