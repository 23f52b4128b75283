import { Alert, Button, Center, Stack, Text } from "@mantine/core";
import { IconAlertCircle, IconRefresh } from "@tabler/icons-react";
import { NewVersionError } from "../load-chunk.js";
import { shell } from "../components/shell-texts.js";

/** Shown if a page throws, or if its code is gone because another version of the dashboard was installed. */
export function ErrorPage({ error }: { error: unknown }) {
  const isNewVersion = error instanceof NewVersionError;
  return (
    <Center p="xl">
      <Alert
        color={isNewVersion ? "blue" : "red"}
        icon={isNewVersion ? <IconRefresh /> : <IconAlertCircle />}
        title={
          <h1 style={{ font: "inherit", margin: 0 }}>{isNewVersion ? shell.newVersion : shell.pageError}</h1>
        }
        role="alert"
      >
        <Stack gap="sm" align="flex-start">
          <Text size="sm">{isNewVersion ? shell.newVersionHint : shell.pageErrorHint}</Text>
          <Button size="xs" variant="default" onClick={() => location.reload()}>
            {shell.reload}
          </Button>
        </Stack>
      </Alert>
    </Center>
  );
}
