import { Button, Code, Group, SimpleGrid, Stack, Text } from "@mantine/core";
import { CopyButton } from "../../components/copy-button.js";
import { account } from "./account-texts.js";

/** Shows new backup codes. The service cannot return them again. */
export function BackupCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <Stack>
      <Text size="sm">{account.backupCodesHint}</Text>
      <SimpleGrid cols={2} spacing="xs" component="ul" p={0} m={0} style={{ listStyle: "none" }}>
        {codes.map((code) => (
          <li key={code}>
            <Code block ta="center">
              {code}
            </Code>
          </li>
        ))}
      </SimpleGrid>
      <Group justify="space-between">
        <CopyButton wide value={codes.join("\n")} what={account.backupCodes.toLowerCase()} />
        <Button onClick={onDone}>{account.codesSaved}</Button>
      </Group>
    </Stack>
  );
}
