import type { Scene } from "./a-stage.js";

/** How a state is looked at. */
export const modes = ["light", "dark", "rtl"] as const;
export type Mode = (typeof modes)[number];

/** Shows the scene so, without making it anew. */
export async function showIn(mode: Mode, { page }: Scene): Promise<void> {
  // Without motion, so that no colour is caught on its way to another.
  await page.emulateMedia({ colorScheme: mode === "dark" ? "dark" : "light", reducedMotion: "reduce" });
  await page.evaluate((isRtl) => {
    document.documentElement.dir = isRtl ? "rtl" : "ltr";
  }, mode === "rtl");
}

/** Names that more than one control has, as assistive technology is told them: `button "Remove a.txt"`. */
export async function sharedNames({ devTools }: Scene): Promise<string[]> {
  const { nodes } = await devTools.send("Accessibility.getFullAXTree");
  const named = nodes
    .filter(({ ignored, role }) => !ignored && ["button", "progressbar"].includes(String(role?.value)))
    .map(({ role, name }) => `${role?.value} "${name?.value}"`);
  return named.filter((name, index) => named.indexOf(name) !== index || name.endsWith('""'));
}

/** What moves although the person asked for no motion. */
export function motions({ page }: Scene): Promise<string[]> {
  return page.evaluate(() =>
    document.getAnimations().map(({ effect }) => {
      const { target, pseudoElement } = effect as KeyframeEffect;
      return `${target?.className}${pseudoElement ?? ""}`;
    }),
  );
}

/** Controls that are smaller than 24 by 24 px, or that reach out of the page. */
export function smallTargets({ page }: Scene): Promise<string[]> {
  return page.locator("[data-upload] :is(button, a, input, [tabindex='0'])").evaluateAll((elements) =>
    elements
      .filter((element) => element.checkVisibility() && !element.closest("[aria-hidden=true]"))
      .map((element) => ({ element, box: element.getBoundingClientRect() }))
      .filter(({ box }) => Math.min(box.width, box.height) < 24 || box.left < 0 || box.right > innerWidth)
      .map(
        ({ element, box }) =>
          `${element.getAttribute("aria-label") ?? element.textContent}: ${box.width} x ${box.height}`,
      ),
  );
}

/** Whether all of the page can be read at 320 px, the width of 1280 px at 400 %, without scrolling sideways. */
export async function fitsNarrowPage({ page }: Scene): Promise<boolean> {
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 320, height: size.height });
  const fits = await page.evaluate(
    () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
  );
  await page.setViewportSize(size);
  return fits;
}
