import { Code, Group, Paper, Text } from "@mantine/core";
import styles from "./code-block.module.css";
import { CopyButton } from "./copy-button.js";

/** Code with its name and a button that copies it. */
export function CodeBlock({ label, code, maxHeight }: { label: string; code: string; maxHeight?: number }) {
  return (
    <Paper withBorder className={styles["block"] ?? ""}>
      <Group justify="space-between" px="sm" py={4}>
        <Text size="xs">{label}</Text>
        <CopyButton value={code} what={label.toLowerCase()} />
      </Group>
      {/* `tabIndex` makes the block scrollable by keyboard. */}
      <Code
        block
        className={styles["code"] ?? ""}
        mah={maxHeight}
        tabIndex={0}
        role="region"
        aria-label={label}
      >
        {code}
      </Code>
    </Paper>
  );
}
