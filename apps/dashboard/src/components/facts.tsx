import { Code, Group, Table } from "@mantine/core";
import type { ReactNode } from "react";
import { CopyButton } from "./copy-button.js";
import { UntrustedText } from "./untrusted-text.js";

/** Names and values of one thing, such as a file. Its children are {@link Fact}s. */
export function Facts({ children }: { children: ReactNode }) {
  return (
    <Table variant="vertical" layout="fixed">
      <Table.Tbody>{children}</Table.Tbody>
    </Table>
  );
}

export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <Table.Tr>
      <Table.Th w={130} scope="row">
        {name}
      </Table.Th>
      <Table.Td style={{ overflowWrap: "anywhere" }}>{children}</Table.Td>
    </Table.Tr>
  );
}

/** An identifier with a button that copies it. `what` names it in the button's label. */
export function CopyableCode({ value, what }: { value: string; what: string }) {
  return (
    <Group gap={4} wrap="nowrap" align="flex-start" justify="space-between">
      <Code style={{ overflowWrap: "anywhere" }}>
        <UntrustedText text={value} />
      </Code>
      <CopyButton value={value} what={what} />
    </Group>
  );
}
