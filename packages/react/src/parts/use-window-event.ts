import { useEffect } from "react";

/** Listens while there is a listener, and before anybody else does. */
export function useWindowEvent<Type extends keyof WindowEventMap>(
  type: Type,
  listener: ((event: WindowEventMap[Type]) => void) | false,
): void {
  useEffect(() => {
    if (!listener) return;
    window.addEventListener(type, listener, true);
    return () => window.removeEventListener(type, listener, true);
  }, [type, listener]);
}
