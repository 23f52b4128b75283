import type { StageConfig } from "./page/stage-window.js";

/** Runs in the page before anything else there: records what the tests compare. */
export function watchPage(config: StageConfig): void {
  const stage: Window["stage"] = {
    config,
    props: {},
    events: [],
    spoken: [],
    liveRegions: 0,
    focusLosses: [],
    longTasks: [],
  };
  window.stage = stage;

  const regions = new Set<Element>();
  const seek = () => {
    for (const region of document.querySelectorAll("[role=status]")) regions.add(region);
    stage.liveRegions = regions.size;
  };
  new MutationObserver((changes) => {
    seek();
    for (const region of regions) {
      // Text that comes with its region is not read, so only what changes inside one counts.
      const text = region.textContent?.trim();
      if (text && changes.some(({ target }) => region.contains(target))) stage.spoken.push(text);
    }
  }).observe(document, { subtree: true, childList: true, characterData: true });

  let focused = "";
  const look = () => {
    const { activeElement, body } = document;
    if (activeElement && activeElement !== body) {
      focused = activeElement.getAttribute("aria-label") ?? activeElement.textContent?.trim() ?? "?";
    } else if (focused !== "") {
      stage.focusLosses.push(focused);
      focused = "";
    }
    requestAnimationFrame(look);
  };
  look();
}
