import { Box } from "@mantine/core";
import type { ReactNode } from "react";
import { Tooltip } from "./tooltip.js";
import classes from "./truncated.module.css";

/** A name or an address in one line, which browsers do not translate. If it is longer than its place, it ends with an ellipsis, and a tooltip shows its text on hover and focus. */
export function Truncated({ text, children }: { text: string; children: ReactNode }) {
  return (
    <Tooltip label={text} isNeededFor={isCut} translate="no">
      <Box translate="no" className={classes["line"]!}>
        {children}
      </Box>
    </Tooltip>
  );
}

function isCut(line: HTMLElement): boolean {
  const { scrollWidth, clientWidth } = line.querySelector("a") ?? line;
  return scrollWidth > clientWidth;
}
