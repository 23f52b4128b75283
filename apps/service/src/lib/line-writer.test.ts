import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, readFileSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { createLineWriter } from "./line-writer.js";

const LINE = `${"x".repeat(99)}\n`;

/** A named pipe with a reader that reads when the test says so. */
function aPipe() {
  const dir = mkdtempSync(join(tmpdir(), "stowage-pipe-"));
  const path = join(dir, "pipe");
  execFileSync("mkfifo", [path]);
  const openReader = () => openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  let reader = openReader();
  const fd = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  onTestFinished(() => {
    for (const open of [reader, fd]) closeSync(open);
    rmSync(dir, { recursive: true });
  });
  return {
    fd,
    closeReader: () => closeSync(reader),
    reopenReader: () => (reader = openReader()),
    /** Reads all that is in the pipe. */
    read(): string {
      let text = "";
      const chunk = Buffer.alloc(65_536);
      try {
        for (let size; (size = readSync(reader, chunk)) > 0;) text += chunk.toString("utf8", 0, size);
      } catch {
        // The pipe is empty.
      }
      return text;
    },
  };
}

function aWriter(fd: number, maxHeldBytes?: number) {
  const lost: number[] = [];
  const writer = createLineWriter(fd, {
    onLost: (lines) => {
      lost.push(lines);
      writer.write(`${lines} lost\n`);
    },
    ...(maxHeldBytes === undefined ? {} : { maxHeldBytes }),
  });
  return { writer, lost };
}

test("writes each line at once while the pipe is read", () => {
  const pipe = aPipe();
  const { writer } = aWriter(pipe.fd);
  writer.write("é\n");
  expect(pipe.read()).toBe("é\n");
});

test("holds the lines that a full pipe does not take, and writes them in order when it is read", async () => {
  const pipe = aPipe();
  const { writer, lost } = aWriter(pipe.fd);
  const lines = Array.from({ length: 2000 }, (_, i) => `${i} ${LINE}`);
  for (const line of lines) writer.write(line);
  let received = "";
  await expect.poll(() => (received += pipe.read()).length, { interval: 5 }).toBe(lines.join("").length);
  expect(received).toBe(lines.join(""));
  expect(lost).toEqual([]);
});

test("loses the lines beyond its limit, and reports their number after the lines before them", async () => {
  const pipe = aPipe();
  const { writer } = aWriter(pipe.fd, 10_000);
  for (let i = 0; i < 5000; i++) writer.write(LINE);
  let received = "";
  await expect.poll(() => (received += pipe.read()), { interval: 5 }).toMatch(/ lost\n$/);
  writer.write("next\n");
  received += pipe.read();
  const [, kept, lost] = /^((?:x{99}\n)+)(\d+) lost\nnext\n$/.exec(received) ?? [];
  expect(kept!.length / LINE.length + Number(lost)).toBe(5000);
  // The pipe itself takes 64 KB.
  expect(kept!.length).toBeLessThanOrEqual(65_536 + 10_000);
});

test("continues when a closed pipe has a reader again", async () => {
  const pipe = aPipe();
  const { writer } = aWriter(pipe.fd, 1000);
  pipe.closeReader();
  for (let i = 0; i < 50; i++) writer.write(LINE);
  pipe.reopenReader();
  let received = "";
  await expect.poll(() => (received += pipe.read())).toBe(`${LINE.repeat(10)}40 lost\n`);
});

test("neither throws nor waits when the disk is full", () => {
  const fd = openSync("/dev/full", "w");
  const { writer } = aWriter(fd);
  const startedAt = performance.now();
  for (let i = 0; i < 100_000; i++) writer.write(LINE);
  writer.finish(40_000);
  expect(performance.now() - startedAt).toBeLessThan(40_000);
  closeSync(fd);
});

test("at the end waits for a reader, but only for the given time", () => {
  const pipe = aPipe();
  const { writer } = aWriter(pipe.fd);
  for (let i = 0; i < 1000; i++) writer.write(LINE);
  const startedAt = performance.now();
  writer.finish(200);
  expect(performance.now() - startedAt).toBeGreaterThanOrEqual(200);
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  pipe.read();
  writer.finish(200);
  expect(pipe.read().endsWith(LINE)).toBe(true);
});

test("writes nothing after the end, so the descriptor may belong to another file", async () => {
  const { fd, read } = aPipe();
  const { writer } = aWriter(fd);
  for (let i = 0; i < 1000; i++) writer.write(LINE);
  writer.finish(0);
  expect(read()).toMatch(/^x/);
  // Longer than the interval of its attempts.
  await sleep(150);
  expect(read()).toBe("");
});

test("writes all lines to a file", () => {
  const dir = mkdtempSync(join(tmpdir(), "stowage-lines-"));
  const fd = openSync(join(dir, "log"), "w");
  const { writer } = aWriter(fd);
  for (let i = 0; i < 100; i++) writer.write(LINE);
  expect(readFileSync(join(dir, "log"), "utf8")).toBe(LINE.repeat(100));
  closeSync(fd);
  rmSync(dir, { recursive: true });
});
