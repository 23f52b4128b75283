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
    onEmpty: () => {},
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

test("leaves text that is dragged or pasted to the page", () => {
  const { host, states, target } = aTarget();
  const unwatch = target.watchPage();
  const dataTransfer = { types: ["text/plain"], items: [], files: [] };
  for (const type of ["dragenter", "dragover", "drop"]) {
    expect(send(host, type, { dataTransfer }).defaultPrevented).toBe(false);
  }
  expect(send(host, "paste", { clipboardData: dataTransfer }).defaultPrevented).toBe(false);
  expect(states).toEqual([]);
  unwatch();
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
  expect([add.mock.calls, onMiss.mock.calls]).toEqual([[], []]);
  expect(states).not.toContain("accept");
});
