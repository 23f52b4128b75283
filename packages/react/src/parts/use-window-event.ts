import { useEffect } from "react";

/** Listens to an event of the window in the capture phase, before other listeners. False stops listening. */
export function useWindowEvent<Type extends keyof WindowEventMap>(
  type: Type,
  listener: ((event: WindowEventMap[Type]) => void) | false,
): void {
  useEffect(() => {
    if (!listener) {
      return;
    }
    window.addEventListener(type, listener, true);
    return () => window.removeEventListener(type, listener, true);
  }, [type, listener]);
}
