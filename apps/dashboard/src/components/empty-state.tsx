import { Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

/** Shown in place of an empty list: what the list will contain, and how to add the first entry. */
export function EmptyState(props: {
  title: string;
  hint?: ReactNode;
  action?: ReactNode;
  /** Heading level. 1 if this is the only content of the page. */
  order?: 1 | 2;
}) {
  return (
    <Paper withBorder p="xl">
      <Stack align="center" gap="xs" ta="center">
        <Title order={props.order ?? 2} size="h4">
          {props.title}
        </Title>
        {props.hint !== undefined && (
          <Text c="dimmed" maw={480}>
            {props.hint}
          </Text>
        )}
        {props.action}
      </Stack>
    </Paper>
  );
}
