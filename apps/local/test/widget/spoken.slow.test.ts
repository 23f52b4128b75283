import { expect, test } from "vitest";
import { aStage } from "./stage/a-stage.js";

const stage = aStage();

test("progress is said by quarters, not by every file", async () => {
  const scene = await stage.open({ stopped: true, props: { concurrency: 1 } });
  scene.app.hold("request");
  const names = ["1.bin", "2.bin", "3.bin", "4.bin", "5.bin", "6.bin", "7.bin", "8.bin"];
  await scene.choose(...(await Promise.all(names.map((name) => stage.file(name, "same size")))));
  await scene.pass(1000);
  await scene.hear("8 files added.");
  // One file in each step of six seconds, an eighth of all bytes.
  for (let done = 1; done <= names.length; done++) {
    await expect.poll(() => scene.app.calls.filter((call) => call.action === "request").length).toBe(done);
    scene.app.letThrough("request");
    await expect
      .poll(async () => {
        await scene.pass(20);
        return scene.rows("done").count();
      })
      .toBe(done);
    await scene.pass(6000);
  }
  await scene.hear("8 files uploaded.");
  expect(await scene.record("spoken")).toEqual([
    "8 files added.",
    "25% uploaded.",
    "50% uploaded.",
    "75% uploaded.",
    "8 files uploaded.",
  ]);
});

test("failures at once are said by name up to three, and counted beyond", async () => {
  const scene = await stage.open({ props: { accept: "image/*" } });
  const names = ["1.txt", "2.txt", "3.txt", "4.txt", "5.txt"];
  await scene.choose(...(await Promise.all(names.map((name) => stage.file(name, "x")))));
  const why = "This type of file is not accepted. Choose images.";
  await scene.hear(
    `1.txt failed. ${why} 2.txt failed. ${why} 3.txt failed. ${why} No files uploaded. 5 files failed.`,
  );
  expect(await scene.record("spoken")).toHaveLength(1);
});

test("progress is not said twice within five seconds, however fast the files come", async () => {
  const scene = await stage.open({ stopped: true, props: { concurrency: 1 } });
  scene.app.hold("request");
  const names = ["1.bin", "2.bin", "3.bin", "4.bin"];
  await scene.choose(...(await Promise.all(names.map((name) => stage.file(name, "same size")))));
  await scene.pass(1000);
  await scene.hear("4 files added.");
  scene.app.release("request");
  await expect
    .poll(async () => {
      await scene.pass(20);
      return scene.rows("done").count();
    })
    .toBe(4);
  await scene.pass(1000);
  expect(await scene.record("spoken")).toEqual(["4 files added.", "4 files uploaded."]);
});
