#!/usr/bin/env node
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { launchChromium } from "@stowage/chromium";
import sharp from "sharp";
import { checkout } from "@stowage/local/src/checkout.js";
import { readSettings } from "@stowage/local/src/settings.js";
import { startLocal } from "@stowage/local/src/start-local.js";

/*
 * Films the widget of the example app for README.md: three files are chosen, the network fails and comes back, all arrive.
 *
 *   npx pnpm lab capture                     writes docs/widget.webp
 *   npx pnpm lab capture --out FILE.webp     or FILE.gif
 *
 * It starts its own Stowage on free ports, with data in a temporary folder. Build first: npx turbo run build
 */
const { values } = parseArgs({ options: { out: { type: "string", default: "docs/widget.webp" } } });
const FRAMES_PER_SECOND = 8;
const MAX_FRAMES = 160;
/** Of the picture, in CSS pixels: the box with three files. */
const HEIGHT = 540;
const UPLOAD_BYTES_PER_SECOND = 900_000;
/** Where the network fails, and how long it is away. */
const OUTAGE = { atFrame: 24, frames: 16 };
/** The last picture stays for two seconds. */
const LAST_FRAMES = 2 * FRAMES_PER_SECOND;

const folder = await mkdtemp(join(tmpdir(), "stowage-capture-"));
const local = await startLocal(readSettings({ PORT: "0", STOWAGE_DATA_DIR: join(folder, "data") }, checkout));
try {
  const frames = await film(local.exampleUrl);
  const delay = Math.round(1000 / FRAMES_PER_SECOND);
  const out = resolve(process.env.INIT_CWD ?? ".", values.out);
  // `effort` and `minSize` cost seconds here and save half of the bytes that each reader loads.
  const animation = sharp(frames, { join: { animated: true } });
  const encoded = out.endsWith(".gif")
    ? animation.gif({ delay: frames.map(() => delay), loop: 0, effort: 10 })
    : animation.webp({ delay: frames.map(() => delay), loop: 0, quality: 80, effort: 6, minSize: true });
  const { size } = await encoded.toFile(out);
  console.log(`${out}: ${frames.length} frames, ${size} bytes`);
} finally {
  await local.stop();
  await rm(folder, { recursive: true, force: true });
}

/** Uploads three files in the example app and returns a picture for each frame. */
async function film(url) {
  const browser = await launchChromium();
  try {
    const page = await browser.newPage({ viewport: { width: 900, height: 1000 }, colorScheme: "light" });
    page.setDefaultTimeout(15_000);
    await page.goto(url);
    await page.getByText("Drag files here").waitFor();
    const box = await page.locator(".stowage").first().boundingBox();
    const clip = { x: box.x - 16, y: box.y - 16, width: box.width + 32, height: HEIGHT };
    const picture = () => page.screenshot({ clip });

    const frames = [await picture(), await picture(), await picture(), await picture()];
    await throttle(page);
    await page
      .locator("input[type=file]")
      .first()
      .setInputFiles(await filesToUpload());
    while (frames.length < MAX_FRAMES) {
      const start = Date.now();
      if (frames.length === OUTAGE.atFrame) await page.context().setOffline(true);
      if (frames.length === OUTAGE.atFrame + OUTAGE.frames) {
        await page.context().setOffline(false);
        // The browser forgets the limit while it is offline.
        await throttle(page);
      }
      frames.push(await picture());
      if ((await page.getByText("Uploaded", { exact: true }).count()) === 3) break;
      await page.waitForTimeout(Math.max(0, 1000 / FRAMES_PER_SECOND - (Date.now() - start)));
    }
    for (let n = 0; n < LAST_FRAMES; n += 1) frames.push(await picture());
    return frames;
  } finally {
    await browser.close();
  }
}

/** Slows the page's uploads down. */
async function throttle(page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Network.emulateNetworkConditions", {
    offline: false,
    latency: 40,
    downloadThroughput: -1,
    uploadThroughput: UPLOAD_BYTES_PER_SECOND,
  });
}

/** Writes a picture and two files of plausible sizes. Returns their paths. */
async function filesToUpload() {
  const sunset = `<svg xmlns="http://www.w3.org/2000/svg" width="1600" height="1200"><defs><linearGradient id="sky" x2="0" y2="1">
    <stop stop-color="#312e81"/><stop offset="0.6" stop-color="#f97316"/><stop offset="1" stop-color="#fde68a"/></linearGradient></defs>
    <rect width="1600" height="1200" fill="url(#sky)"/><circle cx="800" cy="800" r="220" fill="#fef3c7"/></svg>`;
  const picture = await sharp(Buffer.from(sunset)).png().toBuffer();
  const files = {
    "Sunset.png": picture,
    "Contract 2026.pdf": Buffer.alloc(2_400_000, 1),
    "Interview.mp4": Buffer.alloc(6_200_000, 2),
  };
  return Promise.all(
    Object.entries(files).map(async ([name, bytes]) => {
      const path = join(folder, name);
      await writeFile(path, bytes);
      return path;
    }),
  );
}
