import { Alert, Anchor, Button, List, Stack, Text } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { IconAlertTriangle } from "@tabler/icons-react";
import { Link } from "@tanstack/react-router";
import { FormError } from "../../components/errors.js";
import { formatBounded } from "../../components/format.js";
import { UntrustedText } from "../../components/untrusted-text.js";
import { hasRole, useProject } from "../../components/use-project.js";
import { images as texts } from "../../components/images-texts.js";
import { trpc } from "../../trpc.js";

/** Says how many variants of a project could not be made, and names their files. Members have them made again. Renders nothing if all were made. */
export function VariantTroubles({ projectRef }: { projectRef: string }) {
  const utils = trpc.useUtils();
  const { data: project } = useProject();
  const { data: troubles } = trpc.presets.troubles.useQuery({ projectRef });
  const retry = trpc.presets.retry.useMutation({
    onSuccess: (count) => notifications.show({ message: texts.triedAgain(count) }),
    onSettled: () => void utils.presets.troubles.invalidate({ projectRef }),
  });
  if (!troubles || troubles.failed.count + troubles.failing.count === 0) return null;
  const { failed, failing, files } = troubles;
  return (
    <Alert color="yellow" icon={<IconAlertTriangle />} title={texts.troubles}>
      <Stack gap="sm" align="flex-start">
        {failed.count > 0 && <Text size="sm">{texts.failed(formatBounded(failed))}</Text>}
        {failing.count > 0 && <Text size="sm">{texts.failing(formatBounded(failing))}</Text>}
        {files.length > 0 && (
          <>
            <Text size="sm">{texts.newestFailed}</Text>
            <List size="sm">
              {files.map(({ fileId, filename, failure }) => (
                <List.Item key={fileId}>
                  <Anchor
                    inherit
                    underline="always"
                    renderRoot={(props) => (
                      <Link
                        to="/projects/$projectRef/files/$fileId"
                        params={{ projectRef, fileId: String(fileId) }}
                        {...props}
                      />
                    )}
                  >
                    <UntrustedText text={filename} />
                  </Anchor>{" "}
                  {texts.failures[failure]}
                </List.Item>
              ))}
            </List>
          </>
        )}
        {project !== undefined && hasRole(project.role, "member") && (
          <Button
            variant="default"
            size="xs"
            loading={retry.isPending}
            onClick={() => retry.mutate({ projectRef })}
          >
            {texts.tryAgain}
          </Button>
        )}
        <FormError error={retry.error} />
      </Stack>
    </Alert>
  );
}
