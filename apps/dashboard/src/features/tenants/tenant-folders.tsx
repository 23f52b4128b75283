import { Anchor, Breadcrumbs, Button, Group, Stack, Text, UnstyledButton } from "@mantine/core";
import { IconFolder } from "@tabler/icons-react";
import { LoadError } from "../../components/errors.js";
import { countFiles } from "../../components/files/files-texts.js";
import { formatBytes } from "../../components/format.js";
import { rememberFocus } from "../../components/return-focus.js";
import { UntrustedText } from "../../components/untrusted-text.js";
import { type Outputs, trpc } from "../../trpc.js";
import { tenants as texts } from "./tenants-texts.js";

/** The path of a tenant's folder, and the folders in it. Nothing for a tenant without folders. */
export function TenantFolders(props: {
  projectRef: string;
  tenantId: string;
  /** @default "", the root */
  folder: string | undefined;
  onOpen: (folder: string | undefined) => void;
}) {
  const { projectRef, tenantId, folder = "" } = props;
  const query = trpc.files.folders.useInfiniteQuery(
    { projectRef, tenantId, parent: folder },
    { getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined },
  );
  const folders = query.data?.pages.flatMap((page) => page.folders) ?? [];
  const open = (next: string) => {
    const keepFocus = rememberFocus();
    props.onOpen(next === "" ? undefined : next);
    keepFocus();
  };
  if (query.error && query.data === undefined)
    return (
      <LoadError error={query.error} isRetrying={query.isFetching} onRetry={() => void query.refetch()} />
    );
  if (folder === "" && folders.length === 0) return null;
  return (
    <Stack gap="xs">
      <Path folder={folder} onOpen={open} />
      {folders.length > 0 && <Folders folders={folders} onOpen={open} />}
      {query.hasNextPage && (
        <Button
          variant="subtle"
          size="xs"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {texts.moreFolders}
        </Button>
      )}
    </Stack>
  );
}

function Path({ folder, onOpen }: { folder: string; onOpen: (folder: string) => void }) {
  const segments = folder === "" ? [] : folder.split("/");
  const above = segments.map((_, index) => segments.slice(0, index + 1).join("/"));
  return (
    <Breadcrumbs component="nav" aria-label={texts.folder}>
      {["", ...above].map((path) => (
        <Anchor
          key={path}
          component="button"
          type="button"
          size="sm"
          aria-current={path === folder ? "page" : undefined}
          onClick={() => onOpen(path)}
        >
          {path === "" ? texts.allFolders : <UntrustedText text={lastSegmentOf(path)} />}
        </Anchor>
      ))}
    </Breadcrumbs>
  );
}

const lastSegmentOf = (folder: string) => folder.slice(folder.lastIndexOf("/") + 1);

function Folders(props: {
  folders: Outputs["files"]["folders"]["folders"];
  onOpen: (folder: string) => void;
}) {
  return (
    <Group
      component="ul"
      // Safari's screen reader does not announce a list without bullets unless it has the role.
      role="list"
      aria-label={texts.folders}
      gap="xs"
      m={0}
      p={0}
      style={{ listStyle: "none" }}
    >
      {props.folders.map(({ folder, fileCount, usedBytes }) => (
        <li key={folder}>
          <UnstyledButton onClick={() => props.onOpen(folder)} p="xs">
            <Group component="span" gap="xs" wrap="nowrap">
              <IconFolder size={18} aria-hidden />
              <UntrustedText text={lastSegmentOf(folder)} />
              <Text component="span" size="sm" c="dimmed">
                {`${countFiles(fileCount)}, ${formatBytes(usedBytes)}`}
              </Text>
            </Group>
          </UnstyledButton>
        </li>
      ))}
    </Group>
  );
}
