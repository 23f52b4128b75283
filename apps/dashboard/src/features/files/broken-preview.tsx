import { Alert, Button, Stack, Text } from "@mantine/core";
import { IconPhotoOff } from "@tabler/icons-react";
import { common } from "../../components/common-texts.js";

/** Says why a preview cannot be shown, with a button to try again. */
export function BrokenPreview({ children, onRetry }: { children: string; onRetry: () => void }) {
  return (
    <Alert color="gray" icon={<IconPhotoOff />} role="status">
      <Stack gap="sm" align="flex-start">
        <Text size="sm">{children}</Text>
        <Button size="xs" variant="default" onClick={onRetry}>
          {common.tryAgain}
        </Button>
      </Stack>
    </Alert>
  );
}
