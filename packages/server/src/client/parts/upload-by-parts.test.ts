import { createHash, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Readable } from "node:stream";
import { choosePartSize } from "@stowage/schemas/rules";
import { hangsUp, says } from "@stowage/service-fake";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { aClientSetup, unavailable, type ClientSetup } from "../../../test/client-setup.js";
import { refusesPut } from "../../../test/fake-storage.js";
import { IncompleteUploadError, type UploadInput } from "../index.js";

type Answer = Parameters<ClientSetup["storage"]["next"]>[0];

let setup: ClientSetup;
let folder: string;
beforeEach(async () => {
  setup = await aClientSetup();
  folder = await mkdtemp(join(tmpdir(), "stowage-parts-"));
});
afterEach(async () => {
  await setup[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const PART = 1000;
const bytes = randomBytes(4500);
const parts = { tenantId: "u", filename: "a.bin", multipartFrom: 2 * PART, partSize: PART };
const md5 = (part: Uint8Array) => createHash("md5").update(part).digest();

/** The PUTs of each part: the number in order of arrival, and what storage has in the end. */
const sentNumbers = () =>
  setup.storage.puts.map(({ path }) => Number(new URL(path, "http://s").searchParams.get("partNumber")));
const storedBytes = () => {
  const last = new Map(setup.storage.puts.map((put, index) => [sentNumbers()[index]!, put.bytes]));
  return Buffer.concat([...last].toSorted(([a], [b]) => a - b).map(([, part]) => part));
};
const calledPaths = () => setup.service.calls.map(({ method, path }) => `${method} ${path.split("?")[0]}`);
const openPaths = () => [...setup.service.multiparts.keys()];

const sources: [string, () => UploadInput][] = [
  ["a path", () => ({ ...parts, file: join(folder, "a.bin") })],
  ["a Blob", () => ({ ...parts, file: new Blob([bytes]) })],
  ["bytes", () => ({ ...parts, file: new Uint8Array(bytes) })],
  ["a Readable", () => ({ ...parts, file: Readable.from(unevenChunks()), size: bytes.length })],
  ["a Web stream", () => ({ ...parts, file: new Blob([bytes]).stream(), size: bytes.length })],
];

function* unevenChunks() {
  for (let start = 0; start < bytes.length; start += 333) yield bytes.subarray(start, start + 333);
}

describe("an upload by parts", () => {
  test.each(sources)(
    "sends %s in parts, each with its MD5 signed, and completes it",
    async (_name, input) => {
      await writeFile(join(folder, "a.bin"), bytes);
      const file = await setup.createClient().upload({ ...input(), metadata: { a: "b" } });
      expect(file).toMatchObject({ status: "stored", size: bytes.length, metadata: { a: "b" } });
      expect(sentNumbers().toSorted()).toEqual([1, 2, 3, 4, 5]);
      expect(storedBytes().equals(bytes)).toBe(true);
      for (const put of setup.storage.puts) {
        expect(put.headers["content-md5"]).toBe(md5(put.bytes).toString("base64"));
        expect(put.headers).not.toHaveProperty("transfer-encoding");
      }
      expect(calledPaths()[0]).toBe("POST /api/storage/uploads/");
      expect(calledPaths().at(-1)).toBe("POST /api/storage/complete/");
    },
  );

  test("is chosen from the threshold on, and never for an empty file or one with an MD5 of its own", async () => {
    setup.service.next(setup.ticket);
    const client = setup.createClient();
    const input = { tenantId: "u", filename: "a", partSize: PART };
    await client.upload({ ...input, file: bytes, multipartFrom: bytes.length + 1 });
    setup.service.next(setup.ticket);
    await client.upload({ ...input, file: new Uint8Array(), multipartFrom: 0 });
    setup.service.next(setup.ticket);
    const contentMd5 = md5(bytes).toString("base64");
    await client.upload({ ...input, file: bytes, multipartFrom: 0, contentMd5 });
    expect(new Set(setup.calledActions())).toEqual(new Set(["upload", "complete"]));
    await client.upload({ ...input, file: bytes, multipartFrom: bytes.length });
    expect(setup.calledActions()).toContain("uploads");
  });

  test("signs the parts of a path in groups, and sends no more PUTs at the same time than allowed", async () => {
    await writeFile(join(folder, "a.bin"), randomBytes(20 * PART));
    const held: (() => void)[] = [];
    const hold: Answer = (request, response) => {
      held.push(() => refusesPut(500, "InternalError")(request, response));
    };
    for (let number = 1; number <= 20; number++) setup.storage.answerPart(number, hold);
    const upload = setup.createClient().upload({ ...parts, file: join(folder, "a.bin"), concurrency: 3 });
    const signCalls = () => calledPaths().filter((path) => path.endsWith("/parts/"));
    await expect.poll(signCalls).toHaveLength(2);
    await expect.poll(() => held.length).toBe(3);
    for (let number = 1; number <= 20; number++) setup.storage.answerPart(number, undefined);
    for (const refuse of held) refuse();
    await upload;
    const signed = setup.service.calls
      .filter(({ path }) => path === "/api/storage/uploads/parts/")
      .map(({ body }) => (body["parts"] as { number: number }[]).map(({ number }) => number));
    expect(signed.filter((numbers) => numbers.length > 1)).toEqual([
      [1, 2, 3, 4, 5, 6],
      [7, 8, 9, 10, 11, 12],
      [13, 14, 15, 16, 17, 18],
      [19, 20],
    ]);
  });

  test("holds at most one part of a stream for each PUT in memory", async () => {
    let readBytes = 0;
    let most = 0;
    const file = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          if (readBytes === 20 * PART) return controller.close();
          controller.enqueue(Buffer.alloc(100));
          readBytes += 100;
          most = Math.max(most, readBytes - setup.storage.puts.length * PART);
        },
      },
      { highWaterMark: 0 },
    );
    await setup.createClient().upload({ ...parts, file, size: 20 * PART, concurrency: 2 });
    // 100 more bytes: the chunk that belongs to the next part.
    expect(most).toBeLessThanOrEqual(2 * PART + 100);
  });

  test.each([
    ["an expired URL", refusesPut(403, "AccessDenied")],
    ["an internal error of storage", refusesPut(500, "InternalError")],
    ["a broken connection", (request: { destroy(): void }) => void request.destroy()],
  ])(
    "sends only the failed part again, also of a stream, with a fresh URL after %s",
    async (_name, answer) => {
      setup.storage.next(answer as ReturnType<typeof refusesPut>);
      const file = Readable.from(unevenChunks());
      await setup.createClient().upload({ ...parts, file, size: bytes.length });
      expect(storedBytes().equals(bytes)).toBe(true);
      expect(sentNumbers()).toHaveLength(5);
      const signed = () => calledPaths().filter((path) => path.endsWith("/parts/"));
      expect(signed()).toHaveLength(6);
      setup.storage.next(answer as ReturnType<typeof refusesPut>);
      await setup.createClient().upload({ ...parts, file: bytes });
      // All parts in one call, and the failed part once more.
      expect(signed()).toHaveLength(6 + 2);
    },
  );

  test("continues while the service does not answer for a moment", async () => {
    const opened = new Promise<void>((resolve) => {
      void setup.createClient().upload({ ...parts, file: bytes, onOpen: () => resolve() });
    });
    setup.service.next(hangsUp);
    await opened;
    setup.service.next(unavailable, unavailable, unavailable, unavailable);
    await expect.poll(() => setup.service.files.length).toBe(1);
    expect(storedBytes().equals(bytes)).toBe(true);
  });

  test("opens one upload although the first answer was lost", async () => {
    setup.service.next(hangsUp);
    await setup.createClient().upload({ ...parts, file: bytes });
    const keys = setup.service.calls.slice(0, 2).map(({ idempotencyKey }) => idempotencyKey);
    expect(keys[0]).toEqual(expect.any(String));
    expect(keys[1]).toBe(keys[0]);
  });

  test("sends lost parts again if the service finds them missing", async () => {
    let isLost = false;
    const file = await setup.createClient().upload({
      ...parts,
      file: bytes,
      onProgress: ({ sentBytes, sizeBytes }) => {
        // Storage loses a part at the end.
        if (sentBytes < sizeBytes || isLost) return;
        isLost = true;
        setup.service.next((call, response) => {
          const upload = setup.service.multiparts.get(String(call.body["file_path"]));
          upload?.parts.delete(2);
          const code = { "X-Error-Code": "upload_incomplete" };
          says(409, { detail: "Upload is incomplete: 4 of 5 parts are stored" }, code)(call, response);
        });
      },
    });
    expect(file.status).toBe("stored");
    expect(sentNumbers().slice(5)).toEqual([2]);
  });

  test("reports its progress up to the size, also when a part is sent twice", async () => {
    setup.storage.next(refusesPut(500, "InternalError"));
    const seen: number[] = [];
    await setup.createClient().upload({
      ...parts,
      file: bytes,
      onProgress: ({ sentBytes, sizeBytes }) => {
        expect(sizeBytes).toBe(bytes.length);
        seen.push(sentBytes);
      },
    });
    expect(Math.max(...seen)).toBe(bytes.length);
    expect(seen.at(-1)).toBe(bytes.length);
  });

  test("refuses wrong options before it calls the service", async () => {
    const client = setup.createClient();
    const upload = (options: object) => client.upload({ ...parts, file: bytes, ...options });
    await expect(upload({ concurrency: 0 })).rejects.toThrow(/^upload: concurrency must be a whole number/);
    await expect(upload({ multipartFrom: "6GiB" })).rejects.toThrow(/^upload: multipartFrom must be at most/);
    await expect(upload({ resume: "p", contentMd5: "x" })).rejects.toThrow(TypeError);
    expect(setup.service.calls).toEqual([]);
  });
});

describe("a failed upload by parts", () => {
  /** Part 3 fails for good, after parts 1 and 2. */
  async function fail(input: Partial<UploadInput> = {}): Promise<IncompleteUploadError> {
    setup.storage.answerPart(3, refusesPut(400, "InvalidRequest"));
    const error: unknown = await setup
      .createClient()
      .upload({ ...parts, file: bytes, concurrency: 1, ...input } as UploadInput)
      .catch((thrown: unknown) => thrown);
    setup.storage.answerPart(3, undefined);
    setup.storage.puts.length = 0;
    expect(error).toBeInstanceOf(IncompleteUploadError);
    return error as IncompleteUploadError;
  }

  test("is kept, and its error has the path that was announced when it was opened", async () => {
    const opened: string[] = [];
    const error = await fail({ onOpen: ({ filePath }) => void opened.push(filePath) });
    expect(error).toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(/400 InvalidReq/),
    });
    expect([error.filePath]).toEqual(opened);
    expect(openPaths()).toEqual(opened);
  });

  test.each(sources)("is resumed from %s: only the missing parts are sent", async (_name, input) => {
    await writeFile(join(folder, "a.bin"), bytes);
    const { filePath } = await fail();
    const seen: number[] = [];
    const onProgress = ({ sentBytes }: { sentBytes: number }) => void seen.push(sentBytes);
    const file = await setup.createClient().upload({ ...input(), resume: filePath, onProgress });
    expect(file).toMatchObject({ filePath, status: "stored" });
    expect(sentNumbers().toSorted()).toEqual([3, 4, 5]);
    expect(storedBytes().equals(bytes.subarray(2 * PART))).toBe(true);
    expect([seen[0], seen.at(-1)]).toEqual([PART, bytes.length]);
  });

  test("is never mixed with another file of the same size", async () => {
    const { filePath } = await fail();
    const other = Buffer.from(bytes).fill(7, 0, PART);
    await setup.createClient().upload({ ...parts, file: other, resume: filePath });
    expect(sentNumbers().toSorted()).toEqual([1, 3, 4, 5]);
    expect(setup.storage.puts.find(({ path }) => path.includes("partNumber=1&"))?.bytes).toEqual(
      other.subarray(0, PART),
    );
  });

  test("replaces another file's parts before its last missing part is sent, so that no mixture is completed", async () => {
    const { filePath } = await fail();
    const rest = bytes.subarray(3 * PART);
    for (const [index, number] of [4, 5].entries()) {
      const part = rest.subarray(index * PART, (index + 1) * PART);
      setup.service.storePart(filePath, { number, size: part.length, etag: md5(part).toString("hex") });
    }
    // Part 1 fails, but only after all parts that need not wait for it.
    let refuseFirst: (() => void) | undefined;
    setup.storage.answerPart(1, (request, response) => {
      setup.storage.answerPart(1, undefined);
      refuseFirst = () => refusesPut(500, "InternalError")(request, response);
    });
    const file = Readable.from([randomBytes(bytes.length)]);
    const upload = setup.createClient().upload({ ...parts, file, size: bytes.length, resume: filePath });
    await expect.poll(() => sentNumbers().toSorted()).toEqual([2, 4, 5]);
    await expect.poll(() => refuseFirst).toBeDefined();
    refuseFirst!();
    await upload;
    expect(sentNumbers().slice(-2)).toEqual([1, 3]);
  });

  test("is not touched by another file if no part is missing", async () => {
    const { filePath } = await fail();
    for (const number of [3, 4, 5]) {
      const part = bytes.subarray((number - 1) * PART, number * PART);
      setup.service.storePart(filePath, { number, size: part.length, etag: md5(part).toString("hex") });
    }
    const client = setup.createClient();
    const other = client.upload({ ...parts, file: randomBytes(bytes.length), resume: filePath });
    await expect(other).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(/are not the parts of this file/),
    });
    expect(setup.storage.puts).toEqual([]);
    expect(await client.upload({ ...parts, file: bytes, resume: filePath })).toMatchObject({ filePath });
    expect(setup.storage.puts).toEqual([]);
  });

  test("is sent again as a whole if ETags are not MD5s", async () => {
    const { filePath } = await fail();
    for (const number of [1, 2])
      setup.service.storePart(filePath, { number, size: PART, etag: `"kms-${number}"` });
    await setup.createClient().upload({ ...parts, file: bytes, resume: filePath });
    expect(sentNumbers().toSorted()).toEqual([1, 2, 3, 4, 5]);
  });

  test("is found with one call, however many uploads are open", async () => {
    const { filePath } = await fail();
    const client = setup.createClient();
    for (let count = 0; count < 101; count++) {
      await client.openUpload({ tenantId: "u", filename: "b", size: 1 });
    }
    setup.service.calls.length = 0;
    expect(await client.upload({ ...parts, file: bytes, resume: filePath })).toMatchObject({ filePath });
    expect(calledPaths()).toEqual([
      "GET /api/storage/uploads/parts/",
      "POST /api/storage/uploads/parts/",
      "POST /api/storage/complete/",
    ]);
  });

  test("is not resumed by a file of another size, and nothing is sent", async () => {
    const { filePath } = await fail();
    const shorter = setup.createClient().upload({ ...parts, file: bytes.subarray(1), resume: filePath });
    await expect(shorter).rejects.toMatchObject({
      code: "invalid_request",
      message: expect.stringMatching(/has 4499 bytes, but the upload was opened for 4500/),
    });
    expect(setup.storage.puts).toEqual([]);
    expect(openPaths()).toEqual([filePath]);
  });

  test("is not resumed by another tenant", async () => {
    const { filePath } = await fail();
    const stranger = setup.createClient().upload({ ...parts, tenantId: "x", file: bytes, resume: filePath });
    await expect(stranger).rejects.toMatchObject({ code: "file_not_found" });
    expect(openPaths()).toEqual([filePath]);
  });

  test("is cancelled if the stream is longer than announced: its size was wrong", async () => {
    const file = Readable.from([bytes, bytes]);
    const upload = setup.createClient().upload({ ...parts, file, size: bytes.length });
    await expect(upload).rejects.toThrow(/has more than the 4500 announced bytes/);
    expect(openPaths()).toEqual([]);
  });

  test("is kept if the stream breaks, so that a new stream can resume it", async () => {
    async function* broken() {
      yield bytes.subarray(0, 2500);
      throw new Error("the source is gone");
    }
    const client = setup.createClient();
    const file = Readable.from(broken());
    const error = await client
      .upload({ ...parts, file, size: bytes.length })
      .catch((thrown: unknown) => thrown as IncompleteUploadError);
    expect(error).toMatchObject({ message: expect.stringMatching(/could not be read: the source is gone/) });
    const again = Readable.from(unevenChunks());
    const input = { ...parts, file: again, size: bytes.length, resume: error.filePath };
    expect(await client.upload(input)).toMatchObject({ status: "stored" });
    expect(storedBytes().equals(bytes)).toBe(true);
  });

  test.each([
    ["a part that is read again", 2],
    ["parts that were sent, and parts that were not read yet", 1],
  ])("does not become a file if the file at its path changes meanwhile: %s", async (_name, changed) => {
    const path = join(folder, "a.bin");
    const before = randomBytes(10 * PART);
    await writeFile(path, before);
    const after = Buffer.from(before);
    for (const number of [changed, 10]) after.fill(7, (number - 1) * PART, number * PART);
    setup.storage.answerPart(2, (request, response) => {
      setup.storage.answerPart(2, undefined);
      writeFileSync(path, after);
      refusesPut(500, "InternalError")(request, response);
    });
    const client = setup.createClient();
    const upload = client.upload({ ...parts, file: path, concurrency: 1 });
    await expect(upload).rejects.toMatchObject({
      code: "invalid_request",
      filePath: expect.stringMatching(/^projects/),
      message: expect.stringMatching(/was changed during its upload$/),
    });
    // Without its last part, nothing else completes it either.
    expect(sentNumbers()).not.toContain(10);
  });

  test("says what to do if the service is out of reach", async () => {
    const client = setup.createClient({ retries: { attempts: 0 } });
    const onOpen = () => setup.service.next(hangsUp);
    const upload = client.upload({ ...parts, file: bytes, onOpen });
    await expect(upload).rejects.toMatchObject({
      code: "unavailable",
      filePath: expect.stringMatching(/^projects/),
      message: expect.stringMatching(/could not be reached/),
    });
  });
});

describe("a complete upload by parts", () => {
  test("is the result of its resumption, after its bytes were compared by the ETag", async () => {
    const client = setup.createClient();
    const { filePath } = await client.upload({ ...parts, file: bytes });
    setup.storage.puts.length = 0;
    expect(await client.upload({ ...parts, file: bytes, resume: filePath })).toMatchObject({ filePath });
    const file = Readable.from(unevenChunks());
    const stream = client.upload({ ...parts, file, size: bytes.length, resume: filePath });
    expect(await stream).toMatchObject({ filePath });
    const other = client.upload({ ...parts, file: randomBytes(bytes.length), resume: filePath });
    await expect(other).rejects.toMatchObject({ code: "upload_already_stored" });
    expect(setup.storage.puts).toEqual([]);
  });

  test("is compared by the parts that the service chose for storage that takes few of them", async () => {
    const large = randomBytes(31 * 1024 ** 2);
    const input = { tenantId: "u", filename: "a.bin", multipartFrom: 0 };
    for (const partSize of [choosePartSize(large.length), choosePartSize(large.length, 4)]) {
      const client = setup.createClient();
      const { filePath } = await client.upload({ ...input, file: large, partSize });
      expect(await client.upload({ ...input, file: large, resume: filePath })).toMatchObject({ filePath });
      const other = Buffer.concat([large.subarray(1), large.subarray(0, 1)]);
      await expect(client.upload({ ...input, file: other, resume: filePath })).rejects.toMatchObject({
        code: "upload_already_stored",
      });
    }
  });

  describe("that another process completed in the meantime", () => {
    /** Opens an upload that another process completes while its first part is sent. */
    async function aRace(): Promise<string> {
      const client = setup.createClient();
      const { filePath } = await client.openUpload({
        tenantId: "u",
        filename: "a",
        size: 4500,
        partSize: PART,
      });
      setup.storage.next((request, response) => {
        for (const number of [1, 2, 3, 4, 5]) {
          const part = bytes.subarray((number - 1) * PART, number * PART);
          const etag = md5(part).toString("hex");
          setup.service.storePart(filePath, { number, size: part.length, etag });
        }
        void client.completeUpload(filePath).then(() => refusesPut(404, "NoSuchUpload")(request, response));
      });
      return filePath;
    }

    test("is compared too", async () => {
      const input = { ...parts, resume: await aRace(), concurrency: 1 };
      const other = setup.createClient().upload({ ...input, file: randomBytes(4500) });
      await expect(other).rejects.toMatchObject({ code: "upload_already_stored" });
    });

    test("is kept if the comparison is aborted", async () => {
      const job = new AbortController();
      const reason = new Error("the job was cancelled");
      const file = new Blob([bytes]);
      const slice = file.slice.bind(file);
      file.slice = (...range) => {
        const completions = setup.calledActions().filter((action) => action === "complete");
        if (completions.length === 2) job.abort(reason);
        return slice(...range);
      };
      const input = { ...parts, file, resume: await aRace(), concurrency: 1 };
      await expect(setup.createClient().upload(input, { signal: job.signal })).rejects.toBe(reason);
      // A deletion starts before the upload rejects, so it arrives before this call.
      await setup.createClient().usage("u");
      expect(setup.calledActions()).not.toContain("delete");
    });
  });

  test.each(sources)(
    "is refused if another process sent a part of another file: %s",
    async (_name, input) => {
      await writeFile(join(folder, "a.bin"), bytes);
      let filePath = "";
      const upload = setup.createClient().upload({
        ...input(),
        onOpen: (opened) => void ({ filePath } = opened),
        onProgress({ sentBytes, sizeBytes }) {
          if (sentBytes < sizeBytes) return;
          // The sender's own parts arrive before the call to complete, and the other process's part after them.
          setup.service.next((call, response) => {
            setup.service.storePart(filePath, {
              number: 1,
              size: PART,
              etag: randomBytes(16).toString("hex"),
            });
            unavailable(call, response);
          });
        },
      });
      await expect(upload).rejects.toMatchObject({
        code: "upload_already_stored",
        message: expect.stringMatching(/has other bytes than this file/),
      });
      expect(setup.service.files.map(({ file_path }) => file_path)).toEqual([filePath]);
    },
  );

  test("is not compared if the ETags of its parts are not MD5s", async () => {
    let filePath = "";
    for (const number of [1, 2, 3, 4, 5]) {
      setup.storage.answerPart(number, (request, response) => {
        void request.toArray().then((chunks: Buffer[]) => {
          const etag = randomBytes(16).toString("hex");
          setup.service.storePart(filePath, { number, size: Buffer.concat(chunks).length, etag });
          response.writeHead(200, { ETag: etag }).end();
        });
      });
    }
    const onOpen = (opened: { filePath: string }) => void ({ filePath } = opened);
    const upload = setup.createClient().upload({ ...parts, file: bytes, onOpen });
    expect(await upload).toMatchObject({ status: "stored" });
  });
});

describe("an aborted upload by parts", () => {
  const reason = new Error("the job was cancelled");
  const abortAfter = async (input: Partial<UploadInput>, arm: (abort: () => void) => void) => {
    const job = new AbortController();
    arm(() => job.abort(reason));
    const upload = setup
      .createClient()
      .upload({ ...parts, file: bytes, ...input } as UploadInput, { signal: job.signal });
    await expect(upload).rejects.toBe(reason);
  };

  test("is deleted on the service, also while it is opened or completed", async () => {
    await abortAfter({}, (abort) => setup.storage.next(() => abort()));
    await expect.poll(openPaths).toEqual([]);
    await abortAfter({}, (abort) => {
      setup.service.next((call, response) => {
        abort();
        says(503, { detail: "Service temporarily unavailable" }, { "Retry-After": "0" })(call, response);
      });
    });
    const deletions = () => setup.calledActions().filter((action) => action === "delete");
    await expect.poll(deletions).toHaveLength(2);
    expect(openPaths()).toEqual([]);
    let abortNow = () => {};
    const onProgress = ({ sentBytes, sizeBytes }: { sentBytes: number; sizeBytes: number }) => {
      if (sentBytes === sizeBytes) setup.service.next(() => abortNow());
    };
    await abortAfter({ onProgress }, (abort) => (abortNow = abort));
    await expect.poll(deletions).toHaveLength(3);
  });

  test("can be kept, and resumed", async () => {
    let filePath = "";
    const onOpen = (upload: { filePath: string }) => void (filePath = upload.filePath);
    await abortAfter({ keepOnAbort: true, onOpen }, (abort) => setup.storage.answerPart(2, () => abort()));
    setup.storage.answerPart(2, undefined);
    expect(setup.calledActions()).not.toContain("delete");
    const input = { ...parts, file: bytes, resume: filePath };
    expect(await setup.createClient().upload(input)).toMatchObject({ filePath });
  });

  test.each(["onOpen", "onProgress"])("is removed too after an error of %s", async (callback) => {
    const failure = new Error("the caller's own");
    const fails = () => {
      throw failure;
    };
    const upload = setup.createClient().upload({ ...parts, file: bytes, [callback]: fails });
    await expect(upload).rejects.toBe(failure);
    await expect.poll(openPaths).toEqual([]);
  });
});
