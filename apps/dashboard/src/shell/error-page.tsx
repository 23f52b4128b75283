import { Alert, Button, Center, Stack, Text } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { shell } from "../texts/shell.js";

/** Shown if a page throws. The usual cause is a chunk that a new version of the dashboard has removed, so reloading helps. */
export function ErrorPage() {
  return (
    <Center p="xl">
      <Alert
        color="red"
        icon={<IconAlertCircle />}
        title={<h1 style={{ font: "inherit", margin: 0 }}>{shell.pageError}</h1>}
        role="alert"
      >
        <Stack gap="sm" align="flex-start">
          <Text size="sm">{shell.pageErrorHint}</Text>
          <Button size="xs" variant="default" onClick={() => location.reload()}>
            {shell.reload}
          </Button>
        </Stack>
      </Alert>
    </Center>
  );
}
