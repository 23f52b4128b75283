import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, open, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MINUTE_MS } from "#lib/time.js";
import { DecoderFailedError } from "../decode/process.js";
import type { PosterMaker } from "../make-variant.js";
import { type FilmParts, readFilm, UnreadableFilmError } from "./read-film.js";

export interface PosterOptions {
  /** The path of the program. */
  ffmpeg: string;
  /** CPU time. */
  timeLimitSeconds: number;
  memoryBytes: number;
}

/** Other codecs are not decoded, nor is sound. */
const CODECS = "h264,hevc,vp8,libvpx,vp9,libvpx-vp9,av1,libdav1d,libaom-av1,mpeg4,mjpeg,prores";
const MAX_PIXELS = 50_000_000;
/** A picture of what happens in the first two seconds, and not of a black beginning: the typical one of up to twelve. */
const FILTERS = [
  "select='not(mod(n\\,5))'",
  // Square pixels.
  "scale='trunc(iw*sar)':ih,setsar=1",
  "scale='min(2560,iw)':'min(2560,ih)':force_original_aspect_ratio=decrease",
  "thumbnail=12",
].join();
/** Behind the parts that were read, pictures are damaged. */
const INPUT =
  "-nostdin -hide_banner -loglevel error -max_error_rate 1 -protocol_whitelist file -threads 1 -t 2";
const OUTPUT = "-map 0:V:0 -frames:v 1 -filter_threads 1 -c:v png -f image2pipe";

/** Ends a process that waits for something. */
const STUCK_LIMIT_MS = MINUTE_MS;
/** 2560 × 2560 pixels without compression, and a little more. */
const MAX_PICTURE_BYTES = 24 * 1024 ** 2;
const MAX_WORDS = 2000;

/** @returns a maker of posters for the worker */
export function createPosterMaker(options: PosterOptions): PosterMaker {
  return async (sizeBytes, read, signal) => {
    const film = await readFilm(sizeBytes, (at, length) => read({ at, length }));
    return film && makePoster({ ...film, sizeBytes }, options, signal);
  };
}

/**
 * Makes a PNG of the first seconds of a film, turned as the camera was held. The program runs like an image decoder: without settings and
 * keys, with limits of memory and CPU time that the system enforces, and writes no file. It reads one file, in a format that is given.
 *
 * @throws {UnreadableFilmError} if there is no picture, which another try would find again
 * @throws {DecoderFailedError} if there was no time or memory, or the program crashed or does not start
 */
async function makePoster(
  film: FilmParts & { sizeBytes: number },
  options: PosterOptions,
  signal: AbortSignal,
): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), "stowage-film-"));
  try {
    const file = join(folder, "film");
    await writeParts(file, film);
    return await runProgram(file, film.container, options, signal);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** What was not read is a hole, which takes no space. */
async function writeParts(file: string, { parts, sizeBytes }: FilmParts & { sizeBytes: number }) {
  const handle = await open(file, "wx", 0o600);
  try {
    await handle.truncate(sizeBytes);
    for (const { at, bytes } of parts) await handle.write(bytes, 0, bytes.length, at);
  } finally {
    await handle.close();
  }
}

async function runProgram(
  file: string,
  container: string,
  { ffmpeg, timeLimitSeconds, memoryBytes }: PosterOptions,
  signal: AbortSignal,
): Promise<Buffer> {
  const from = ["-f", container, "-codec_whitelist", CODECS, "-max_pixels", String(MAX_PIXELS)];
  const program = [
    ffmpeg,
    ...INPUT.split(" "),
    ...from,
    "-i",
    `file:${file}`,
    ...OUTPUT.split(" "),
    "-vf",
    FILTERS,
    "pipe:1",
  ];
  const limits = 'ulimit -d "$1" && ulimit -t "$2" && ulimit -f 0 && ulimit -c 0 && shift 2 && exec "$@"';
  const numbers = [Math.ceil(memoryBytes / 1024), timeLimitSeconds].map(String);
  const child = spawn("/bin/sh", ["-c", limits, "sh", ...numbers, ...program], {
    env: {},
    stdio: ["ignore", "pipe", "pipe"],
    signal: AbortSignal.any([signal, AbortSignal.timeout(STUCK_LIMIT_MS)]),
    killSignal: "SIGKILL",
  });
  // An abort is also an error of the process.
  child.on("error", () => undefined);
  const picture: Buffer[] = [];
  let length = 0;
  child.stdout.on("data", (chunk: Buffer) => {
    length += chunk.length;
    if (length > MAX_PICTURE_BYTES) child.kill("SIGKILL");
    else picture.push(chunk);
  });
  let words = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (words = (words + text).slice(-MAX_WORDS)));
  const [code, ended] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  signal.throwIfAborted();
  if (code === 0 && length > 0) return Buffer.concat(picture);
  throw describeEnd({ code, signal: ended, words });
}

/** The shell's codes of a program that it cannot run. */
const NOT_RUN = [126, 127];
const OUT_OF_TIME: (NodeJS.Signals | null)[] = ["SIGXCPU", "SIGKILL"];

function describeEnd(end: { code: number | null; signal: NodeJS.Signals | null; words: string }): Error {
  const { code, signal, words } = end;
  if (/cannot allocate memory|failed to allocate|out of memory/i.test(words))
    return new DecoderFailedError("memory", "FFmpeg needed more memory than it may have", words);
  if (OUT_OF_TIME.includes(signal))
    return new DecoderFailedError("time", `FFmpeg took too much time (${signal})`, words);
  if (signal !== null || NOT_RUN.includes(code ?? 0))
    return new DecoderFailedError("crashed", `FFmpeg ended (${signal ?? code})`, words);
  return new UnreadableFilmError("FFmpeg finds no picture in the first seconds of the film");
}
