import { Button, Group, Skeleton, Stack, Text } from "@mantine/core";
import { IconEye } from "@tabler/icons-react";
import { useEffect, useState } from "react";
import { LoadError } from "../../components/errors.js";
import { replaceControlCharacters } from "../../components/untrusted-text.js";
import { filePage as texts } from "./file-page-texts.js";
import { type Outputs, trpc } from "../../trpc.js";
import { BrokenPreview } from "./broken-preview.js";
import { Player } from "./player.js";

/** How long the service's preview URLs are valid. Measured by this browser's clock, which may differ from the service's. */
const URL_LIFETIME_MS = 5 * 60_000;
/** Larger images and PDFs are loaded on request only. Video and audio are streamed, so they have no limit. */
const MAX_AUTOMATIC_BYTES = 20 * 1024 * 1024;

/**
 * Requests the URLs of a file, and new ones if the player fails after they have expired. Shows the variant of an image if there is one, and
 * the image itself on request.
 */
export function PreviewContent({ projectRef, file }: { projectRef: string; file: Outputs["files"]["read"] }) {
  const { id: fileId } = file;
  const [links, setLinks] = useState<Outputs["files"]["links"]>();
  const [isBroken, setBroken] = useState(false);
  const [isVariantBroken, setVariantBroken] = useState(false);
  const [isOriginalWanted, setOriginalWanted] = useState(false);
  const { mutate, error, isPending, submittedAt } = trpc.files.links.useMutation({ onSuccess: setLinks });
  const request = () => {
    setBroken(false);
    mutate({ projectRef, fileId });
  };
  useEffect(() => mutate({ projectRef, fileId }), [mutate, projectRef, fileId]);
  if (error) return <LoadError error={error} isRetrying={isPending} onRetry={request} />;
  if (!links) return <Skeleton h={200} />;
  // The previous URLs stay while new ones are requested, so that a player keeps its position.
  const { previewKind, previewUrl, variantUrl } = links;
  if (previewKind === null || previewUrl === null)
    return (
      <Text size="sm" c="dimmed">
        {texts.noPreview}
      </Text>
    );
  if (isBroken) return <BrokenPreview onRetry={request}>{texts.previewFailed}</BrokenPreview>;
  const bytes = file.sizeBytes ?? 0;
  // A PDF is shown as its first page only where the browser cannot show it.
  const isPicture = previewKind === "image" || (previewKind === "pdf" && !navigator.pdfViewerEnabled);
  const hasVariant = isPicture && variantUrl !== null && !isVariantBroken;
  const isVariantShown = hasVariant && !isOriginalWanted;
  const isStreamed = previewKind === "audio" || previewKind === "video";
  if (!hasVariant && !isOriginalWanted && !isStreamed && bytes > MAX_AUTOMATIC_BYTES)
    return (
      <Button variant="default" leftSection={<IconEye size={16} />} onClick={() => setOriginalWanted(true)}>
        {texts.showPreview(bytes)}
      </Button>
    );
  const onFailed = () => {
    if (Date.now() - submittedAt >= URL_LIFETIME_MS) request();
    // It may have been removed meanwhile, such as with its preset.
    else if (isVariantShown) setVariantBroken(true);
    else setBroken(true);
  };
  return (
    <Stack gap="sm">
      <Player
        // Two elements, so that no part of one image is shown while the other is loaded.
        key={isVariantShown ? "variant" : "original"}
        kind={isVariantShown ? "image" : previewKind}
        url={isVariantShown ? variantUrl : previewUrl}
        posterUrl={previewKind === "video" ? variantUrl : null}
        label={texts.previewOf(replaceControlCharacters(file.filename))}
        onFailed={onFailed}
      />
      {hasVariant && previewKind === "pdf" && (
        <Text size="sm" c="dimmed">
          {texts.isFirstPage}
        </Text>
      )}
      {hasVariant && previewKind === "image" && (
        <Group justify="space-between" gap="xs">
          <Text size="sm" c="dimmed">
            {isVariantShown ? texts.isVariant : texts.isOriginal}
          </Text>
          <Button size="xs" variant="default" onClick={() => setOriginalWanted(!isOriginalWanted)}>
            {isVariantShown ? texts.showOriginal(bytes) : texts.showVariant}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
