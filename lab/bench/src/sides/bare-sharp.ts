import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { rgbaToThumbHash } from "thumbhash";

/*
 * A loop that makes variants of one image in memory: what a program does that calls sharp itself. With `placeholders` it also makes the
 * ThumbHash, so it does everything that a decoder of `stowage worker` does.
 */

export interface SharpRun {
  path: string;
  count: number;
  quality: number;
  placeholders: boolean;
}

sharp.concurrency(1);
sharp.cache(false);

process.on("message", (run: SharpRun) => {
  void loop(run).then((seconds) => process.send?.({ seconds }));
});
process.once("SIGTERM", () => process.exit());
process.send?.({});

async function loop({ path, count, quality, placeholders }: SharpRun): Promise<number> {
  const input = await readFile(path);
  const open = () => sharp(input, { autoOrient: true, failOn: "error", pages: 1, sequentialRead: true });
  const startedAt = performance.now();
  for (let n = 0; n < count; n++) {
    await open().metadata();
    await open().resize(320, 320, { fit: "cover", withoutEnlargement: true }).webp({ quality }).toBuffer();
    if (!placeholders) continue;
    const { data, info } = await open()
      .resize(100, 100, { fit: "inside", withoutEnlargement: true })
      .toColourspace("srgb")
      .ensureAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    rgbaToThumbHash(info.width, info.height, data);
  }
  return (performance.now() - startedAt) / 1000;
}
