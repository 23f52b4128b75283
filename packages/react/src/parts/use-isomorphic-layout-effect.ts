import { useEffect, useLayoutEffect } from "react";

/** `useLayoutEffect` in a browser. React 18 warns about `useLayoutEffect` on a server, so it is `useEffect` there. */
export const useIsomorphicLayoutEffect = globalThis.document ? useLayoutEffect : useEffect;
