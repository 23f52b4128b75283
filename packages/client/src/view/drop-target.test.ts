// @vitest-environment happy-dom
import { expect, test, vi } from "vitest";
import { createDropTarget, type DragState, type DropTargetOptions } from "./drop-target.js";

/** An element with a child that takes files, and the states of the drags over it. */
function aTarget(options: Partial<DropTargetOptions> = {}) {
  document.body.innerHTML = "<div><p></p></div><aside></aside>";
  const [host, child, beside] = ["div", "p", "aside"].map((name) => document.querySelector(name)!);
  const states: DragState[] = [];
  const target = createDropTarget({
    limits: () => ({}),
    isDisabled: () => false,
    acceptsPaste: () => true,
    add: () => {},
    onDrag: (state) => states.push(state),
    onNotice: () => {},
    onMiss: () => {},
    ...options,
  });
  for (const [type, listener] of Object.entries(target.listeners)) {
    host!.addEventListener(type, listener as unknown as EventListener);
  }
  return { host: host!, child: child!, beside: beside!, states, target };
}

function send(on: Element, type: string, members: object = FILES) {
  const event = Object.assign(new Event(type, { bubbles: true, cancelable: true }), members);
  on.dispatchEvent(event);
  return event;
}

const image = { kind: "file", type: "image/png" };
const text = { kind: "file", type: "text/plain" };
const FILES = { dataTransfer: { types: ["Files"], items: [image], files: [] } };

test.each([
  ["files of an accepted type", { accept: "image/*" }, [image], "accept"],
  ["a file of another type", { accept: "image/*" }, [image, text], "reject"],
  ["files that only their names can tell", { accept: ["image/*", ".txt"] }, [text], "accept"],
  ["two files where one is allowed", { maxFiles: 1 }, [image, image], "reject"],
  ["one file and a text where one is allowed", { maxFiles: 1 }, [image, { kind: "string" }], "accept"],
])("tells during a drag whether it accepts %s", (_what, limits, items, verdict) => {
  const { host, states } = aTarget({ limits: () => limits });
  const dataTransfer = { types: ["Files"], items, dropEffect: "none" };
  expect(send(host, "dragenter", { dataTransfer }).defaultPrevented).toBe(true);
  expect(states).toEqual([verdict]);
  expect(dataTransfer.dropEffect).toBe("copy");
});

test.each([
  ["that tells where the pointer goes", (next: Element) => ({ relatedTarget: next })],
  ["that does not", () => ({ relatedTarget: null })],
])("notices when the pointer leaves the element, in a browser %s", (_browser, goingTo) => {
  const { host, child, beside, states } = aTarget();
  send(host, "dragenter");
  send(child, "dragenter");
  send(host, "dragleave", goingTo(child));
  expect(states).not.toContain("none");
  send(beside, "dragenter");
  send(child, "dragleave", goingTo(beside));
  expect(states.at(-1)).toBe("none");
});

const TEXT = { types: ["text/plain"], items: [], files: [], getData: () => "words" };
const DRAG = ["dragenter", "dragover", "drop"];

test("refuses a drag without files, and says that it must be saved first", async () => {
  const onNotice = vi.fn();
  const { host, states } = aTarget({ onNotice });
  for (const type of DRAG) {
    expect(send(host, type, { dataTransfer: { ...TEXT } }).defaultPrevented).toBe(true);
  }
  expect(states).toEqual(["reject", "reject", "none"]);
  await expect.poll(() => onNotice.mock.calls.length).toBe(1);
  expect(onNotice.mock.calls[0]![0]({ locale: "en" })).toContain("Save this as a file first");
});

test.each<[string, (child: Element) => void]>([
  ["over a text field", (child) => (child.innerHTML = "<textarea></textarea>")],
  ["over an editor", (child) => (child.innerHTML = "<b contenteditable>text</b>")],
  [
    "that another part of the page takes",
    (child) => DRAG.forEach((type) => child.addEventListener(type, (event) => event.preventDefault())),
  ],
  [
    "of an element of the page",
    (child) => {
      child.innerHTML = "<i draggable=true></i>";
      send(child.firstElementChild!, "dragstart", {});
    },
  ],
])("leaves a drag without files to the page: %s", async (_what, prepare) => {
  const onNotice = vi.fn();
  const { child, states, target } = aTarget({ onNotice });
  const unwatch = target.watchPage();
  prepare(child);
  for (const type of DRAG) send(child.firstElementChild ?? child, type, { dataTransfer: { ...TEXT } });
  expect(new Set(states)).toEqual(new Set(["none"]));
  send(document.body, "dragend", {});
  unwatch();
  expect(onNotice).not.toHaveBeenCalled();
});

test("leaves pasted text to the page, and text with its picture to a field inside", async () => {
  const add = vi.fn();
  const { host, child } = aTarget({ add });
  child.innerHTML = "<textarea></textarea>";
  const field = child.firstElementChild!;
  const picture = { kind: "file", getAsFile: () => new File(["x"], "image.png") };
  const screenshot = { types: ["Files"], items: [picture], files: [], getData: () => "" };
  const word = { ...TEXT, types: ["text/plain", "Files"], items: [picture] };
  const paste = (on: Element, clipboardData: object) => send(on, "paste", { clipboardData }).defaultPrevented;
  expect([paste(host, TEXT), paste(field, word)]).toEqual([false, false]);
  expect([paste(host, word), paste(field, screenshot)]).toEqual([true, true]);
  await expect.poll(() => add.mock.calls.length).toBe(2);
});

test("keeps the browser from opening files while it is disabled, and takes none", () => {
  const add = vi.fn();
  const onMiss = vi.fn();
  const { host, beside, states, target } = aTarget({ isDisabled: () => true, add, onMiss });
  const unwatch = target.watchPage();
  for (const on of [host, beside]) {
    expect(send(on, "dragover").defaultPrevented).toBe(true);
    expect(send(on, "drop").defaultPrevented).toBe(true);
  }
  unwatch();
  expect(send(beside, "drop").defaultPrevented).toBe(false);
  expect(add).not.toHaveBeenCalled();
  expect(onMiss).not.toHaveBeenCalledWith(true);
  expect(states).not.toContain("accept");
});
