import { useEffect, useRef } from "react";
import { useIsomorphicLayoutEffect } from "./use-isomorphic-layout-effect.js";

/** Listens to an event of the window in the capture phase, before other listeners. False stops listening. */
export function useWindowEvent<Type extends keyof WindowEventMap>(
  type: Type,
  listener: ((event: WindowEventMap[Type]) => void) | false,
): void {
  const latest = useRef(listener);
  useIsomorphicLayoutEffect(() => {
    latest.current = listener;
  });
  const isListening = listener !== false;
  useEffect(() => {
    if (!isListening) {
      return;
    }
    // The same listener after each render: React may render between two listeners of one event, and a listener that is replaced then
    // misses the event.
    const call = (event: WindowEventMap[Type]) => {
      if (latest.current) {
        latest.current(event);
      }
    };
    window.addEventListener(type, call, true);
    return () => window.removeEventListener(type, call, true);
  }, [type, isListening]);
}
