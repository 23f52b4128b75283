import { Anchor, NativeSelect, Text } from "@mantine/core";
import { keepPreviousData } from "@tanstack/react-query";
import { getRouteApi, Link } from "@tanstack/react-router";
import { basePath } from "../../base-path.js";
import { DataList } from "../../components/data-list.js";
import { formatCount } from "../../components/format.js";
import { Loaded } from "../../components/loaded.js";
import { Page } from "../../components/page.js";
import { RelativeTime } from "../../components/relative-time.js";
import { Section } from "../../components/section.js";
import { TenantLink } from "../../components/tenant-link.js";
import { useProjectRef } from "../../components/use-project.js";
import { health as texts } from "./health-texts.js";
import { overview } from "../../components/overview-texts.js";
import { type Inputs, type Outputs, trpc } from "../../trpc.js";

type Rejected = Outputs["health"]["refusedRequests"][number];
type Code = Inputs["health"]["refusedRequests"]["code"];

const REFRESH_MS = 10_000;
const SHOWN = 100;
const route = getRouteApi("/signed-in/projects/$projectRef/health");

/** The requests of a project's backend that were rejected, and for administrators the way to the installation's health. */
export function ProjectHealthPage() {
  const projectRef = useProjectRef();
  const { code } = route.useSearch();
  const me = trpc.session.me.useQuery();
  const query = trpc.health.refusedRequests.useQuery(
    { projectRef, limit: SHOWN, ...(code === undefined ? {} : { code: code as NonNullable<Code> }) },
    { placeholderData: keepPreviousData, refetchInterval: REFRESH_MS },
  );
  return (
    <Page
      title={texts.title}
      actions={
        me.data?.isAdmin && (
          <Anchor size="sm" renderRoot={(props) => <Link to="/health" {...props} />}>
            {texts.installation}
          </Anchor>
        )
      }
    >
      <Section title={texts.rejected} hint={texts.rejectedHint} aside={<ReasonFilter code={code} />}>
        <Loaded query={query}>
          {(rejected) =>
            rejected.length === 0 && code === undefined ? (
              <Text c="dimmed">{texts.noneRejected}</Text>
            ) : (
              <RejectedList
                projectRef={projectRef}
                rejected={rejected}
                isFetching={query.isPlaceholderData}
              />
            )
          }
        </Loaded>
      </Section>
    </Page>
  );
}

/** Offers the reasons of the last 30 days. */
function ReasonFilter({ code }: { code: string | undefined }) {
  const projectRef = useProjectRef();
  const navigate = route.useNavigate();
  const { data: reasons = [] } = trpc.overview.refusals.useQuery(
    { projectRef, days: 30 },
    { refetchInterval: REFRESH_MS },
  );
  const codes = new Set([...reasons.map((reason) => reason.code as string), ...(code ? [code] : [])]);
  if (codes.size === 0) return null;
  return (
    <NativeSelect
      size="xs"
      aria-label={texts.reason}
      value={code ?? ""}
      onChange={(event) => {
        const chosen = event.currentTarget.value;
        void navigate({ search: chosen === "" ? {} : { code: chosen } });
      }}
      data={[{ value: "", label: texts.allReasons }, ...codes]}
    />
  );
}

function RejectedList(props: { projectRef: string; rejected: Rejected[]; isFetching: boolean }) {
  const { projectRef, rejected } = props;
  return (
    <DataList
      label={texts.rejected}
      rows={rejected.map((row) => ({ ...row, id: `${row.at} ${row.code} ${row.tenantId}` }))}
      rowKey="id"
      isFetching={props.isFetching}
      columns={[
        { id: "at", title: texts.time, noWrap: true, render: ({ at }) => <RelativeTime at={at} /> },
        {
          id: "code",
          title: texts.reason,
          render: ({ code, detail, count }) => (
            <>
              {count > 1 && `${texts.times(formatCount(count))} `}
              {overview.reasons[code] ?? detail}{" "}
              <Anchor
                inherit
                underline="always"
                href={`${basePath}/docs/errors/${code}/`}
                target="_blank"
                rel="noreferrer"
              >
                {code}
              </Anchor>
            </>
          ),
        },
        {
          id: "tenantId",
          title: texts.tenant,
          noWrap: true,
          render: ({ tenantId }) =>
            tenantId === null ? (
              <Text span inherit c="dimmed">
                {texts.noTenant}
              </Text>
            ) : (
              <TenantLink inherit projectRef={projectRef} tenantId={tenantId} />
            ),
        },
      ]}
    />
  );
}
