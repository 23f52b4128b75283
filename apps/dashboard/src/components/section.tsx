import { Group, Stack, Text, Title } from "@mantine/core";
import type { ReactNode } from "react";
import styles from "./section.module.css";

/** A part of a page with a title. A hairline separates it from the section above. */
export function Section(props: {
  title: string;
  hint?: ReactNode;
  /** Shown at the right of the title. */
  aside?: ReactNode;
  /** Shows title and hint beside the content, for forms. */
  isForm?: boolean;
  /** Makes it as tall as its neighbours in a grid row. */
  h?: "100%";
  children: ReactNode;
}) {
  return (
    <section
      aria-label={props.title}
      className={styles["section"]}
      {...(props.isForm === true && { "data-form": "" })}
    >
      <Group justify="space-between" align="flex-start" gap="xs" mih="1.75rem">
        <Stack gap={2}>
          <Title order={2} size="h4">
            {props.title}
          </Title>
          {props.hint !== undefined && (
            <Text component="div" c="dimmed" size="sm">
              {props.hint}
            </Text>
          )}
        </Stack>
        {props.aside}
      </Group>
      <Stack gap="md" miw={0}>
        {props.children}
      </Stack>
    </section>
  );
}
