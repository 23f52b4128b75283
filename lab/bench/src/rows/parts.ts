import { join } from "node:path";
import { choosePartSize } from "@stowage/schemas/rules";
import { summarise } from "../measure/statistics.js";
import { ratios, takeTurns } from "../measure/take-turns.js";
import { makeFile } from "../processes/make-file.js";
import type { Figure, Row, RowTools } from "../row.js";
import { byPage } from "./by-page.js";
import { requireUppy, uppyPage } from "./parts-stage.js";
import { type WidgetStage, widgetStage } from "./widget-stage.js";

const ROUNDS = Number(process.env["ROUNDS"] ?? 3);
const MEBIBYTE = 1024 ** 2;
const LOOPBACK_MEBIBYTES = 1024;
/** One PUT of more hardly ever passes a line whose connections last for 20 MB. */
const ONE_PUT_MEBIBYTES = 48;
const SLOW_MEBIBYTES = (process.env["SLOW_MEBIBYTES"] ?? "96,256").split(",").map(Number);
/** `AGAINST=uppy5,uppy6` measures only these sides, over the slow line. */
const ONLY = process.env["AGAINST"]?.split(",");
const SLOW_LINE = "over a slow line";

type Sides = Record<string, () => Promise<number>>;

/** Uploads by parts, in Chromium: on this machine, and over a line with delay and cuts. */
export const partsRow: Row = {
  name: "parts",
  async run(tools) {
    requireUppy();
    return [...(ONLY ? [] : await onLoopback(tools)), ...(await overSlowLine(tools))];
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
  const uppy5 = await uppyPage(5, stage, tools);
  const uppy6 = await uppyPage(6, stage, tools);
  let seed = 0;
  /** In one round all sides meet the same series of cuts. */
  const overLine = (round: () => Promise<number>) => async () => {
    for (const line of stage.lines) await line.restart(seed);
    return round();
  };
  const widget = (file: string, query?: string) =>
    overLine(async () => byPage(await stage.open(query), [file]));
  /** Its file has as many parts as the widget's. */
  const uppy = (open: typeof uppy5, mebibytes: number) => (file: string) =>
    overLine(async () => byPage(await open(choosePartSize(mebibytes * MEBIBYTE)), [file]));
  const sizes: { mebibytes: number; others: OtherSide[] }[] = [
    {
      mebibytes: ONE_PUT_MEBIBYTES,
      others: [
        {
          side: "onePut",
          against: "the widget's single PUT",
          atLeast: 1,
          time: (file) => widget(file, "?put"),
        },
      ],
    },
    ...SLOW_MEBIBYTES.map((mebibytes) => ({
      mebibytes,
      others: [
        { side: "uppy6", against: "Uppy 6.3", atLeast: 1.15, time: uppy(uppy6, mebibytes) },
        {
          side: "uppy5",
          against: "Uppy 5.1, which sends six parts at once",
          atLeast: 1,
          time: uppy(uppy5, mebibytes),
        },
      ],
    })),
  ];

  const figures: Figure[] = [];
  for (const { mebibytes, others } of sizes) {
    const wanted = others.filter(({ side }) => !ONLY || ONLY.includes(side));
    if (wanted.length === 0) continue;
    const file = await aFile(stage, mebibytes);
    const sides = Object.fromEntries(wanted.map(({ side, time }) => [side, time(file)]));
    const seconds = await measure(
      tools,
      `${mebibytes} MiB ${SLOW_LINE}`,
      { parts: widget(file), ...sides },
      { warmUps: 0, onRound: (round) => (seed = round) },
    );
    const measured = `the widget: ${mebibytes} MiB by parts, ${SLOW_LINE}`;
    for (const { side, against, atLeast } of wanted)
      figures.push(compare(seconds, { measured, side, against, target: { atLeast } }));
  }
  return figures;
}

interface OtherSide {
  side: string;
  against: string;
  /** The target of the other side's time divided by the widget's. */
  atLeast: number;
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
  options: { warmUps: number; onRound?: (round: number) => void },
): Promise<Record<string, number[]>> {
  const timed = Object.entries(sides).map(([name, time]) => [
    name,
    async () => {
      const seconds = await time();
      say(`${what}, ${name}: ${seconds.toFixed(1)} s`);
      return seconds;
    },
  ]);
  return takeTurns<string>(Object.fromEntries(timed), { rounds: ROUNDS, ...options });
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
