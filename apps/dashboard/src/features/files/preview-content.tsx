import { Alert, Button, Skeleton, Stack, Text } from "@mantine/core";
import { IconPhotoOff } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { LoadError } from "../../components/errors.js";
import { replaceControlCharacters } from "../../components/untrusted-text.js";
import { common } from "../../texts/common.js";
import { filePage as texts } from "../../texts/file-page.js";
import { type Outputs, trpc } from "../../trpc.js";
import { Player } from "./player.js";

/** How long the service's preview URLs are valid. Measured by this browser's clock, which may differ from the service's. */
const URL_LIFETIME_MS = 5 * 60_000;

/** Requests a file's preview URL, and a new one if the player fails after the URL has expired. */
export function PreviewContent(props: { projectRef: string; fileId: number; filename: string }) {
  const { projectRef, fileId, filename } = props;
  const [links, setLinks] = useState<Outputs["files"]["links"]>();
  const [isBroken, setBroken] = useState(false);
  const { mutate, error, isPending, submittedAt } = trpc.files.links.useMutation({ onSuccess: setLinks });
  const request = () => {
    setBroken(false);
    mutate({ projectRef, fileId });
  };
  useEffect(() => mutate({ projectRef, fileId }), [mutate, projectRef, fileId]);
  if (error) return <LoadError error={error} isRetrying={isPending} onRetry={request} />;
  if (!links) return <Skeleton h={200} />;
  // The previous URL stays while a new one is requested, so that a player keeps its position.
  const { previewKind, previewUrl } = links;
  if (previewKind === null || previewUrl === null)
    return (
      <Text size="sm" c="dimmed">
        {texts.noPreview}
      </Text>
    );
  if (isBroken)
    return (
      <Alert color="gray" icon={<IconPhotoOff />} role="status">
        <Stack gap="sm" align="flex-start">
          <Text size="sm">{texts.previewFailed}</Text>
          <Button size="xs" variant="default" onClick={request}>
            {common.tryAgain}
          </Button>
        </Stack>
      </Alert>
    );
  return (
    <Player
      kind={previewKind}
      url={previewUrl}
      label={texts.previewOf(replaceControlCharacters(filename))}
      onFailed={() => (Date.now() - submittedAt >= URL_LIFETIME_MS ? request() : setBroken(true))}
    />
  );
}
