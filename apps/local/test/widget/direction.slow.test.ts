import { expect, test } from "vitest";
import { aStage, type Scene } from "./stage/a-stage.js";
import { showIn } from "./stage/look-at.js";

const stage = aStage();

/** Where the text of a row's name, and of its status, begins: its distance to the badge, in whole pixels. */
const beginnings = (scene: Scene) =>
  scene.rows().evaluateAll((rows) =>
    rows.map((row) => {
      const isRtl = document.documentElement.dir === "rtl";
      const badge = row.querySelector(".stowage-badge")!.getBoundingClientRect();
      return [".stowage-name", ".stowage-item-status"].map((selector) => {
        const range = document.createRange();
        range.selectNodeContents(row.querySelector(selector)!);
        const text = range.getBoundingClientRect();
        return Math.round(isRtl ? badge.left - text.right : text.left - badge.right);
      });
    }),
  );

test("names of either direction begin at the page's side, each beside its badge", async () => {
  const scene = await stage.open();
  await scene.choose(await stage.file("report.pdf", "1"), await stage.file("تقرير.pdf", "2"));
  await scene.see("done", 2);
  for (const mode of ["light", "rtl"] as const) {
    await showIn(mode, scene);
    expect(new Set((await beginnings(scene)).flat()).size, mode).toBe(1);
  }
});

test("the words of the whole list, and of what may be chosen, begin at the page's side too", async () => {
  const side = (scene: Scene, selector: string) =>
    scene.root.locator(selector).evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(element);
      const [text, box] = [range.getBoundingClientRect(), element.getBoundingClientRect()];
      return { left: Math.round(text.left - box.left), right: Math.round(box.right - text.right) };
    });
  const list = await stage.open();
  await list.choose(await stage.file("1.txt", "1"), await stage.file("2.txt", "2"));
  await list.see("done", 2);
  const button = await stage.open({ component: "button", props: { accept: ".pdf" } });
  for (const [scene, selector] of [
    [list, ".stowage-summary-text"],
    [button, ".stowage-hint"],
  ] as const) {
    await showIn("light", scene);
    expect((await side(scene, selector)).left).toBe(0);
    await showIn("rtl", scene);
    expect((await side(scene, selector)).right).toBe(0);
  }
});
