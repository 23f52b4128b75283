import { join } from "node:path";
import { createContext, Script } from "node:vm";
import { rolldown } from "rolldown";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import manifest from "../package.json" with { type: "json" };
import type { createUploadStore, FileSource, UploadSettings, UploadStore } from "../src/index.js";
import type { de } from "../src/locales/de.js";
import { type Backend, startBackend } from "./backend.js";
import { phoneGlobals } from "./phone-globals.js";
import { ended, failureOf } from "./store.js";

const ROOT = join(import.meta.dirname, "..");
const ENTRY = "no-page-entry";

interface Client {
  createUploadStore: typeof createUploadStore;
  de: typeof de;
}

let bundle: Script;
beforeAll(async () => {
  const leftOut = Object.keys(manifest["react-native"]).map((path) =>
    join(ROOT, path.replace("./dist", "src")),
  );
  const built = await rolldown({
    cwd: ROOT,
    input: ENTRY,
    resolve: { conditionNames: ["source", "import", "default"], extensionAlias: { ".js": [".ts", ".js"] } },
    plugins: [
      {
        name: "entry",
        resolveId: (id: string) => (id === ENTRY ? id : null),
        load(id: string) {
          if (id === ENTRY) {
            return `export * from ${JSON.stringify(join(ROOT, "src/index.ts"))};
              export { de } from ${JSON.stringify(join(ROOT, "src/locales/de.ts"))};`;
          }
          // What Metro, the bundler of React Native, does with the files that `package.json` leaves out.
          return leftOut.includes(id.replace(/\.ts$/, ".js"))
            ? "export const importAgain = undefined, createMd5Worker = undefined;"
            : null;
        },
      },
    ],
  });
  const { output } = await built.generate({ format: "iife", name: "client", codeSplitting: false });
  bundle = new Script(`${output[0].code}; client;`);
});

let backend: Backend;
beforeEach(async () => {
  backend = await startBackend();
});
afterEach(() => backend.close());

/** The client in a realm that has only the language and the globals of a phone. */
function onPhone(more: object = {}) {
  const logged: string[] = [];
  const realm = createContext({ ...phoneGlobals((...texts) => logged.push(texts.join(" "))), ...more });
  const client = bundle.runInContext(realm) as Client;
  const aList = (settings: Partial<UploadSettings> = {}): UploadStore => {
    const store = client.createUploadStore({ endpoint: backend.endpoint, ...settings });
    store.subscribe(() => {});
    return store;
  };
  return { client, aList, logged, realm };
}

function aSource(size: number): FileSource & { bytes: Buffer<ArrayBuffer> } {
  const bytes = Buffer.alloc(size, "0123456789abcdef!");
  return {
    name: "film.mp4",
    type: "video/mp4",
    size,
    bytes,
    slice: (start, end) => bytes.subarray(start, end),
  };
}

test("has no global of a page", () => {
  const { realm } = onPhone();
  for (const name of [
    "window",
    "document",
    "location",
    "addEventListener",
    "indexedDB",
    "localStorage",
    "crypto",
  ]) {
    expect(new Script(`typeof ${name}`).runInContext(realm), name).toBe("undefined");
  }
  expect(new Script("typeof Blob.prototype.stream").runInContext(realm)).toBe("undefined");
});

test("uploads a source by one PUT, and one by parts, where there is no page", async () => {
  Object.assign(backend.settings, { multipartFrom: 6_000_000, partSize: 5 * 1024 ** 2 });
  const { aList, logged } = onPhone();
  const store = aList({ resumable: true });
  const [small, large] = [aSource(100_000), aSource(12_000_001)];
  store.add([small, large]);
  expect(store.isRunning()).toBe(true);
  await ended(store, "done", "done");
  expect(backend.of("put")[0]?.body).toBe(small.bytes.toString("latin1"));
  const parted = [...backend.stored.values()].find(({ size }) => size === 12_000_001);
  expect(parted?.bytes?.equals(large.bytes)).toBe(true);
  expect(logged).toEqual([]);
});

test("uploads a file of React Native, whose Blob cannot be read", async () => {
  const { aList, realm } = onPhone();
  const file = new Script(
    `new File([new Blob(["hello"])], "hello.txt", { type: "text/plain" })`,
  ).runInContext(realm);
  const store = aList();
  store.add([file as File]);
  await ended(store, "done");
  expect(backend.of("put")[0]?.body).toBe("hello");
});

test("pauses, resumes, cancels, retries and removes where there is no page", async () => {
  const { aList } = onPhone();
  const store = aList();
  backend.nextAnswers.put.push("hang", { status: 412 });
  store.add([aSource(1000)]);
  const [{ id } = { id: "" }] = store.getSnapshot().items;
  await expect.poll(() => backend.of("put").length).toBe(1);
  store.pause(id);
  store.resume(id);
  await ended(store, "failed");
  store.retry(id);
  await ended(store, "done");
  store.remove(id);
  store.reset();
  expect(store.getSnapshot().items).toEqual([]);
});

test("has its texts where the language has no plural rules and no lists", async () => {
  const intl = {
    NumberFormat: Intl.NumberFormat,
    DateTimeFormat: Intl.DateTimeFormat,
    Collator: Intl.Collator,
  };
  const { aList, client } = onPhone({ Intl: intl });
  const store = aList({ maxFiles: 2, accept: "video/*,.pdf", errorMessages: client.de.errors, locale: "de" });
  const file = aSource(10);
  store.add([{ ...file, name: "a.txt", type: "text/plain" }, file, { ...file }, { ...file }]);
  await ended(store, "failed", "done", "done", "failed");
  expect(failureOf(store, 0)?.message).toContain("PDF");
  expect(failureOf(store, 3)?.message).toContain("2 Dateien");
});

test("says in one sentence what add needs", () => {
  const { aList } = onPhone();
  expect(() => aList().add([{ uri: "file:///a.jpg", name: "a.jpg" }] as unknown as FileSource[])).toThrow(
    "Add files, or sources with name, type, size and slice()",
  );
});
