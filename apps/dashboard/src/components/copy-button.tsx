import { ActionIcon, Button, CopyButton as Copy, VisuallyHidden } from "@mantine/core";
import { IconCheck, IconCopy } from "@tabler/icons-react";
import { common } from "./common-texts.js";
import { Tooltip } from "./tooltip.js";

/** Copies a value. `what` names it in the label. `wide` shows the label as text, else the button is an icon. */
export function CopyButton({ value, what, wide = false }: { value: string; what: string; wide?: boolean }) {
  return (
    <Copy value={value} timeout={2000}>
      {({ copied, copy }) => {
        const icon = copied ? <IconCheck size={16} /> : <IconCopy size={16} />;
        return (
          <>
            {wide ? (
              <Button variant="default" leftSection={icon} onClick={copy}>
                {copied ? common.copied : common.copy(what)}
              </Button>
            ) : (
              <Tooltip label={copied ? common.copied : common.copy(what)}>
                <ActionIcon variant="subtle" color="gray" aria-label={common.copy(what)} onClick={copy}>
                  {icon}
                </ActionIcon>
              </Tooltip>
            )}
            <VisuallyHidden role="status">{copied ? common.copied : ""}</VisuallyHidden>
          </>
        );
      }}
    </Copy>
  );
}
