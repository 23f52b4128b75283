import { Paper, Title } from "@mantine/core";
import type { ReactNode } from "react";

/** A titled part of a file's page. */
export function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section" aria-label={title}>
      <Title order={2} size="h5" mb="sm">
        {title}
      </Title>
      {children}
    </Paper>
  );
}
