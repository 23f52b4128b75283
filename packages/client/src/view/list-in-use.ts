/** A browser clicks a moment after the finger was lifted, and a person may tap twice. No row may move under those taps. */
const AFTER_TOUCH_MS = 1_000;

/** What pointed at the list last. */
type Pointer = "mouse" | "finger" | "lifted-finger";

/** Tells whether a person reads or uses a list, so that no row may move. */
export function createListUse() {
  let pointer: Pointer = "mouse";

  /**
   * Follows a list.
   *
   * @param onEnd called when its use may have ended
   * @returns a function that ends this
   */
  function watch(list: HTMLElement, onEnd: () => void): () => void {
    const stop = new AbortController();
    let liftTimer: ReturnType<typeof setTimeout> | undefined;
    const enter = ({ pointerType }: PointerEvent) => {
      clearTimeout(liftTimer);
      pointer = pointerType === "touch" ? "finger" : "mouse";
    };
    const lift = () => {
      pointer = "lifted-finger";
      onEnd();
    };
    const leave = () => {
      if (pointer !== "finger") {
        onEnd();
        return;
      }
      liftTimer = setTimeout(lift, AFTER_TOUCH_MS);
    };
    const blur = ({ relatedTarget }: FocusEvent) => {
      if (!(relatedTarget instanceof Node && list.contains(relatedTarget))) {
        onEnd();
      }
    };
    const scroll = () => {
      if (list.scrollTop <= 0) {
        onEnd();
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
  }

  return {
    watch,
    isInUse: (list: HTMLElement) => list.scrollTop > 0 || isPointedAt(list, pointer) || hasFocus(list),
  };
}

/** After a tap, `:hover` stays on the list until the person taps elsewhere, so it tells nothing about a finger. */
function isPointedAt(list: HTMLElement, pointer: Pointer): boolean {
  return pointer === "mouse" ? list.matches(":hover") : pointer === "finger";
}

/** Whether a person moves through the list with the keyboard. After a click the focus stays, although the person may be gone. */
export const hasFocus = (list: HTMLElement): boolean => list.querySelector(":focus-visible") !== null;
