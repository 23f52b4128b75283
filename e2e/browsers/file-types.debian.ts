import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { accepts, mayAccept, mediaTypeOfName } from "@stowage/schemas/rules";
import { expect, test } from "vitest";
import { aFolder } from "../fixtures/a-run.js";
import { BROWSERS } from "./fixtures/browsers.js";

/** Extensions of files that people have: of phones, cameras, offices, programmers and laboratories. */
const EXTENSIONS =
  "jpg jpeg jpe jfif png gif webp avif apng bmp tif tiff ico svg heic heif hif jxl jp2 psd ai eps dng cr2 cr3 nef arw raf orf rw2 pef srw " +
  "mp3 m4a m4b aac flac wav aif aiff ogg oga opus wma amr mid midi caf mka weba mp4 m4v mov qt avi mkv webm ogv wmv flv mpg mpeg 3gp 3g2 " +
  "mts m2ts vob txt log md csv tsv json jsonl ndjson geojson xml html htm css js mjs ts tsx jsx py rb rs go java kt swift c h cpp cs php sh " +
  "bat ps1 sql yaml yml toml ini cfg tex diff srt vtt ics vcf eml msg pdf doc docx xls xlsx ppt pptx odt ods odp rtf pages numbers key epub " +
  "mobi xps vsdx mpp zip rar 7z gz tgz bz2 xz zst tar jar apk exe msi dmg iso deb rpm ttf otf woff woff2 stl obj glb gltf usdz step 3mf dwg " +
  "dxf skp parquet arrow avro sqlite h5 mat sav dta npy nc ipynb wasm torrent gpx kml kmz dcm";

test.each(BROWSERS)("%s: each file is accepted for its own type", async (_name, open) => {
  await using folder = await aFolder();
  await using page = await open();
  await mkdir(folder.path, { recursive: true });
  const names = EXTENSIONS.split(" ").flatMap((extension) => [
    `a.${extension}`,
    `B.${extension.toUpperCase()}`,
  ]);
  const paths = await Promise.all(
    names.map(async (name) => {
      const path = join(folder.path, name);
      await writeFile(path, name);
      return path;
    }),
  );
  await page.goto("data:text/html,<input type=file multiple>");
  await page.choose("//input", paths);
  const files = await page.evaluate<{ name: string; type: string }[]>(
    `[...document.querySelector("input").files].map(({ name, type }) => ({ name, type }))`,
  );
  expect(files).toHaveLength(names.length);

  const sent = files.map((file) => ({ ...file, own: mediaTypeOfName(file.name) }));
  const known = sent.filter(({ own }) => own !== undefined);
  console.log(
    `${page.version}: ${known.filter(({ own, type }) => own !== type).length} of ${known.length} files have another type`,
  );
  const isAccepted = (accept: string, file: { name: string; type: string }) =>
    accepts(accept, file) && mayAccept(accept, file);
  const refused = known.filter(
    (file) => !isAccepted(file.own!, file) || !isAccepted(file.own!.replace(/\/.*/, "/*"), file),
  );
  expect(refused).toEqual([]);
  expect(sent.filter(({ own, name }) => own === undefined && name !== "a.npy" && name !== "B.NPY")).toEqual(
    [],
  );
});
