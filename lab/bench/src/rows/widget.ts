import { randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { summarise } from "../measure/statistics.js";
import { ratios, takeTurns } from "../measure/take-turns.js";
import { makeFile } from "../processes/make-file.js";
import { timeCommand } from "../processes/time-command.js";
import type { UnwatchedPage } from "../processes/unwatched-page.js";
import type { Figure, Row, RowTools } from "../row.js";
import { byBarePage } from "./by-bare-page.js";
import { byPage } from "./by-page.js";
import { PATIENCE_MS, TYPE, type WidgetStage, widgetStage } from "./widget-stage.js";

const LARGE_MEBIBYTES = 2048;
/** FILES sets the number for a short run of this part only, with one round. */
const MANY = Number(process.env["FILES"] ?? 1000);
const IS_WHOLE = process.env["FILES"] === undefined;
const ROUNDS = IS_WHOLE ? 3 : 1;
const MANY_BYTES = 100_000;
/** The widget's default concurrency. */
const AT_ONCE = 6;
const ADDED = 5000;
const LONG_MS = 50;

/** `LINE=slow` measures only the many files over a slow line. */
const ONLY_SLOW = process.env["LINE"] === "slow";

/** The widget in Chromium compared with curl, to the same dev-store. curl gets its URLs in advance. */
export const widgetRow: Row = {
  name: "widget",
  async run(tools) {
    const slow = await overSlowLine(tools);
    return ONLY_SLOW ? [slow] : [...(await onLoopback(tools)), slow];
  },
};

async function onLoopback(tools: RowTools): Promise<Figure[]> {
  const stage = await widgetStage(tools);
  const many = await makeMany(stage.folder);
  const compare = async (
    what: string,
    files: string[],
    sizeBytes: number,
    target?: Figure["target"],
  ): Promise<Figure> => {
    const bare = "a page that only PUTs them, to URLs that it has";
    const sides: Record<string, () => Promise<number>> = {
      "the widget": async () => byPage(await stage.open(), files),
      curl: () => byCurl(stage, files, sizeBytes),
    };
    // With one file this side would show nothing.
    if (files.length > 1)
      sides[bare] = async () => byBarePage(stage, files, await requestUrls(stage, files, sizeBytes), AT_ONCE);
    const timed = Object.entries(sides).map(([name, time]) => [
      name,
      async () => {
        const seconds = await time();
        tools.say(`${what} by ${name}: ${seconds.toFixed(2)} s`);
        return seconds;
      },
    ]);
    const seconds = await takeTurns<string>(Object.fromEntries(timed), { rounds: ROUNDS });
    return {
      measured: `the widget: ${what}, to dev-store`,
      against: "`curl -T`",
      ratio: summarise(ratios(seconds["curl"]!, seconds["the widget"]!)),
      target,
      details: Object.entries(seconds)
        .map(([name, values]) => `${name}: ${summarise(values).median.toFixed(1)} s`)
        .join(", "),
    };
  };
  const small = await compare(`${MANY} files of 100 kB`, many, MANY_BYTES);
  if (!IS_WHOLE) return [small];
  const large = join(stage.folder, "large.bin");
  await makeFile(large, LARGE_MEBIBYTES);
  return [
    await compare("one file of 2 GiB", [large], LARGE_MEBIBYTES * 1024 ** 2, { atLeast: 0.95 }),
    small,
    await countLongFrames(stage),
  ];
}

/**
 * Many files over a line with delay (`sides/slow-line.ts`), where people are. On this machine alone, page, backend and database share a core that
 * is busy; here the page waits for answers, so this shows whether all connections to storage are in use.
 */
async function overSlowLine(tools: RowTools): Promise<Figure> {
  const stage = await widgetStage(tools, true);
  const files = await makeMany(stage.folder);
  let seed = 0;
  const overLine = async (what: string, time: () => Promise<number>) => {
    for (const line of stage.lines) await line.restart(seed);
    const seconds = await time();
    tools.say(`${MANY} files over a slow line by ${what}: ${seconds.toFixed(2)} s`);
    return seconds;
  };
  const seconds = await takeTurns(
    {
      widget: () => overLine("the widget", async () => byPage(await stage.open(), files)),
      async bare() {
        const urls = await requestUrls(stage, files, MANY_BYTES);
        return overLine("a page that only PUTs them", () => byBarePage(stage, files, urls, AT_ONCE));
      },
    },
    { rounds: ROUNDS, warmUps: 0, onRound: (round) => (seed = round) },
  );
  return {
    measured: `the widget: the time of ${MANY} files of 100 kB, over a slow line`,
    against: "a page that only PUTs them, to URLs that it has",
    ratio: summarise(ratios(seconds.widget, seconds.bare)),
    target: { atMost: 1.2 },
    details: `${summarise(seconds.widget).median.toFixed(1)} s and ${summarise(seconds.bare).median.toFixed(1)} s`,
  };
}

async function makeMany(folder: string): Promise<string[]> {
  const paths = Array.from({ length: MANY }, (_, n) => join(folder, `many-${n}.bin`));
  for (const path of paths) await writeFile(path, randomBytes(MANY_BYTES));
  return paths;
}

/** The service refuses a project that asks for more at once than its share. */
const URLS_AT_ONCE = 50;

async function requestUrls(stage: WidgetStage, files: string[], sizeBytes: number): Promise<string[]> {
  const urls: string[] = [];
  while (urls.length < files.length) {
    const count = Math.min(URLS_AT_ONCE, files.length - urls.length);
    const asked = Array.from({ length: count }, (_, n) =>
      stage.requestUrl(`${urls.length + n}.bin`, sizeBytes),
    );
    urls.push(...(await Promise.all(asked)));
  }
  return urls;
}

async function byCurl(stage: WidgetStage, files: string[], sizeBytes: number): Promise<number> {
  const urls = await requestUrls(stage, files, sizeBytes);
  const config = join(stage.folder, "curl.txt");
  const each = files.map(
    (file, n) =>
      `upload-file = "${file}"\nurl = "${urls[n]}"\nheader = "Content-Type: ${TYPE}"\nheader = "Expect:"\noutput = "/dev/null"`,
  );
  await writeFile(
    config,
    ['silent\nshow-error\nfail\nnoproxy = "*"', ...each].join("\nnext\n").replace("\nnext\n", "\n"),
  );
  const parallel = ["--parallel", "--parallel-immediate", "--parallel-max", String(AT_ONCE)];
  return timeCommand(["curl", ...parallel, "-K", config], { role: "others", timeoutMs: PATIENCE_MS });
}

/** Counts the long frames while thousands of files are added. The first frame includes the browser's own work. */
async function countLongFrames(stage: WidgetStage): Promise<Figure> {
  const counts = { waiting: [] as number[], sent: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    counts.waiting.push(await longFramesOf(await stage.open("?wait")));
    counts.sent.push(await longFramesOf(await stage.open()));
  }
  return {
    measured: `the widget: frames longer than ${LONG_MS} ms while ${ADDED} files are added, after the first`,
    against: "none",
    ratio: summarise(counts.waiting),
    target: { atMost: 0 },
    details: `${counts.waiting.join(", ")} in ${ROUNDS} pages; where they are sent at once, on the same core as backend and database: ${counts.sent.join(", ")}`,
  };
}

async function longFramesOf(page: UnwatchedPage): Promise<number> {
  try {
    return await page.evaluate(
      async ({ added, longMs }) => {
        const tasks: number[] = [];
        new PerformanceObserver((list) =>
          tasks.push(...list.getEntries().map(({ duration }) => duration)),
        ).observe({ type: "longtask" });
        const data = new DataTransfer();
        for (let n = 0; n < added; n++) data.items.add(new File([`file ${n}`], `file-${n}.txt`));
        const input = document.querySelector<HTMLInputElement>("input[type=file]")!;
        input.files = data.files;
        await new Promise((resolve) => setTimeout(resolve, 500));
        tasks.length = 0;
        input.dispatchEvent(new Event("change", { bubbles: true }));
        await new Promise((resolve) => setTimeout(resolve, 5000));
        return tasks.slice(1).filter((duration) => duration > longMs).length;
      },
      { added: ADDED, longMs: LONG_MS },
    );
  } finally {
    await page.close();
  }
}
