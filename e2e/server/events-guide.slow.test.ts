import { createStowageClient } from "@stowage/server/client";
import { expect, inject, test } from "vitest";
import { aProject } from "../fixtures/a-project.js";
import { importExample } from "../fixtures/build-guide-page.js";

interface Guide {
  follow(
    cursor: string | undefined,
    save: (paths: string[], nextCursor: string) => Promise<void>,
    signal: AbortSignal,
  ): Promise<void>;
}

test("the code of docs/events.md has every file once it is started again after an outage", async () => {
  const { apiKey } = await aProject();
  const { url: baseUrl } = inject("stowage");
  const { follow } = await importExample<Guide>("events.md", "follow.ts", apiKey);
  const client = createStowageClient({ apiKey, baseUrl });
  const upload = async (filename: string) =>
    (await client.upload({ tenantId: "ada", filename, file: Buffer.from(filename) })).filePath;

  /** What the application keeps: both are saved together. */
  const saved = { paths: [] as string[], cursor: undefined as string | undefined };
  const start = () => {
    const stopping = new AbortController();
    const save = async (paths: string[], nextCursor: string) => {
      saved.paths.push(...paths);
      saved.cursor = nextCursor;
    };
    const ended = follow(saved.cursor, save, stopping.signal).catch((error: unknown) => {
      if (!stopping.signal.aborted) throw error;
    });
    return async () => {
      stopping.abort();
      await ended;
    };
  };
  const has = (paths: string[]) => expect.poll(() => saved.paths, { timeout: 60_000 }).toEqual(paths);

  const before = await upload("before.txt");
  const stop = start();
  await has([before]);
  const live = await upload("live.txt");
  await has([before, live]);
  await stop();

  const missed = [await upload("missed 1.txt"), await upload("missed 2.txt")];
  await client.updateFile(live, { filename: "renamed.txt" }, { tenantId: "ada" });
  expect(saved.paths).toEqual([before, live]);
  const stopAgain = start();
  await has([before, live, ...missed]);
  const later = await upload("later.txt");
  await has([before, live, ...missed, later]);
  await stopAgain();
});
