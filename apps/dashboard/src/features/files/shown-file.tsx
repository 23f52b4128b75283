import { Alert, Button, Skeleton, Stack, Text } from "@mantine/core";
import { IconPhotoOff } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { Failure } from "../../components/failure.js";
import { unhide } from "../../components/given-text.js";
import { common } from "../../texts/common.js";
import { files as texts } from "../../texts/files.js";
import { type Outputs, trpc } from "../../trpc.js";
import { Player } from "./player.js";

/** As long as the service signs its URLs for; counted here, since clocks differ. */
const URL_LIVES_MS = 5 * 60_000;

/** Asks for a file's URLs when it is shown, and again when a player comes back to them too late. */
export function ShownFile(props: { projectRef: string; fileId: number; filename: string }) {
  const { projectRef, fileId, filename } = props;
  const [links, setLinks] = useState<Outputs["files"]["links"]>();
  const [isBroken, setBroken] = useState(false);
  const { mutate, error, isPending, submittedAt } = trpc.files.links.useMutation({ onSuccess: setLinks });
  const ask = () => {
    setBroken(false);
    mutate({ projectRef, fileId });
  };
  useEffect(() => mutate({ projectRef, fileId }), [mutate, projectRef, fileId]);
  if (error) return <Failure error={error} isRetrying={isPending} onRetry={ask} />;
  if (!links) return <Skeleton h={200} />;
  // The one before stays while another is on its way, so that a player keeps its place.
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
          <Text size="sm">{texts.notShown}</Text>
          <Button size="xs" variant="default" onClick={ask}>
            {common.tryAgain}
          </Button>
        </Stack>
      </Alert>
    );
  return (
    <Player
      kind={previewKind}
      url={previewUrl}
      label={texts.previewOf(unhide(filename))}
      onFailed={() => (Date.now() - submittedAt >= URL_LIVES_MS ? ask() : setBroken(true))}
    />
  );
}
