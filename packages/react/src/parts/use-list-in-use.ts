import { useEffect, useReducer, useState } from "react";

/** A browser clicks a moment after the finger was lifted, and a person may tap twice. No row may move under those taps. */
const AFTER_TOUCH_MS = 1_000;

/** What pointed at the list last. */
type Pointer = "mouse" | "finger" | "lifted-finger";

/** Tells whether a person reads or uses the list, so that no row may move. Renders the list again when this ends. */
export function useListInUse(list: HTMLElement | null): boolean {
  const [, render] = useReducer((count: number) => count + 1, 0);
  const [pointer] = useState(createPointerState);
  useEffect(() => {
    if (list === null) {
      return;
    }
    const stop = new AbortController();
    let liftTimer: ReturnType<typeof setTimeout> | undefined;
    const enter = ({ pointerType }: PointerEvent) => {
      clearTimeout(liftTimer);
      pointer.current = pointerType === "touch" ? "finger" : "mouse";
    };
    const lift = () => {
      pointer.current = "lifted-finger";
      render();
    };
    const leave = () => {
      if (pointer.current !== "finger") {
        render();
        return;
      }
      liftTimer = setTimeout(lift, AFTER_TOUCH_MS);
    };
    const blur = ({ relatedTarget }: FocusEvent) => {
      if (!(relatedTarget instanceof Node && list.contains(relatedTarget))) {
        render();
      }
    };
    const scroll = () => {
      if (list.scrollTop <= 0) {
        render();
      }
    };
    list.addEventListener("pointerenter", enter, stop);
    list.addEventListener("pointerleave", leave, stop);
    list.addEventListener("focusout", blur, stop);
    list.addEventListener("scroll", scroll, stop);
    return () => {
      stop.abort();
      clearTimeout(liftTimer);
    };
  }, [list, pointer]);
  return list !== null && (list.scrollTop > 0 || isPointedAt(list, pointer.current) || hasFocus(list));
}

const createPointerState = (): { current: Pointer } => ({ current: "mouse" });

/** After a tap, `:hover` stays on the list until the person taps elsewhere, so it tells nothing about a finger. */
function isPointedAt(list: HTMLElement, pointer: Pointer): boolean {
  return pointer === "mouse" ? list.matches(":hover") : pointer === "finger";
}

/** Whether a person moves through the list with the keyboard. After a click the focus stays, although the person may be gone. */
export const hasFocus = (list: HTMLElement): boolean => list.querySelector(":focus-visible") !== null;
