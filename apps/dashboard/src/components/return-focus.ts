import { useLayoutEffect } from "react";

/** How long an element may take to disappear after its dialog has closed, such as a row whose list is fetched again. */
const WATCH_MS = 10_000;
const FOCUSABLE = "a[href], button, input, select, textarea, [tabindex]";
const HEADING = "h1, h2, h3";

/**
 * Returns the focus to the element that opened a dialog. If that element is gone, such as the button of a deleted row, the focus goes
 * to the same button in the next row, else in the row before, else to the heading above.
 *
 * Mantine's own `returnFocus` misses a dialog that is mounted open, as every dialog that is loaded on demand.
 */
export function useReturnFocus(opened: boolean): void {
  // A layout effect ends before those of a dialog that opens at the same time, so that one remembers the same element.
  useLayoutEffect(() => (opened ? rememberFocus() : undefined), [opened]);
}

/**
 * Remembers where the focus is now. Call the result after a change that may remove that element.
 *
 * @example
 * const keepFocus = rememberFocus();
 * await revoke();
 * keepFocus();
 */
export function rememberFocus(): () => void {
  const opener = menuButtonOf(returning ?? document.activeElement);
  const places = placesNear(opener);
  return () => {
    returning = opener;
    // While React changes the page, it returns the focus to where it was.
    queueMicrotask(() => {
      returning = null;
      if (isUsable(opener)) opener.focus({ preventScroll: true });
      else focusNear(places);
      watch(opener, places);
    });
  };
}

/** The element that gets the focus as soon as React has changed the page. */
let returning: Element | null = null;

interface Places {
  /** The rows beside the element's row, the next one first. */
  rows: Element[];
  /** The position of the element among the focusable elements of its row. */
  indexInRow: number;
  ancestors: Element[];
}

/** The entry of a menu disappears with the menu. Its button stays. */
function menuButtonOf(element: Element | null): Element | null {
  const menu = element?.closest("[role=menu]");
  return (menu?.id && document.querySelector(`[aria-controls="${CSS.escape(menu.id)}"]`)) || element;
}

function placesNear(element: Element | null): Places {
  const ancestors: Element[] = [];
  for (let each = element?.parentElement; each; each = each.parentElement) ancestors.push(each);
  const row = element?.closest("tr, li") ?? null;
  const rows = row
    ? [...siblings(row, "nextElementSibling"), ...siblings(row, "previousElementSibling")]
    : [];
  const indexInRow = row ? [...row.querySelectorAll(FOCUSABLE)].indexOf(element!) : -1;
  return { rows, indexInRow, ancestors };
}

function siblings(row: Element, direction: "nextElementSibling" | "previousElementSibling"): Element[] {
  const found: Element[] = [];
  for (let each = row[direction]; each; each = each[direction]) found.push(each);
  return found;
}

/** Tells whether an element is on the page and can have the focus. */
function isUsable(element: Element | null): element is HTMLElement {
  return (
    element instanceof HTMLElement &&
    element !== document.body &&
    element.checkVisibility() &&
    !element.matches(":disabled")
  );
}

function focusNear(places: Places): void {
  (inRow(places) ?? headingAbove(places))?.focus();
}

function inRow({ rows, indexInRow }: Places): HTMLElement | null {
  for (const row of rows) {
    const controls = [...row.querySelectorAll(FOCUSABLE)];
    const target = [controls[indexInRow] ?? null, ...controls].find(isUsable);
    if (target) return target;
  }
  return null;
}

/** A heading cannot have the focus by itself. Screen readers read it and continue after it. */
function headingAbove({ ancestors }: Places): HTMLElement | null {
  const containers = [...ancestors.filter((each) => each !== document.body), document.querySelector("main")];
  for (const container of containers) {
    const heading = container?.isConnected ? container.querySelector<HTMLElement>(HEADING) : null;
    if (!heading || !isUsable(heading)) continue;
    heading.tabIndex = -1;
    heading.style.outline = "none";
    return heading;
  }
  return null;
}

/** Moves the focus when the element disappears, unless the operator has moved it before. */
function watch(opener: Element | null, places: Places): void {
  const observer = new MutationObserver(() => {
    const hasLostFocus = document.activeElement === document.body || document.activeElement === null;
    if (hasLostFocus && !isUsable(opener)) focusNear(places);
  });
  observer.observe(document.body, { childList: true, subtree: true, attributeFilter: ["disabled"] });
  setTimeout(() => observer.disconnect(), WATCH_MS);
}
