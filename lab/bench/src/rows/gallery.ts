import { join } from "node:path";
import { launchChromium } from "@stowage/chromium";
import type { Browser } from "playwright-core";
import { summarise } from "../measure/statistics.js";
import { ratios, takeTurns } from "../measure/take-turns.js";
import { makeFolder } from "../processes/make-file.js";
import { startChild } from "../processes/start-child.js";
import { storeSettings } from "../processes/start-dev-store.js";
import { type Listening, startService } from "../processes/start-service.js";
import { type SlowLine, startSlowLine } from "../processes/start-slow-line.js";
import type { Row, RowTools } from "../row.js";
import { imageStage, makePhoto } from "./image-stage.js";
import { buildPage } from "./widget-stage.js";

const ROUNDS = 7;
const PHOTOS = 200;
/** The tenant of `sides/widget-host.ts`. */
const TENANT = "bench";
const VIEWPORT = { width: 1280, height: 800 };
const LIMIT_MS = 120_000;

type SideName = "variants" | "originals";

/** The first screen of a gallery in Chromium over a slow line: variants against the photos themselves. */
export const galleryRow: Row = {
  name: "gallery",
  async run(tools) {
    const { open, restartLines } = await galleryStage(tools);
    const megabytes: Record<SideName, number[]> = { variants: [], originals: [] };
    let images = 0;
    const side = (name: SideName) => async () => {
      await restartLines(megabytes[name].length);
      const screen = await open(name === "variants" ? "?variant=thumb" : "");
      tools.say(
        `${name}: ${screen.images} images in ${screen.seconds.toFixed(2)} s, ${screen.megabytes.toFixed(2)} MB`,
      );
      megabytes[name].push(screen.megabytes);
      images = screen.images;
      return screen.seconds;
    };
    const seconds = await takeTurns(
      { variants: side("variants"), originals: side("originals") },
      { rounds: ROUNDS, warmUps: WARM_UPS },
    );
    for (const values of Object.values(megabytes)) values.splice(0, WARM_UPS);
    const measured = `the first screen of a gallery of ${PHOTOS} photos, over a slow line`;
    const figure = (what: string, unit: string, values: Record<SideName, number[]>, atMost: number) => ({
      measured: `${measured}: ${what}`,
      against: "the photos themselves, of 3 megapixels",
      ratio: summarise(ratios(values.variants, values.originals)),
      target: { atMost },
      details: `${images} images: ${median(values.variants)} and ${median(values.originals)} ${unit}`,
    });
    return [
      figure("bytes of images until it is complete", "MB", megabytes, 0.1),
      figure("time until it is complete", "s", seconds, 0.5),
    ];
  },
};

const WARM_UPS = 1;

const median = (values: number[]) => summarise(values).median.toPrecision(3);

interface Screen {
  images: number;
  seconds: number;
  /** Bodies of images that have arrived, also of those below the first screen. */
  megabytes: number;
}

/** A customer's page with a gallery, its backend, service, storage and worker. All variants are made. */
async function galleryStage(tools: RowTools) {
  const lines: SlowLine[] = [];
  const reach = async (url: string): Promise<string> => {
    const line = await startSlowLine(url, tools);
    lines.push(line);
    return line.url;
  };
  const stage = await imageStage(tools, "server");
  const folder = await makeFolder(tools);
  const photo = join(folder, "photo.jpg");
  await makePhoto(photo);
  await stage.setPreset("thumb", "--width", "320", "--height", "320", "--fit", "cover", "--eager", "on");
  await stage.startWorker("server");
  await stage.storeImages(photo, PHOTOS, TENANT);
  await stage.untilReady(PHOTOS);

  // Only the browser reaches storage over a line. The photos were stored without one.
  const settings = { ...storeSettings(stage.store), S3_PUBLIC_ENDPOINT: await reach(stage.store.endpoint) };
  const { port } = (await startService(stage.databaseUrl, tools, settings)).ready;
  const pageDir = join(folder, "page");
  await buildPage(new URL("../../gallery", import.meta.url), pageDir);
  const host = await startChild<Listening>(import.meta.resolve("#sides/widget-host.js"), {
    role: "others",
    env: { STOWAGE_API_KEY: stage.apiKey, STOWAGE_URL: `http://127.0.0.1:${port}`, PAGE_DIR: pageDir },
  });
  tools.atEnd(() => host.stop());
  const pageUrl = await reach(`http://127.0.0.1:${host.ready.port}`);
  const browser = await launchChromium();
  tools.atEnd(() => browser.close());
  return {
    open: (query: string) => openGallery(browser, `${pageUrl}/${query}`),
    /** In one round both sides meet the same series of cuts. */
    restartLines: async (seed: number) => {
      for (const line of lines) await line.restart(seed);
    },
  };
}

/** Opens the gallery as a first visit, and waits until its first screen is complete. */
async function openGallery(browser: Browser, url: string): Promise<Screen> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  try {
    const page = await context.newPage();
    const devTools = await context.newCDPSession(page);
    await devTools.send("Network.enable");
    const images = new Set<string>();
    let bytes = 0;
    devTools.on("Network.responseReceived", ({ requestId, type, response }) => {
      // Placeholders are images too, with a URL of their own data.
      if (type === "Image" && response.url.startsWith("http")) images.add(requestId);
    });
    devTools.on("Network.dataReceived", ({ requestId, dataLength }) => {
      if (images.has(requestId)) bytes += dataLength;
    });
    await page.goto(url);
    await page.waitForFunction("window.firstScreen !== undefined", undefined, { timeout: LIMIT_MS });
    const megabytes = bytes / 1e6;
    const { ms, images: shown } = await page.evaluate<{ ms: number; images: number }>("window.firstScreen");
    return { images: shown, seconds: ms / 1000, megabytes };
  } finally {
    await context.close();
  }
}
