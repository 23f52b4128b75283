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
const SLOW_MEBIBYTES = 256;
/** Uppy's default, with which the widget begins too. */
const MANY_AT_ONCE = 6;
const FEW_AT_ONCE = 4;
const SLOW_LINE = "over a slow line";

type Sides = Record<string, () => Promise<number>>;

/** Uploads by parts, in Chromium: on this machine, and over a line with delay and cuts. */
export const partsRow: Row = {
  name: "parts",
  async run(tools) {
    requireUppy();
    return [...(await onLoopback(tools)), ...(await overSlowLine(tools))];
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
  const small = await aFile(stage, ONE_PUT_MEBIBYTES);
  const large = await aFile(stage, SLOW_MEBIBYTES);
  const widget = (file: string, query?: string) =>
    overLine(async () => byPage(await stage.open(query), [file]));
  const uppy = (file: string, atOnce: number) => overLine(async () => byPage(await openUppy(atOnce), [file]));

  const bySize: Record<string, number[]>[] = [];
  for (const [mebibytes, sides] of [
    [ONE_PUT_MEBIBYTES, { parts: widget(small), onePut: widget(small, "?put") }],
    [
      SLOW_MEBIBYTES,
      { parts: widget(large), uppy4: uppy(large, FEW_AT_ONCE), uppy6: uppy(large, MANY_AT_ONCE) },
    ],
  ] as [number, Sides][])
    bySize.push(
      await measure(tools, `${mebibytes} MiB ${SLOW_LINE}`, sides, { warmUps: 0, onRound: () => seed++ }),
    );
  const [toPut, toUppy] = bySize as [Record<string, number[]>, Record<string, number[]>];
  const uppyFigure = (side: string, atOnce: number, target: Figure["target"]) =>
    compare(toUppy, {
      measured: `the widget: ${SLOW_MEBIBYTES} MiB by parts, ${SLOW_LINE}`,
      side,
      against: `Uppy 5.1 with ${atOnce} parts at once`,
      target,
    });
  return [
    compare(toPut, {
      measured: `the widget: ${ONE_PUT_MEBIBYTES} MiB by parts, ${SLOW_LINE}`,
      side: "onePut",
      against: "the widget's single PUT",
      target: { atLeast: 1 },
    }),
    uppyFigure("uppy4", FEW_AT_ONCE, { atLeast: 1 }),
    uppyFigure("uppy6", MANY_AT_ONCE, { atLeast: 1 }),
  ];
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
