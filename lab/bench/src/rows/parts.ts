import { join } from "node:path";
import { summarise } from "../measure/statistics.js";
import { ratios, takeTurns } from "../measure/take-turns.js";
import { makeFile } from "../processes/make-file.js";
import type { Figure, Row, RowTools } from "../row.js";
import { byPage } from "./by-page.js";
import { requireUppy, uppyPage } from "./parts-stage.js";
import { type WidgetStage, widgetStage } from "./widget-stage.js";

const ROUNDS = Number(process.env["ROUNDS"] ?? 3);
const LOOPBACK_MEBIBYTES = 1024;
/** One PUT of more hardly ever passes a line whose connections last for 20 MB. */
const ONE_PUT_MEBIBYTES = 48;
const SLOW_MEBIBYTES = Number(process.env["SLOW_MEBIBYTES"] ?? 256);
/** `AGAINST=uppy6` measures only this side, over the slow line. */
const ONLY = process.env["AGAINST"];
/** Uppy's default. The widget begins with it too. */
const MANY_AT_ONCE = 6;
const FEW_AT_ONCE = 4;
const SLOW_LINE = "over a slow line";

type Sides = Record<string, () => Promise<number>>;

/** Uploads by parts, in Chromium: on this machine, and over a line with delay and cuts. */
export const partsRow: Row = {
  name: "parts",
  async run(tools) {
    requireUppy();
    return [...(ONLY === undefined ? await onLoopback(tools) : []), ...(await overSlowLine(tools))];
  },
};

async function onLoopback(tools: RowTools): Promise<Figure[]> {
  const stage = await widgetStage(tools);
  const file = await aFile(stage, LOOPBACK_MEBIBYTES);
  const sides = {
    parts: async () => byPage(await stage.open(), [file]),
    onePut: async () => byPage(await stage.open("?put"), [file]),
  };
  const seconds = await measure(tools, `${LOOPBACK_MEBIBYTES} MiB on loopback`, sides, { warmUps: 1 });
  return [
    compare(seconds, {
      measured: `the widget: ${LOOPBACK_MEBIBYTES} MiB by parts, on loopback`,
      side: "onePut",
      against: "the widget's single PUT",
      target: { atLeast: 0.95 },
    }),
  ];
}

async function overSlowLine(tools: RowTools): Promise<Figure[]> {
  const stage = await widgetStage(tools, true);
  const openUppy = await uppyPage(stage, tools);
  let seed = 0;
  /** In one round all sides meet the same series of cuts. */
  const overLine = (round: () => Promise<number>) => async () => {
    for (const line of stage.lines) await line.restart(seed);
    return round();
  };
  const widget = (file: string, query?: string) =>
    overLine(async () => byPage(await stage.open(query), [file]));
  const uppy = (atOnce: number) => (file: string) =>
    overLine(async () => byPage(await openUppy(atOnce), [file]));
  const uppyText = (atOnce: number) => `Uppy 5.1 with ${atOnce} parts at once`;
  const sizes: { mebibytes: number; others: OtherSide[] }[] = [
    {
      mebibytes: ONE_PUT_MEBIBYTES,
      others: [{ side: "onePut", against: "the widget's single PUT", time: (file) => widget(file, "?put") }],
    },
    {
      mebibytes: SLOW_MEBIBYTES,
      others: [
        { side: "uppy4", against: uppyText(FEW_AT_ONCE), time: uppy(FEW_AT_ONCE) },
        { side: "uppy6", against: uppyText(MANY_AT_ONCE), time: uppy(MANY_AT_ONCE) },
      ],
    },
  ];

  const figures: Figure[] = [];
  for (const { mebibytes, others } of sizes) {
    const wanted = others.filter(({ side }) => ONLY === undefined || side === ONLY);
    if (wanted.length === 0) continue;
    const file = await aFile(stage, mebibytes);
    const sides = Object.fromEntries(wanted.map(({ side, time }) => [side, time(file)]));
    const seconds = await measure(
      tools,
      `${mebibytes} MiB ${SLOW_LINE}`,
      { parts: widget(file), ...sides },
      { warmUps: 0, onRound: () => seed++ },
    );
    const measured = `the widget: ${mebibytes} MiB by parts, ${SLOW_LINE}`;
    for (const { side, against } of wanted)
      figures.push(compare(seconds, { measured, side, against, target: { atLeast: 1 } }));
  }
  return figures;
}

interface OtherSide {
  side: string;
  against: string;
  /** @returns sends a file and returns the seconds */
  time(file: string): () => Promise<number>;
}

async function aFile({ folder }: WidgetStage, mebibytes: number): Promise<string> {
  const path = join(folder, `${mebibytes}.bin`);
  await makeFile(path, mebibytes);
  return path;
}

/** @returns the seconds of each side in each round */
async function measure(
  { say }: RowTools,
  what: string,
  sides: Sides,
  { warmUps, onRound = () => undefined }: { warmUps: number; onRound?: () => void },
): Promise<Record<string, number[]>> {
  let turns = 0;
  const timed = Object.entries(sides).map(([name, time]) => [
    name,
    async () => {
      if (turns++ % Object.keys(sides).length === 0) onRound();
      const seconds = await time();
      say(`${what}, ${name}: ${seconds.toFixed(1)} s`);
      return seconds;
    },
  ]);
  return takeTurns<string>(Object.fromEntries(timed), { rounds: ROUNDS, warmUps });
}

function compare(
  seconds: Record<string, number[]>,
  { side, measured, against, target }: { side: string } & Pick<Figure, "measured" | "against" | "target">,
): Figure {
  return {
    measured,
    against,
    ratio: summarise(ratios(seconds[side]!, seconds["parts"]!)),
    target,
    details: `${summarise(seconds["parts"]!).median.toFixed(1)} s and ${summarise(seconds[side]!).median.toFixed(1)} s`,
  };
}
