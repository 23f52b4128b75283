import { Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

/** There is nothing yet: what it would be, and how to get the first. */
export function Empty(props: {
  title: string;
  hint?: ReactNode;
  action?: ReactNode;
  /** 1 where it is all there is on the page. */
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
