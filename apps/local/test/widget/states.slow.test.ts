import { expect, test } from "vitest";
import { axeFindings } from "../fixtures/axe.js";
import { takePicture } from "../fixtures/take-picture.js";
import { aStage } from "./stage/a-stage.js";
import { fitsNarrowPage, modes, motions, sharedNames, showIn, smallTargets } from "./stage/look-at.js";
import { states } from "./stage/states.js";

const stage = aStage();

test.each(states)(
  "$name: no finding of axe, names of its own, targets of 24 px, at any width",
  async (state) => {
    const scene = await stage.open(state.options);
    await state.reach(scene, stage);
    expect(await sharedNames(scene)).toEqual([]);
    for (const mode of modes) {
      await showIn(mode, scene);
      await takePicture(scene.page, `${state.name}-${mode}`);
      expect(await axeFindings(scene.page), mode).toEqual([]);
      expect(await smallTargets(scene), mode).toEqual([]);
      expect(await motions(scene), mode).toEqual([]);
    }
    expect(await fitsNarrowPage(scene)).toBe(true);
    expect(await scene.record("liveRegions")).toBe(1);
  },
);

test("the looks find what is planted: a low contrast, a name twice, a target too small, a page too wide", async () => {
  const scene = await stage.open();
  await scene.root.evaluate((root) => {
    root.insertAdjacentHTML(
      "beforeend",
      `<button style="all: revert; padding: 0; inline-size: 20px">Choose files</button>
       <p style="color: #aaa; background: #fff; inline-size: 500px">faint</p>`,
    );
  });
  expect(await axeFindings(scene.page)).toEqual([expect.stringMatching(/^color-contrast: <p/)]);
  expect(await sharedNames(scene)).toEqual(['button "Choose files"']);
  expect(await smallTargets(scene)).toEqual([expect.stringMatching(/^Choose files: 20 x/)]);
  expect(await fitsNarrowPage(scene)).toBe(false);
});
