import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPosterMaker, type PosterOptions } from "#images/film/poster-frame.js";
import type { PosterMaker } from "#images/make-variant.js";
import { anImageProject, anImageWorker } from "../fixtures/an-image-project.js";
import { aWorld, type World } from "../fixtures/a-world.js";

const options: PosterOptions = {
  ffmpeg: "/usr/bin/ffmpeg",
  timeLimitSeconds: 30,
  memoryBytes: 512 * 1024 ** 2,
};
const folder = mkdtempSync(join(tmpdir(), "films-"));
let world: World;
beforeAll(async () => {
  world = await aWorld();
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await world.close();
});

const SECOND = "color=red:s=320x180:r=30:d=1";
const H264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p";

/** @param args separated by spaces, after the input */
function aFilm(name: string, args = H264, inputs = ["color=red:s=320x180:r=30:d=3"]): Buffer {
  const file = join(folder, name);
  const from = inputs.flatMap((input) => ["-f", "lavfi", "-i", input]);
  execFileSync(options.ffmpeg, ["-v", "error", "-y", ...from, ...args.split(" "), file]);
  return readFileSync(file);
}

function posterOf(film: Buffer, changed: Partial<PosterOptions> = {}): Promise<Buffer | null> {
  const make: PosterMaker = createPosterMaker({ ...options, ...changed });
  const read = async ({ at, length }: { at: number; length: number }) => film.subarray(at, at + length);
  return make(film.length, read, new AbortController().signal);
}

async function describePoster(film: Buffer) {
  const poster = await posterOf(film);
  const { width, height, format } = await sharp(poster!).metadata();
  const { dominant } = await sharp(poster!).stats();
  const color = (["r", "g", "b"] as const).find((each) => dominant[each] > 150) ?? "black";
  return { width, height, format, color };
}

describe("a poster", () => {
  test.each([
    ["a.mp4", H264],
    ["end.mov", `${H264} -brand qt`],
    ["begin.mp4", `${H264} -movflags +faststart`],
    ["fragments.mp4", `${H264} -movflags frag_keyframe+empty_moov`],
    ["hevc.mp4", "-c:v libx265 -x265-params log-level=none -pix_fmt yuv420p10le -tag:v hvc1"],
    ["vp8.webm", "-c:v libvpx"],
    ["vp9.webm", "-c:v libvpx-vp9"],
    ["h264.mkv", H264],
    ["one-frame.mp4", `${H264} -frames:v 1`],
  ])("is made of %s", async (name, args) => {
    expect(await describePoster(aFilm(name, args))).toEqual({
      width: 320,
      height: 180,
      format: "png",
      color: "r",
    });
  });

  test("is made of a film with sound", async () => {
    const film = aFilm("sound.mp4", `${H264} -c:a aac -shortest`, [SECOND, "sine=d=1"]);
    expect(await describePoster(film)).toMatchObject({ color: "r" });
  });

  test("is turned as the camera was held, and has square pixels", async () => {
    aFilm("upright.mov");
    const turned = join(folder, "turned.mov");
    const copy = ["-v", "error", "-y", "-i", join(folder, "upright.mov"), "-c", "copy"];
    execFileSync(options.ffmpeg, [...copy, "-metadata:s:v", "rotate=90", turned]);
    expect(await describePoster(readFileSync(turned))).toMatchObject({ width: 180, height: 320 });
    const wide = aFilm("wide.mp4", `${H264} -vf setsar=2/1`);
    expect(await describePoster(wide)).toMatchObject({ width: 640, height: 180 });
  });

  test("is not the black beginning of a film", async () => {
    const film = aFilm("fade.mp4", `${H264} -filter_complex [0][1]concat`, [
      "color=black:s=320x180:r=30:d=0.3",
      "color=blue:s=320x180:r=30:d=3",
    ]);
    expect(await describePoster(film)).toMatchObject({ color: "b" });
  });

  test("of a large film has at most 2560 pixels on a side", async () => {
    const film = aFilm("large.mp4", H264, ["color=red:s=3840x2160:r=30:d=1"]);
    expect(await describePoster(film)).toMatchObject({ width: 2560, height: 1440 });
  });

  test("is made of the first bytes and the index of a film of 120 MB", async () => {
    const noise = "testsrc2=s=1280x720:r=30:d=3,noise=alls=100:allf=t";
    const film = aFilm("noise.mov", "-c:v mpeg4 -q:v 1 -pix_fmt yuv420p", [noise]);
    expect(film.length).toBeGreaterThan(100 * 1024 ** 2);
    let readBytes = 0;
    const read = async ({ at, length }: { at: number; length: number }) => {
      readBytes += length;
      return film.subarray(at, at + length);
    };
    const poster = await createPosterMaker(options)(film.length, read, new AbortController().signal);
    expect(await sharp(poster!).metadata()).toMatchObject({ width: 1280, height: 720 });
    expect(readBytes).toBeLessThan(33 * 1024 ** 2);
  });
});

describe("no poster is made", () => {
  test("of a playlist, which would name other files", async () => {
    writeFileSync(join(folder, "secret.ts"), "secret");
    const playlist = `#EXTM3U\n#EXTINF:1,\nfile://${join(folder, "secret.ts")}\n`;
    expect(await posterOf(Buffer.from(playlist))).toBeNull();
  });

  test.each([
    ["of sound alone", () => aFilm("sound.m4a", "-c:a aac", ["sine=d=1"])],
    ["of a film that was cut before its index", () => aFilm("cut.mp4").subarray(0, 2000)],
    ["of a codec that is not on the list", () => aFilm("old.mov", "-c:v svq1")],
    [
      "of a film whose pictures are damaged",
      () => damaged(aFilm("damaged.mp4", `${H264} -movflags +faststart`)),
    ],
  ])("%s", async (_, film) => {
    await expect(posterOf(film())).rejects.toMatchObject({ name: "UnreadableFilmError" });
  });

  test.each([
    ["memory", { memoryBytes: 8 * 1024 ** 2 }],
    ["time", { timeLimitSeconds: 1 }],
    ["a program", { ffmpeg: "/usr/bin/no-ffmpeg" }],
  ])("without %s, and a later try may make it", async (_, changed) => {
    const heavy = aFilm("heavy.mp4", H264, ["testsrc2=s=3840x2160:r=60:d=2"]);
    await expect(posterOf(heavy, changed)).rejects.toMatchObject({ name: "DecoderFailedError" });
  });
});

function damaged(film: Buffer): Buffer {
  const at = film.indexOf("mdat") + 4;
  return Buffer.concat([film.subarray(0, at), Buffer.alloc(film.length - at, 0xff)]);
}

test("a video has variants, no size, and leaves no file behind", async () => {
  const worker = anImageWorker(world, { posters: createPosterMaker(options) });
  const project = await anImageProject(world);
  const film = await project.store(aFilm("stored.mp4"), {
    filename: "film.mp4",
    content_type: "video/mp4",
  });
  const noFilm = await project.store(Buffer.from("no film"), {
    filename: "other.mp4",
    content_type: "video/mp4",
  });
  expect(await project.download(film)).toBe("variant_pending");
  expect(await worker.next()).toBe("made");
  const answer = await project.download(film);
  if (typeof answer === "string") throw new Error(answer);
  const picture = Buffer.from(await (await fetch(answer.presignedUrl)).arrayBuffer());
  expect(await sharp(picture).metadata()).toMatchObject({ width: 30, height: 17, format: "webp" });
  const rows = await world.rows("select image from files where project_id = $1", [project.id]);
  expect(rows).toEqual([{ image: null }, { image: null }]);
  expect(await project.download(noFilm)).toBe("variant_pending");
  expect(await worker.next()).toBe("impossible");
  await worker.close();
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith("stowage-film-"))).toEqual([]);
});
