import { useEffect, useLayoutEffect } from "react";

/** An effect of what was drawn, before anybody sees it, whichever React; on a server, which draws for nobody, none. */
export const useDrawnEffect = globalThis.document ? useLayoutEffect : useEffect;
