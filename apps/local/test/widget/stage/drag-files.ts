import type { Locator } from "playwright-core";
import type { Scene } from "./a-stage.js";

export interface Drag {
  /** Lets go of what is dragged. */
  drop(): Promise<void>;
  /** Drags on, out of the element and into the page's corner. */
  leave(): Promise<void>;
}

/** Drags files and folders of the disk over an element, as the system does: trusted events, real entries. */
export async function dragFiles({ devTools, page }: Scene, over: Locator, paths: string[]): Promise<Drag> {
  const box = await over.boundingBox();
  if (!box) throw new Error("there is nothing to drag over");
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  const send = async (type: "dragEnter" | "dragOver" | "drop", x: number, y: number) => {
    await devTools.send("Input.dispatchDragEvent", { type, x, y, data });
  };
  const x = box.x + box.width / 2;
  const y = box.y + Math.min(box.height / 2, 60);
  await page.bringToFront();
  await send("dragEnter", x, y);
  await send("dragOver", x, y);
  return { drop: () => send("drop", x, y), leave: () => send("dragOver", 1, 1) };
}
