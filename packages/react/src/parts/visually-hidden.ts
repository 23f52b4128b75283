import type { CSSProperties } from "react";

/** Invisible and not clickable, but still present for assistive technology and for the browser's form validation. */
export const visuallyHidden: CSSProperties = {
  position: "absolute",
  inset: 0,
  overflow: "hidden",
  clipPath: "inset(50%)",
};
