// @vitest-environment happy-dom
import { act, cleanup, render, screen } from "@testing-library/react";
import { renderToString } from "react-dom/server";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { onDemand, useOnDemand } from "./on-demand.js";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

/** Code that can be loaded only while the network is there. */
function aSource() {
  const state = { hasNetwork: false, attempts: 0 };
  const source = onDemand(async () => {
    state.attempts++;
    if (!state.hasNetwork) throw new TypeError("Failed to fetch dynamically imported module");
    return { codeName: "text", text: "loaded" } as const;
  }, "text");
  function Part({ isNeeded }: { isNeeded: boolean }) {
    return <p>{useOnDemand(source, isNeeded)?.text ?? "missing"}</p>;
  }
  return { state, source, Part };
}

const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test("loads nothing before it is needed, and nothing on a server", async () => {
  const { state, Part } = aSource();
  expect(renderToString(<Part isNeeded />)).toContain("missing");
  render(<Part isNeeded={false} />);
  await pass(60_000);
  expect(state.attempts).toBe(0);
});

test("tries again after longer and longer pauses until the code is there", async () => {
  const { state, Part } = aSource();
  render(<Part isNeeded />);
  await pass(0);
  expect(state.attempts).toBe(1);
  await pass(1_000);
  expect(state.attempts).toBe(2);
  await pass(1_999);
  expect(state.attempts).toBe(2);
  await pass(1);
  expect(state.attempts).toBe(3);
  state.hasNetwork = true;
  await pass(4_000);
  expect(screen.getByText("loaded")).toBeTruthy();
  await pass(120_000);
  expect(state.attempts).toBe(4);
});

test("tries again at once when the browser is online, and no more after an unmount", async () => {
  const { state, Part } = aSource();
  const { unmount } = render(<Part isNeeded />);
  await pass(0);
  window.dispatchEvent(new Event("online"));
  await pass(0);
  expect(state.attempts).toBe(2);
  unmount();
  window.dispatchEvent(new Event("online"));
  await pass(120_000);
  expect(state.attempts).toBe(2);
});

test("a part that is mounted later has the code in its first render", async () => {
  const { state, source, Part } = aSource();
  state.hasNetwork = true;
  await source.load();
  render(<Part isNeeded />);
  expect(screen.getByText("loaded")).toBeTruthy();
  expect(state.attempts).toBe(1);
});
