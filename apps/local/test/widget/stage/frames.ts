import type { Scene } from "./a-stage.js";

/** Records from now on for how long the page's thread was busy at a stretch, wherever that was over 50 ms. */
export async function longTasks(scene: Scene): Promise<() => Promise<number[]>> {
  await scene.page.evaluate(() => {
    new PerformanceObserver((list) => {
      for (const { duration } of list.getEntries()) window.stage.longTasks.push(Math.round(duration));
    }).observe({ type: "longtask" });
  });
  return () => scene.record("longTasks");
}
