import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

/** A titled part of a page. */
export function Section(props: {
  title: string;
  hint?: string;
  /** Stands opposite the title. */
  aside?: ReactNode;
  /** It is filled in, and no easier to read across a whole screen. */
  isForm?: boolean;
  /** Of all that it shares a row with. */
  h?: "100%";
  children: ReactNode;
}) {
  return (
    <Paper withBorder p="lg" component="section" aria-label={props.title} {...(props.h && { h: props.h })}>
      <Stack {...(props.isForm && { maw: 560 })}>
        <Group justify="space-between">
          <Stack gap={4}>
            <Title order={2} size="h4">
              {props.title}
            </Title>
            {props.hint !== undefined && (
              <Text c="dimmed" size="sm">
                {props.hint}
              </Text>
            )}
          </Stack>
          {props.aside}
        </Group>
        {props.children}
      </Stack>
    </Paper>
  );
}
