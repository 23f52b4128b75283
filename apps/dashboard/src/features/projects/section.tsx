import { Paper, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";

/** A part of the settings: what it is about, and its form. */
export function Section(props: { title: string; hint?: string; children: ReactNode }) {
  return (
    <Paper withBorder p="lg" component="section">
      <Stack maw={560}>
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
        {props.children}
      </Stack>
    </Paper>
  );
}
