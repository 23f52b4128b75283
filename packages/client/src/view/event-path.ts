/** An event of the browser, or of React, which wraps it. */
export type WrappedEvent = object & { nativeEvent?: object };

/** Whether an event comes from inside an element that matches, also through shadow roots, which replace the target. */
export function comesFrom(event: WrappedEvent, selector: string): boolean {
  const path = ((event.nativeEvent ?? event) as Event).composedPath();
  return path.some((node) => node instanceof Element && node.matches(selector));
}

/** Whether an event comes from where people write, so that the page keeps the text that is pasted or dropped there. */
export const comesFromTextField = (event: WrappedEvent): boolean =>
  comesFrom(event, "input, textarea, select, [contenteditable]:not([contenteditable=false])");
