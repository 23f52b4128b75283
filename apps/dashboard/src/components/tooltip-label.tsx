import { Tooltip } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";

export interface TooltipLabelProps {
  /** For `aria-describedby`. */
  id: string;
  label: string | undefined;
  translate: "no" | undefined;
  opened: boolean;
  target: HTMLElement | null;
  onClose: () => void;
}

/** The visible part of a tooltip. */
export function TooltipLabel(props: TooltipLabelProps) {
  const { id, label, translate, opened, target, onClose } = props;
  useWindowEvent("keydown", ({ key }) => {
    if (key === "Escape" && opened) onClose();
  });
  return (
    <Tooltip
      label={
        <span id={id} translate={translate}>
          {label}
        </span>
      }
      opened={opened}
      target={target}
      multiline
      maw={480}
      style={{ overflowWrap: "anywhere" }}
    />
  );
}
