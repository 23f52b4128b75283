import { Box, Tooltip } from "@mantine/core";
import { type ReactNode, type SyntheticEvent, useState } from "react";
import classes from "./truncated.module.css";

/** Content in one line. If it is longer than its place, it ends with an ellipsis, and a tooltip shows its text on hover and focus. */
export function Truncated({ text, children }: { text: string; children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const showIfCut = ({ currentTarget }: SyntheticEvent<HTMLElement>) => {
    const { scrollWidth, clientWidth } = currentTarget.querySelector("a") ?? currentTarget;
    setOpen(scrollWidth > clientWidth);
  };
  const hide = () => setOpen(false);
  return (
    <Tooltip label={text} opened={isOpen} multiline maw={480} className={classes["tooltip"]!}>
      <Box
        className={classes["line"]!}
        onMouseEnter={showIfCut}
        onMouseLeave={hide}
        onFocus={showIfCut}
        onBlur={hide}
        onKeyDown={({ key }) => key === "Escape" && hide()}
      >
        {children}
      </Box>
    </Tooltip>
  );
}
