import { act } from "@testing-library/react";

/** Stands in for the browser's IntersectionObserver, which happy-dom does not run: the test says what is in view. */
export function controlIntersections() {
  const observers = new Set<{ elements: Set<Element>; notify: IntersectionObserverCallback }>();
  class ControlledObserver {
    readonly own = { elements: new Set<Element>(), notify: (() => {}) as IntersectionObserverCallback };
    constructor(notify: IntersectionObserverCallback) {
      this.own.notify = notify;
      observers.add(this.own);
    }
    observe(element: Element) {
      this.own.elements.add(element);
    }
    unobserve(element: Element) {
      this.own.elements.delete(element);
    }
    disconnect() {
      this.own.elements.clear();
    }
  }
  globalThis.IntersectionObserver = ControlledObserver as unknown as typeof IntersectionObserver;
  return {
    /** Moves these elements into the view, or out of it. */
    show(elements: Iterable<Element>, isIntersecting = true) {
      const shown = new Set(elements);
      act(() => {
        for (const { elements, notify } of observers) {
          const targets = [...elements].filter((element) => shown.has(element));
          const entries = targets.map((target) => ({ target, isIntersecting }));
          if (entries.length > 0) notify(entries as IntersectionObserverEntry[], null as never);
        }
      });
    },
  };
}
