import { fileStatusTraits } from "@stowage/operator-schemas";
import { Anchor, SimpleGrid, Stack, Table, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import { CopyableCode, Fact, Facts } from "../../components/facts.js";
import { isUnstored, type ShownState, useFileState } from "../../components/files/file-state.js";
import { FileStatus, LifecycleNote } from "../../components/files/file-status.js";
import { ScanBadge } from "../../components/files/scan-badge.js";
import { scanState } from "../../components/files/scan-state.js";
import { UploadProgress } from "../../components/files/upload-progress.js";
import { formatBytes, formatDateTime } from "../../components/format.js";
import { UntrustedText } from "../../components/untrusted-text.js";
import { Section } from "../../components/section.js";
import { TenantLink } from "../../components/tenant-link.js";
import { RelativeTime } from "../../components/relative-time.js";
import { useProject } from "../../components/use-project.js";
import { filePage as texts } from "./file-page-texts.js";
import { files } from "../../components/files/files-texts.js";
import { quarantine } from "./quarantine-texts.js";
import { loadChunk } from "../../load-chunk.js";
import type { Outputs } from "../../trpc.js";
import { FileVariants } from "./file-variants.js";
import { Preview } from "./preview.js";
import { ShareLinks } from "./share-links.js";

const FileVersions = lazy(async () => ({
  default: (await loadChunk(() => import("./file-versions.js"))).FileVersions,
}));

type File = Outputs["files"]["read"];

/** Preview, history, details, versions and metadata of a file. */
export function FileDetails(props: { projectRef: string; file: File; history: ReactNode }) {
  const { projectRef, file, history } = props;
  const { data: project } = useProject();
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} spacing="xl" verticalSpacing="xl">
      <Stack gap="xl" miw={0}>
        <Section title={texts.preview}>
          <Preview projectRef={projectRef} file={file} />
        </Section>
        {history}
      </Stack>
      <Stack gap="xl" miw={0}>
        <Section title={texts.details}>
          <FileFacts projectRef={projectRef} file={file} />
        </Section>
        {file.status === "stored" && project !== undefined && project.maxVersions > 0 && (
          <Suspense>
            <FileVersions projectRef={projectRef} fileId={file.id} filePath={file.path} />
          </Suspense>
        )}
        {fileStatusTraits[file.status].counts && <ShareLinks projectRef={projectRef} file={file} />}
        <FileVariants projectRef={projectRef} fileId={file.id} />
        <Section title={texts.metadata}>
          <Metadata metadata={file.metadata} />
        </Section>
      </Stack>
    </SimpleGrid>
  );
}

function FileFacts({ projectRef, file }: { projectRef: string; file: File }) {
  const state = useFileState(file);
  return (
    <Facts>
      <Fact name={files.status}>
        <FileStatus file={file} />
        <Text size="sm" c="dimmed" mt={4}>
          {(file.parts && texts.meaningByParts[state]) ?? texts.meaning[state]}
        </Text>
        <LifecycleNote file={file} />
      </Fact>
      <OtherFileFact projectRef={projectRef} name={texts.replacedBy} file={file.replacedBy} />
      <OtherFileFact projectRef={projectRef} name={texts.replaces} file={file.replaces} />
      <ScanFact projectRef={projectRef} file={file} />
      <Fact name={files.pathTitle}>
        <CopyableCode value={file.path} what={files.path} />
      </Fact>
      <Fact name={files.tenant}>
        <TenantLink projectRef={projectRef} tenantId={file.tenantId} size="sm" />
      </Fact>
      <Fact name={texts.folder}>
        {file.folder === "" ? texts.noFolder : <UntrustedText text={file.folder} />}
      </Fact>
      <Fact name={texts.contentType}>{file.contentType}</Fact>
      <Fact name={files.size}>{sizeOf(file)}</Fact>
      {file.parts && (
        <Fact name={texts.upload}>
          {texts.byParts(file.parts)}
          {state === "uploading" && <UploadProgress file={file} size="sm" />}
        </Fact>
      )}
      <Fact name={files.created}>
        {formatDateTime(file.createdAt)} (<RelativeTime at={file.createdAt} />)
      </Fact>
      {file.storedAt !== null && (
        <Fact name={texts.storedAt}>
          {formatDateTime(file.storedAt)} (<RelativeTime at={file.storedAt} />)
        </Fact>
      )}
      {file.expiresAt !== null && file.status === "stored" && (
        <Fact name={texts.expiresAt}>
          {formatDateTime(file.expiresAt)} (<RelativeTime at={file.expiresAt} />)
        </Fact>
      )}
      {isUnstored(file) && (
        <>
          <Fact name={nameOfEnd(file, state)}>
            {formatDateTime(file.urlExpiresAt)} (<RelativeTime at={file.urlExpiresAt} />)
          </Fact>
          <Fact name={texts.reserved}>{reservationOf(file)}</Fact>
        </>
      )}
      {file.visibility === "public" && (
        <Fact name={texts.publicUrl}>
          {file.publicUrl === null ? (
            texts.isBeingMoved
          ) : (
            <CopyableCode value={file.publicUrl} what={texts.publicUrl} />
          )}
        </Fact>
      )}
      {file.etag !== null && (
        <Fact name={texts.etag}>
          <CopyableCode value={file.etag} what={texts.etag} />
        </Fact>
      )}
    </Facts>
  );
}

/** A link to another file. Nothing without one. */
function OtherFileFact(props: { projectRef: string; name: string; file: File["replacedBy"] }) {
  const { projectRef, name, file } = props;
  if (file === null) return null;
  const params = { projectRef, fileId: String(file.id) };
  return (
    <Fact name={name}>
      <Anchor
        size="sm"
        renderRoot={(props) => <Link to="/projects/$projectRef/files/$fileId" params={params} {...props} />}
      >
        <UntrustedText text={file.filename} />
      </Anchor>
    </Fact>
  );
}

function ScanFact({ projectRef, file }: { projectRef: string; file: File }) {
  const { data: project } = useProject();
  const state = scanState(file, project);
  if (state === "off") return null;
  return (
    <Fact name={quarantine.scan}>
      <ScanBadge state={state} />
      <Text size="sm" c="dimmed" mt={4}>
        {quarantine.meaning[state]}
      </Text>
      {file.scanSignature !== null && (
        <Text size="sm">
          <UntrustedText text={quarantine.foundIn(file.scanSignature)} />
        </Text>
      )}
      {state !== "clean" && state !== "waiting" && (
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link to="/projects/$projectRef/files/quarantine" params={{ projectRef }} {...props} />
          )}
        >
          {quarantine.all}
        </Anchor>
      )}
    </Fact>
  );
}

function nameOfEnd({ parts }: File, state: ShownState): string {
  if (parts === null) return state === "uploading" ? texts.urlExpires : files.urlExpired;
  return state === "uploading" ? texts.uploadEnds : texts.uploadEnded;
}

function sizeOf({ sizeBytes, declaredSizeBytes }: File): string {
  if (sizeBytes !== null) return formatBytes(sizeBytes);
  return declaredSizeBytes === null ? files.sizeUnknown : texts.declared(declaredSizeBytes);
}

function reservationOf({ status, reservedBytes, parts }: File): string {
  if (reservedBytes > 0) return texts.reservedBytes(reservedBytes);
  return status === "pending" ? texts.reservesNothing : texts.reservationReleased(parts !== null);
}

function Metadata({ metadata }: { metadata: File["metadata"] }) {
  const entries = Object.entries(metadata);
  if (entries.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {texts.noMetadata}
      </Text>
    );
  return (
    <Table layout="fixed">
      <Table.Thead>
        <Table.Tr>
          <Table.Th w="40%">{texts.metadataName}</Table.Th>
          <Table.Th>{texts.metadataValue}</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {entries.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Td>
              <UntrustedText text={name} />
            </Table.Td>
            <Table.Td>
              <UntrustedText text={value} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
