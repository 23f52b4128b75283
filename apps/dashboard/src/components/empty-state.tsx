import { Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import styles from "./empty-state.module.css";

/** Shown in place of an empty list: what the list will contain, and how to add the first entry. */
export function EmptyState(props: {
  title: string;
  hint?: ReactNode;
  action?: ReactNode;
  /** A picture of what is missing. */
  icon?: ReactNode;
  /** Heading level. 1 if this is the only content of the page. */
  order?: 1 | 2;
}) {
  return (
    <Stack align="center" gap="xs" ta="center" className={styles["empty"] ?? ""}>
      {props.icon !== undefined && (
        <div className={styles["icon"]} aria-hidden>
          {props.icon}
        </div>
      )}
      <Title order={props.order ?? 2} size="h4">
        {props.title}
      </Title>
      {props.hint !== undefined && (
        <Text c="dimmed" size="sm" maw={440}>
          {props.hint}
        </Text>
      )}
      {props.action}
    </Stack>
  );
}
