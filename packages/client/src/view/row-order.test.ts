import { expect, test } from "vitest";
import { anItemIn } from "../../test/items.js";
import { aFile } from "../../test/runtime.js";
import type { UploadFailure, UploadItem, UploadState } from "../upload-item.js";
import { firstAddedRow, orderRows } from "./row-order.js";

const error: UploadFailure = { code: "quota_exceeded", message: "It is full.", status: 403, canRetry: true };
const STATES = {
  queued: { status: "queued" },
  uploading: { status: "uploading" },
  confirming: { status: "confirming", retry: null },
  failed: { status: "failed", error },
  done: { status: "done", result: {} as never, data: null, error: null },
  undeletable: { status: "done", result: {} as never, data: null, error },
  cancelled: { status: "cancelled" },
} satisfies Record<string, UploadState>;

/** Files named by letters, such as `a queued`. */
const list = (...files: `${string} ${keyof typeof STATES}`[]): UploadItem[] =>
  files.map((text) => {
    const [id = "", state = "queued"] = text.split(" ");
    return anItemIn(STATES[state as keyof typeof STATES], { id, file: aFile(id) });
  });
/** Orders the files of one list again and again, as a view does. */
function aList() {
  let last: readonly string[] = [];
  return (items: readonly UploadItem[], isHeld: boolean) => {
    const order = orderRows(items, last, isHeld);
    last = order.ids;
    return order;
  };
}
const orderOf = ({ ids }: { ids: readonly string[] }) => ids.join("");

test("puts files on their way first, then failed, waiting and ended ones, each as they were added", () => {
  const order = aList();
  const items = list(
    "a done",
    "b queued",
    "c failed",
    "d uploading",
    "e cancelled",
    "f confirming",
    "g undeletable",
    "h queued",
  );
  expect(orderOf(order(items, false))).toBe("dfcgbhae");
});

test("keeps the order in which files were added while all of them fit into the box", () => {
  const order = aList();
  expect(orderOf(order(list("a done", "b queued", "c failed", "d uploading", "e queued"), false))).toBe(
    "abcde",
  );
});

test("moves no row while a person uses the list, and sorts again afterwards", () => {
  const order = aList();
  order(list("a uploading", "b uploading", "c queued", "d queued", "e queued", "f queued"), false);
  const later = list("a done", "b uploading", "c uploading", "d queued", "e failed", "f queued");
  expect(orderOf(order(later, true))).toBe("abcdef");
  expect(orderOf(order(later, false))).toBe("bcedfa");
});

test("closes the gap of a removed file and appends added ones while a person uses the list", () => {
  const order = aList();
  order(list("a uploading", "b done", "c queued", "d queued", "e queued", "f queued"), false);
  const later = list("a done", "c queued", "d queued", "e queued", "f queued", "g failed");
  expect(orderOf(order(later, true))).toBe("acdefg");
});

test("tells the first row of a second batch, and none for the first batch or a change", () => {
  const first = ["a", "b"];
  expect(firstAddedRow(first, [])).toBeNull();
  expect(firstAddedRow(["c", "a", "b", "d"], first)).toBe(0);
  expect(firstAddedRow(["b", "a", "d"], first)).toBe(2);
  expect(firstAddedRow(["b"], first)).toBeNull();
});

test("returns the same ids while the order is the same", () => {
  const order = aList();
  const { ids } = order(list("a uploading", "b queued"), false);
  expect(order(list("a done", "b uploading"), false).ids).toBe(ids);
});
