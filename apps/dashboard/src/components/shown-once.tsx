import { Alert, Button, Group, Stack, Textarea } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useBlocker } from "@tanstack/react-router";
import { CopyButton } from "./copy-button.js";

/**
 * Shows a secret, such as an API key, for the only time. The caller shows it in a modal with {@link modalStaysOpen} and forgets the
 * secret in `onSaved`. Until then, navigation is blocked and the browser asks before it closes the tab.
 */
export function ShownOnce(props: {
  value: string;
  texts: {
    shownOnce: string;
    shownOnceHint: string;
    /** The name of the secret, as the label of its field. */
    label: string;
    /** The name of the secret, for the button that copies it. */
    copy: string;
    saved: string;
  };
  onSaved: () => void;
}) {
  const { value, texts, onSaved } = props;
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true });
  return (
    <Stack>
      <Alert color="yellow" icon={<IconAlertTriangle />} title={texts.shownOnce}>
        {texts.shownOnceHint}
      </Alert>
      <Textarea
        label={texts.label}
        value={value}
        readOnly
        autosize
        autoComplete="off"
        spellCheck={false}
        onFocus={(event) => event.currentTarget.select()}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", wordBreak: "break-all" } }}
        data-autofocus
      />
      <Group justify="space-between">
        <CopyButton value={value} what={texts.copy} wide />
        <Button onClick={onSaved}>{texts.saved}</Button>
      </Group>
    </Stack>
  );
}

/** Props of a modal that Escape, clicks outside and the close button do not close. */
export const modalStaysOpen = {
  closeOnEscape: false,
  closeOnClickOutside: false,
  withCloseButton: false,
} as const;
