import { Alert, Button, Center, Stack, Text } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { shell } from "../texts/shell.js";

/** A page that threw, most often because a part of it could not be loaded after a new version was put in place. */
export function Broken() {
  return (
    <Center p="xl">
      <Alert
        color="red"
        icon={<IconAlertCircle />}
        title={<h1 style={{ font: "inherit", margin: 0 }}>{shell.broken}</h1>}
        role="alert"
      >
        <Stack gap="sm" align="flex-start">
          <Text size="sm">{shell.brokenHint}</Text>
          <Button size="xs" variant="default" onClick={() => location.reload()}>
            {shell.loadAgain}
          </Button>
        </Stack>
      </Alert>
    </Center>
  );
}
