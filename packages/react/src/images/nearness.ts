import type { Cancel } from "@stowage/client";
import { type RefObject, useEffect, useState } from "react";

/** Tells which elements are in view or will be soon. */
export type Nearness = (element: Element, onChange: (isNear: boolean) => void) => Cancel;

/** Images this far outside of the view are loaded already. */
const MARGIN = "600px";

/** One observer for all elements of a component. Where browsers have none, all elements are near. */
export function createNearness(): Nearness {
  const listeners = new WeakMap<Element, (isNear: boolean) => void>();
  let observer: IntersectionObserver | undefined;
  return (element, onChange) => {
    if (typeof IntersectionObserver === "undefined") {
      onChange(true);
      return () => {};
    }
    observer ??= new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) listeners.get(target)?.(isIntersecting);
      },
      { rootMargin: MARGIN },
    );
    const { observe, unobserve } = observer;
    listeners.set(element, onChange);
    observe.call(observer, element);
    return () => {
      listeners.delete(element);
      unobserve.call(observer, element);
    };
  };
}

export function useIsNear(element: RefObject<Element | null>, nearness: Nearness): boolean {
  const [isNear, setNear] = useState(false);
  useEffect(() => (element.current ? nearness(element.current, setNear) : undefined), [element, nearness]);
  return isNear;
}
