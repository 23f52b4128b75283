import { Box } from "@mantine/core";
import type { ReactNode } from "react";
import { Tooltip } from "../../components/tooltip.js";

interface DisabledProps {
  "aria-disabled"?: true;
  "aria-description"?: string;
}

/**
 * Explains by tooltip and to screen readers why a control is disabled. The control must spread the given props. They use
 * `aria-disabled`, because a control that is `disabled` gets no keyboard focus and so could not show the tooltip.
 */
export function DisabledReason(props: {
  reason: string | undefined;
  children: (disabledProps: DisabledProps) => ReactNode;
}) {
  const { reason, children } = props;
  return (
    <Tooltip label={reason}>
      <Box>{children(reason === undefined ? {} : { "aria-disabled": true, "aria-description": reason })}</Box>
    </Tooltip>
  );
}
