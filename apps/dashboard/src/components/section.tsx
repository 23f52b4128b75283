import { Group, Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

/** A framed part of a page with a title. */
export function Section(props: {
  title: string;
  hint?: string;
  /** Shown at the right of the title. */
  aside?: ReactNode;
  /** Limits the width, for forms. */
  isForm?: boolean;
  /** Makes it as tall as its neighbours in a grid row. */
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
