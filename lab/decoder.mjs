// `pnpm lab decoder`: what images cost the process that decodes them. docs/decisions/0051 and images/decode/transform.ts name these figures.
//
// Each line is the median of several child processes with sharp and thumbhash, as the decoder uses them. Memory is the largest resident size
// less that of the same process before the work.
import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";

const service = createRequire(new URL("../apps/service/package.json", import.meta.url));
const pathOf = (name) => JSON.stringify(service.resolve(name));
const ROUNDS = 3;
const WIDTH = 4096;
const HEIGHT = 3072;

/** Like a photo for an encoder: soft shapes with noise. */
const photo = (width, height, channels = 3) => `
  sharp({ create: { width: ${width} / 8, height: ${height} / 8, channels: 3, background: "#777",
    noise: { type: "gaussian", mean: 128, sigma: 40 } } })
    .png().toBuffer()
    .then((small) => sharp(small).resize(${width}, ${height}, { kernel: "cubic" })${channels === 4 ? ".ensureAlpha(0.5)" : ""})`;

const encode = (options, channels = 3) => ({
  prepare: `const input = await (await ${photo(WIDTH, HEIGHT, channels)}).raw().toBuffer({ resolveWithObject: true });`,
  work: `await sharp(input.data, { raw: input.info }).avif(${JSON.stringify({ quality: 50, ...options })}).toBuffer();`,
});

const decode = (options, { width = WIDTH, height = HEIGHT, channels = 3 } = {}) => ({
  prepare: `const input = await (await ${photo(width, height, channels)}).avif(${JSON.stringify({ effort: 0, ...options })}).toBuffer();`,
  work: `await sharp(input).raw().toBuffer();`,
});

const smallPhoto = {
  prepare: `const input = await (await ${photo(1632, 1224)}).jpeg().toBuffer();`,
  work: `const output = await sharp(input).resize(320).webp().toBuffer();
    const { data, info } = await sharp(output).resize(100, 100, { fit: "inside" }).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
    rgbaToThumbHash(info.width, info.height, data);`,
  times: 30,
};

const rows = {
  "JPEG of 2 MP to WebP of 320": smallPhoto,
  "the same with --jitless": { ...smallPhoto, flags: ["--jitless"] },
  "AVIF of 12.6 MP, 4:4:4, effort 2": encode({ chromaSubsampling: "4:4:4", effort: 2 }),
  "AVIF of 12.6 MP, 4:2:0, effort 2": encode({ chromaSubsampling: "4:2:0", effort: 2 }),
  "AVIF of 12.6 MP, 4:2:0, effort 0": encode({ chromaSubsampling: "4:2:0", effort: 0 }),
  "the same with transparency": encode({ chromaSubsampling: "4:2:0", effort: 0 }, 4),
  "decode an AVIF of 12.6 MP, 4:2:0": decode({ chromaSubsampling: "4:2:0" }),
  "the same, 4:4:4, transparent": decode({ chromaSubsampling: "4:4:4" }, { channels: 4 }),
  "the same, 4:4:4, 10 bits": decode({ chromaSubsampling: "4:4:4", bitdepth: 10 }),
  "decode an AVIF of 24 MP, 4:4:4": decode({ chromaSubsampling: "4:4:4" }, { width: 6000, height: 4000 }),
};

function programOf({ prepare, work, times = 1 }) {
  return `
    const sharp = require(${pathOf("sharp")});
    import(${pathOf("thumbhash")}).then(async ({ rgbaToThumbHash }) => {
      sharp.concurrency(1);
      sharp.cache(false);
      ${prepare}
      // A process decodes many images, so its code is compiled by then.
      for (let time = 1; time < ${times}; time++) {
        ${work}
      }
      const memory = () => Number(/VmHWM:\\s+(\\d+)/.exec(require("node:fs").readFileSync("/proc/self/status", "utf8"))[1]) / 1024;
      // Forgets the peak of the preparation.
      require("node:fs").writeFileSync("/proc/self/clear_refs", "5");
      const before = { cpu: process.cpuUsage(), megabytes: memory() };
      for (let time = 0; time < ${times}; time++) {
        ${work}
      }
      const { user, system } = process.cpuUsage(before.cpu);
      console.log(JSON.stringify({ ms: (user + system) / 1000 / ${times}, megabytes: memory() - before.megabytes }));
    });`;
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

console.log(`node ${process.version}, sharp ${service("sharp").versions.sharp}, ${ROUNDS} processes a row`);
for (const [name, row] of Object.entries(rows)) {
  const results = Array.from({ length: ROUNDS }, () => {
    const { stdout, stderr } = spawnSync(process.execPath, [...(row.flags ?? []), "-e", programOf(row)], {
      encoding: "utf8",
      timeout: 120_000,
    });
    if (!stdout) throw new Error(stderr);
    return JSON.parse(stdout);
  });
  const megabytes = median(results.map((result) => result.megabytes));
  const cpu = `${median(results.map(({ ms }) => ms)).toFixed(0)} ms of CPU`;
  console.log(`${name.padEnd(36)} ${cpu.padStart(18)} ${megabytes.toFixed(0).padStart(6)} MB`);
}
