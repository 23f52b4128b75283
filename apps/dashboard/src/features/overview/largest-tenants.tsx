import { Anchor, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import { DataList } from "../../components/data-list.js";
import { formatBytes, formatCount } from "../../components/format.js";
import { Loaded } from "../../components/loaded.js";
import { Section } from "../../components/section.js";
import { TenantLink } from "../../components/tenant-link.js";
import { overview as texts } from "../../components/overview-texts.js";
import { trpc } from "../../trpc.js";
import { REFRESH_MS } from "./use-live-uploads.js";

const SHOWN = 5;

/** The tenants that store most. */
export function LargestTenants({ projectRef }: { projectRef: string }) {
  const query = trpc.tenants.list.useQuery(
    { projectRef, sort: "used_bytes", limit: SHOWN },
    { refetchInterval: REFRESH_MS },
  );
  return (
    <Section
      title={texts.largest}
      aside={
        <Anchor
          size="sm"
          renderRoot={(props) => (
            <Link
              to="/projects/$projectRef/tenants"
              params={{ projectRef }}
              search={{ sort: "used_bytes" }}
              {...props}
            />
          )}
        >
          {texts.allTenants}
        </Anchor>
      }
    >
      <Loaded query={query}>
        {({ tenants }) =>
          tenants.length === 0 ? (
            <Text c="dimmed">{texts.noTenants}</Text>
          ) : (
            <DataList
              label={texts.largest}
              rows={tenants}
              rowKey="tenantId"
              columns={[
                {
                  id: "tenantId",
                  title: texts.tenant,
                  render: ({ tenantId }) => (
                    <TenantLink inherit projectRef={projectRef} tenantId={tenantId} />
                  ),
                },
                {
                  id: "fileCount",
                  title: texts.files,
                  textAlign: "right",
                  render: ({ fileCount }) => formatCount(fileCount),
                },
                {
                  id: "usedBytes",
                  title: texts.used,
                  textAlign: "right",
                  noWrap: true,
                  render: ({ usedBytes }) => formatBytes(usedBytes),
                },
              ]}
            />
          )
        }
      </Loaded>
    </Section>
  );
}
