import { Group, Stack, Text, Title } from "@mantine/core";
import { useDocumentTitle } from "@mantine/hooks";
import type { ReactNode } from "react";
import { common } from "./common-texts.js";
import styles from "./page.module.css";

/** Layout of a page: title, actions and content. Also sets the title of the browser's tab. */
export function Page(props: {
  title: string;
  /** Whether the title is a name, which browsers do not translate. @default false */
  isName?: boolean;
  /** A link to the page above, shown over the title. */
  back?: ReactNode;
  /** A short note beside the title. */
  hint?: ReactNode;
  actions?: ReactNode;
  /** The widest useful content: a table or charts, or a form. @default "list" */
  width?: "list" | "form";
  children: ReactNode;
}) {
  useDocumentTitle(`${props.title} · ${common.product}`);
  return (
    <Stack gap="lg" className={styles["page"] ?? ""} data-width={props.width ?? "list"}>
      <div>
        {props.back !== undefined && (
          <Text component="div" size="sm" c="dimmed" mb={2} className={styles["back"] ?? ""}>
            {props.back}
          </Text>
        )}
        <Group justify="space-between" gap="xs" mih="2rem">
          <Title
            order={1}
            size="h2"
            lineClamp={4}
            className={styles["title"] ?? ""}
            translate={props.isName ? "no" : undefined}
          >
            {props.title}
          </Title>
          {props.hint !== undefined && (
            <Text component="div" size="sm" c="dimmed" className={styles["hint"] ?? ""}>
              {props.hint}
            </Text>
          )}
          {props.actions !== undefined && <Group gap="xs">{props.actions}</Group>}
        </Group>
      </div>
      {props.children}
    </Stack>
  );
}
