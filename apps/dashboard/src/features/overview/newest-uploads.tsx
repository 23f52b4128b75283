import { Badge, Card, Group, Stack, Text, Title, VisuallyHidden } from "@mantine/core";
import { DataList } from "../../components/data-list.js";
import { onlyWide } from "../../components/only-wide.js";
import { FileLink } from "../../components/file-link.js";
import { FileStatus } from "../../components/file-status.js";
import { FileSummary, sizeOf } from "../../components/file-summary.js";
import { unhide } from "../../components/given-text.js";
import { Loaded } from "../../components/loaded.js";
import { TenantLink } from "../../components/tenant-link.js";
import { When } from "../../components/when.js";
import { files } from "../../texts/files.js";
import { overview as texts } from "../../texts/overview.js";
import { type Outputs, trpc } from "../../trpc.js";
import { REFRESH_MS } from "./use-live-uploads.js";

type Upload = Outputs["overview"]["newestUploads"][number];

/** The last uploads that were asked for, and what became of them, as they come. */
export function NewestUploads({ projectRef, isLive }: { projectRef: string; isLive: boolean }) {
  const query = trpc.overview.newestUploads.useQuery(
    { projectRef },
    { refetchInterval: isLive ? false : REFRESH_MS },
  );
  return (
    <Card withBorder padding="lg" h="100%">
      <Stack>
        <Group justify="space-between">
          <Title order={2} size="h4">
            {texts.newest}
          </Title>
          {isLive ? (
            <Badge variant="dot" color="teal">
              {texts.live}
            </Badge>
          ) : (
            <Text size="xs" c="dimmed">
              {texts.notLive}
            </Text>
          )}
        </Group>
        <Loaded query={query}>
          {(uploads) => (
            <>
              <Announcement upload={uploads[0]} />
              {uploads.length === 0 ? (
                <Text c="dimmed">{texts.noneNow}</Text>
              ) : (
                <Uploads projectRef={projectRef} uploads={uploads} />
              )}
            </>
          )}
        </Loaded>
      </Stack>
    </Card>
  );
}

/** Says the newest one to those who do not see the list move; politely, so that nobody is interrupted. */
function Announcement({ upload }: { upload: Upload | undefined }) {
  return (
    <VisuallyHidden role="status">
      {upload && texts.announce(unhide(upload.filename), files.statuses[upload.status])}
    </VisuallyHidden>
  );
}

function Uploads({ projectRef, uploads }: { projectRef: string; uploads: Upload[] }) {
  return (
    <DataList
      label={texts.newest}
      rows={uploads}
      rowKey="id"
      columns={[
        {
          accessor: "filename",
          title: texts.file,
          render: (file) => (
            <Stack gap={2}>
              <FileLink projectRef={projectRef} file={file} lineClamp={2} size="sm" />
              <FileSummary file={file} />
            </Stack>
          ),
        },
        {
          ...onlyWide,
          accessor: "tenantId",
          title: texts.tenant,
          render: ({ tenantId }) => (
            <TenantLink projectRef={projectRef} tenantId={tenantId} lineClamp={2} size="sm" />
          ),
        },
        {
          ...onlyWide,
          accessor: "sizeBytes",
          title: texts.size,
          textAlign: "right",
          width: 90,
          noWrap: true,
          render: sizeOf,
        },
        {
          ...onlyWide,
          accessor: "status",
          title: texts.status,
          width: 120,
          render: ({ status }) => <FileStatus status={status} />,
        },
        {
          ...onlyWide,
          accessor: "createdAt",
          title: texts.asked,
          width: 130,
          noWrap: true,
          render: ({ createdAt }) => <When at={createdAt} />,
        },
      ]}
    />
  );
}
