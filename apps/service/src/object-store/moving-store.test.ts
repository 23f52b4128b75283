import { describe, expect, test } from "vitest";
import { type MovingStores, routeByPath, storeOfMove } from "./moving-store.js";
import type { ObjectStore, PublicBucket } from "./object-store.js";

const PATH = "projects/p/tenants/t/a";
const headers = { contentType: "text/plain", contentDisposition: "inline" };
const get = {
  path: PATH,
  contentType: "",
  contentDisposition: "",
  signedAt: new Date(0),
  expiresInSeconds: 1,
};
const put = {
  path: PATH,
  contentType: "",
  sizeBytes: 1,
  contentMd5: undefined,
  signedAt: new Date(0),
  expiresInSeconds: 1,
};

/** A store with some paths and uploads. `calls` has what is done there. */
function aStore(
  name: string,
  calls: string[],
  {
    paths = [],
    uploads = [],
    published = [] as string[] | null,
    keysEnd = null,
  }: {
    paths?: string[];
    uploads?: string[];
    published?: string[] | null;
    keysEnd?: Date | null;
  } = {},
): ObjectStore {
  const objects = new Set(paths);
  const open = new Set(uploads);
  const bucketOf = (bucket: string, objects: Set<string>) => ({
    head: async (path: string) => (objects.has(path) ? { sizeBytes: 1, etag: bucket } : null),
    remove: async (path: string) => {
      calls.push(`${bucket} remove`);
      objects.delete(path);
    },
  });
  const own = {
    ...bucketOf(name, objects),
    presignPut: async () => `${name} put`,
    presignGet: async () => `${name} get`,
    presignPart: async () => `${name} part`,
    uploadUrlsEnd: async () => keysEnd,
    downloadUrlsEnd: async () => keysEnd,
    write: async (path: string) => {
      calls.push(`${name} write`);
      objects.add(path);
    },
    createMultipart: async () => {
      open.add(`made by ${name}`);
      return `made by ${name}`;
    },
    listParts: async ({ uploadId }: { uploadId: string }) =>
      open.has(uploadId) ? { parts: [], nextCursor: null } : null,
    completeMultipart: async () => {
      calls.push(`${name} complete`);
      return "completed" as const;
    },
    abortMultipart: async () => void calls.push(`${name} abort`),
    listMultiparts: async (_: string, cursor: object | null) => ({
      uploads: [{ path: PATH, uploadId: `${name} ${cursor === null ? 1 : 2}`, startedAt: new Date(0) }],
      nextCursor: cursor === null ? { path: PATH, uploadId: `${name} 1` } : null,
    }),
  };
  const shown = new Set(published ?? []);
  const publicBucket = {
    ...bucketOf(`${name} public`, shown),
    urlOf: (path: string) => `${name}/${path}`,
    publish: async () => {
      calls.push(`${name} publish`);
      return { etag: "e" };
    },
    takeBack: async () => {
      calls.push(`${name} take back`);
      return shown.has(PATH) ? { etag: "e" } : "missing";
    },
  };
  return {
    ...own,
    published: published && (publicBucket as Partial<PublicBucket> as PublicBucket),
  } as Partial<ObjectStore> as ObjectStore;
}

function aMove(
  state: MovingStores["state"],
  options: { from?: Parameters<typeof aStore>[2]; to?: Parameters<typeof aStore>[2] } = {},
) {
  const calls: string[] = [];
  const from = aStore("old", calls, options.from);
  const to = aStore("new", calls, options.to);
  const home = state === "settling" ? to : from;
  return { calls, from, to, store: storeOfMove({ from, to, home, state }, new Map()) };
}

describe("the store of a project that moves", () => {
  test.each([
    ["preparing", "old"],
    ["copying", "new"],
    ["settling", "new"],
  ] as const)("%s: writes to the %s storage", async (state, name) => {
    const { store, calls } = aMove(state);
    await store.write(PATH, Buffer.from(""), "text/plain");
    expect(calls).toEqual([`${name} write`]);
    expect(await store.presignPut(put)).toBe(`${name} put`);
    expect(await store.createMultipart(PATH, headers)).toBe(`made by ${name}`);
  });

  test("reads at the new storage, or else at the old one until the project has moved", async () => {
    const only = { paths: [PATH] };
    for (const state of ["preparing", "copying"] as const) {
      expect(await aMove(state, { from: only }).store.head(PATH)).toMatchObject({ etag: "old" });
      expect(await aMove(state, { from: only, to: only }).store.head(PATH)).toMatchObject({ etag: "new" });
      expect(await aMove(state, { from: only }).store.presignGet(get)).toBe("old get");
      expect(await aMove(state, { from: only, to: only }).store.presignGet(get)).toBe("new get");
      expect(await aMove(state).store.head(PATH)).toBeNull();
    }
    expect(await aMove("settling", { from: only }).store.head(PATH)).toBeNull();
    expect(await aMove("settling", { from: only }).store.presignGet(get)).toBe("new get");
  });

  test.each(["preparing", "copying", "settling"] as const)(
    "%s: removes at the old storage first",
    async (state) => {
      const { store, calls } = aMove(state);
      await store.remove(PATH);
      await store.published!.remove(PATH);
      expect(calls).toEqual(["old remove", "new remove", "old public remove", "new public remove"]);
    },
  );

  test("an upload by parts stays where it began", async () => {
    const { store, calls } = aMove("copying", { from: { uploads: ["u"] } });
    const part = {
      path: PATH,
      uploadId: "u",
      number: 1,
      sizeBytes: 1,
      contentMd5: undefined,
      signedAt: new Date(0),
      expiresInSeconds: 1,
    };
    expect(await store.presignPart(part)).toBe("old part");
    expect(await store.listParts(part, 0)).not.toBeNull();
    await store.completeMultipart(part, []);
    const uploadId = await store.createMultipart(PATH, headers);
    expect(await store.presignPart({ ...part, uploadId })).toBe("new part");
    await store.abortMultipart(part);
    expect(calls).toEqual(["old complete", "old abort", "new abort"]);
  });

  test("lists the uploads by parts of both, page by page", async () => {
    const { store } = aMove("copying");
    const found: string[] = [];
    for (let cursor: Parameters<ObjectStore["listMultiparts"]>[1] = null; ;) {
      const page = await store.listMultiparts("", cursor);
      found.push(...page.uploads.map(({ uploadId }) => uploadId));
      cursor = page.nextCursor;
      if (cursor === null) break;
    }
    expect(found).toEqual(["new 1", "new 2", "old 1", "old 2"]);
  });

  test("promises no longer life of a URL than the keys of both have", async () => {
    const [early, late] = [new Date(1000), new Date(2000)];
    const { store } = aMove("copying", { from: { keysEnd: early }, to: { keysEnd: late } });
    expect(await store.uploadUrlsEnd()).toEqual(early);
    expect(await aMove("copying", { to: { keysEnd: late } }).store.downloadUrlsEnd()).toEqual(late);
    expect(await aMove("copying").store.uploadUrlsEnd()).toBeNull();
  });

  test("no file becomes public before the project has moved, and one that becomes private is found at either place", async () => {
    const source = { path: PATH, etag: "e" };
    for (const state of ["preparing", "copying"] as const) {
      const { store, calls } = aMove(state, { from: { published: [PATH] } });
      await expect(store.published!.publish(source, headers)).rejects.toMatchObject({ code: "unavailable" });
      expect(store.published!.urlOf("x")).toBe("old/x");
      expect(await store.published!.takeBack(source, headers)).toEqual({ etag: "e" });
      expect(calls.at(-1)).toBe("old take back");
    }
    const { store } = aMove("settling");
    expect(await store.published!.publish(source, headers)).toEqual({ etag: "e" });
    expect(store.published!.urlOf("x")).toBe("new/x");
  });

  test("the calls of other paths stay at their storage", async () => {
    const { store, from, to } = aMove("copying", { from: { paths: [PATH] }, to: { paths: ["b"] } });
    const routed = routeByPath(to, async (path) => (path === PATH ? store : null));
    expect(await routed.head("b")).toMatchObject({ etag: "new" });
    expect(await routed.head(PATH)).toMatchObject({ etag: "old" });
    await routed.remove(PATH);
    expect(await from.head(PATH)).toBeNull();
  });
});
