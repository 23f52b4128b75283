// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { useListInUse } from "./use-list-in-use.js";

let isHovered = false;
beforeEach(() => {
  isHovered = false;
  vi.useFakeTimers();
});
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

function List() {
  const [list, setList] = useState<HTMLUListElement | null>(null);
  return <ul ref={setList}>{useListInUse(list) ? "in use" : "free"}</ul>;
}

function aList() {
  const { rerender } = render(<List />);
  const list = screen.getByRole("list");
  // happy-dom has no pointer.
  const matches = list.matches.bind(list);
  vi.spyOn(list, "matches").mockImplementation((selector) =>
    selector === ":hover" ? isHovered : matches(selector),
  );
  const fire = (type: "pointerEnter" | "pointerLeave", pointerType: string) =>
    fireEvent(list, new PointerEvent(type.toLowerCase(), { pointerType }));
  return {
    list,
    fire,
    /** What the list shows at its next render. */
    state: () => {
      rerender(<List />);
      return list.textContent;
    },
  };
}

test("is in use while a mouse is over it", () => {
  const { list, fire, state } = aList();
  isHovered = true;
  fire("pointerEnter", "mouse");
  expect(state()).toBe("in use");
  isHovered = false;
  fire("pointerLeave", "mouse");
  expect(list.textContent).toBe("free");
});

test("is free a second after a tap, although the browser still says that it is hovered", () => {
  const { list, fire, state } = aList();
  isHovered = true;
  fire("pointerEnter", "touch");
  expect(state()).toBe("in use");
  fire("pointerLeave", "touch");
  expect(state()).toBe("in use");
  act(() => vi.advanceTimersByTime(1_000));
  expect(list.textContent).toBe("free");
});

test("stays in use between two taps", () => {
  const { list, fire } = aList();
  fire("pointerEnter", "touch");
  fire("pointerLeave", "touch");
  act(() => vi.advanceTimersByTime(900));
  fire("pointerEnter", "touch");
  act(() => vi.advanceTimersByTime(5_000));
  fire("pointerLeave", "touch");
  act(() => vi.advanceTimersByTime(900));
  list.scrollTop = 0;
  fireEvent.scroll(list);
  expect(list.textContent).toBe("in use");
  act(() => vi.advanceTimersByTime(100));
  expect(list.textContent).toBe("free");
});

test("is in use while it is scrolled, and free when it is back at its start", () => {
  const { list, state } = aList();
  list.scrollTop = 40;
  expect(state()).toBe("in use");
  list.scrollTop = 0;
  fireEvent.scroll(list);
  expect(list.textContent).toBe("free");
});
