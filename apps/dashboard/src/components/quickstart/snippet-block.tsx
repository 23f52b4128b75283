import { Code, Group, Paper, Text } from "@mantine/core";
import { CopyButton } from "../copy-button.js";
import styles from "./quickstart.module.css";

/** Code to read and to copy. */
export function SnippetBlock({ snippet, label }: { snippet: string; label: string }) {
  return (
    <Paper withBorder className={styles["snippet"] ?? ""}>
      <Group justify="space-between" px="sm" py={4}>
        <Text size="xs">{label}</Text>
        <CopyButton value={snippet} what={label.toLowerCase()} />
      </Group>
      {/* It scrolls sideways where it is too narrow, and so must be reached by the keyboard. */}
      <Code block className={styles["code"] ?? ""} tabIndex={0} role="region" aria-label={label}>
        {snippet}
      </Code>
    </Paper>
  );
}
