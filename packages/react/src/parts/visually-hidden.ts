import type { CSSProperties } from "react";

/** Out of sight and of reach of a pointer, and there for assistive technology and for the browser's own checks. */
export const visuallyHidden: CSSProperties = {
  position: "absolute",
  inset: 0,
  overflow: "hidden",
  clipPath: "inset(50%)",
};
