import { Anchor, Badge, Card, Group, Stack, Text, Title, VisuallyHidden } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { DataList } from "../../components/data-list.js";
import { formatBytes } from "../../components/format.js";
import { GivenText, unhide } from "../../components/given-text.js";
import { Loaded } from "../../components/loaded.js";
import { TenantLink } from "../../components/tenant-link.js";
import { When } from "../../components/when.js";
import { overview as texts } from "../../texts/overview.js";
import { type Outputs, trpc } from "../../trpc.js";
import { REFRESH_MS } from "./use-live-uploads.js";

type Upload = Outputs["overview"]["newestUploads"][number];

const colors = { pending: "gray", stored: "teal", expired: "orange", deleting: "gray" };

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
      {upload && texts.announce(unhide(upload.filename), texts.statuses[upload.status])}
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
          width: 180,
          render: ({ id, filename }) => (
            <Anchor
              size="sm"
              renderRoot={(props) => (
                <Link
                  to="/projects/$projectRef/files/$fileId"
                  params={{ projectRef, fileId: String(id) }}
                  {...props}
                />
              )}
            >
              <GivenText text={filename} />
            </Anchor>
          ),
        },
        {
          accessor: "tenantId",
          title: texts.tenant,
          width: 110,
          render: ({ tenantId }) => <TenantLink size="sm" projectRef={projectRef} tenantId={tenantId} />,
        },
        {
          accessor: "sizeBytes",
          title: texts.size,
          textAlign: "right",
          noWrap: true,
          render: ({ sizeBytes, declaredSizeBytes }) => {
            const bytes = sizeBytes ?? declaredSizeBytes;
            return bytes === null ? "–" : formatBytes(bytes);
          },
        },
        {
          accessor: "status",
          title: texts.status,
          noWrap: true,
          render: ({ status }) => (
            <Badge variant="dot" color={colors[status]} tt="none" miw="max-content">
              {texts.statuses[status]}
            </Badge>
          ),
        },
        {
          accessor: "createdAt",
          title: texts.asked,
          noWrap: true,
          render: ({ createdAt }) => <When at={createdAt} />,
        },
      ]}
    />
  );
}
