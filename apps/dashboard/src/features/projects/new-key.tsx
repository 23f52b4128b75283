import { Alert, Button, Group, Stack, Textarea } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useBlocker } from "@tanstack/react-router";
import { CopyButton } from "../../components/copy-button.js";
import { key as texts } from "../../texts/key.js";

/**
 * Shows a new API key for the only time. The caller shows it in a modal with {@link modalStaysOpen} and forgets the key in
 * `onSaved`. Until then, navigation is blocked and the browser asks before it closes the tab.
 */
export function NewKey({ apiKey, onSaved }: { apiKey: string; onSaved: () => void }) {
  useBlocker({ shouldBlockFn: () => true, enableBeforeUnload: true });
  return (
    <Stack>
      <Alert color="yellow" icon={<IconAlertTriangle />} title={texts.shownOnce}>
        {texts.shownOnceHint}
      </Alert>
      <Textarea
        label={texts.label}
        value={apiKey}
        readOnly
        autosize
        autoComplete="off"
        spellCheck={false}
        onFocus={(event) => event.currentTarget.select()}
        styles={{ input: { fontFamily: "var(--mantine-font-family-monospace)", wordBreak: "break-all" } }}
        data-autofocus
      />
      <Group justify="space-between">
        <CopyButton value={apiKey} what={texts.copy} wide />
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
