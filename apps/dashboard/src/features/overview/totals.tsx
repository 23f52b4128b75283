import { Anchor, SimpleGrid, Text } from "@mantine/core";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { formatBytes, formatCount } from "../../components/format.js";
import { overview as texts } from "../../components/overview-texts.js";
import type { Outputs } from "../../trpc.js";

type Overview = Outputs["overview"]["read"];

/** The current totals of a project. */
export function Totals({ projectRef, overview }: { projectRef: string; overview: Overview }) {
  const { usedBytes, reservedBytes, fileCount, tenantCount, tenantsOverQuota, defaultQuotaBytes } = overview;
  const to = (page: "files" | "tenants", count: number) => (
    <Anchor
      inherit
      renderRoot={(props) => <Link to={`/projects/$projectRef/${page}`} params={{ projectRef }} {...props} />}
    >
      {formatCount(count)}
    </Anchor>
  );
  return (
    <section aria-label={texts.totals}>
      <SimpleGrid component="dl" m={0} cols={{ base: 2, md: 4 }} spacing="lg">
        <Total name={texts.used} hint={reservedBytes > 0 ? texts.reserved(formatBytes(reservedBytes)) : null}>
          {formatBytes(usedBytes)}
        </Total>
        <Total name={texts.files}>{to("files", fileCount)}</Total>
        <Total
          name={texts.tenants}
          hint={tenantsOverQuota > 0 ? texts.overQuota(formatCount(tenantsOverQuota)) : texts.noneOverQuota}
        >
          {to("tenants", tenantCount)}
        </Total>
        <Total name={texts.quota} hint={texts.quotaHint}>
          {defaultQuotaBytes === null ? texts.noQuota : formatBytes(defaultQuotaBytes)}
        </Total>
      </SimpleGrid>
    </section>
  );
}

function Total(props: { name: string; hint?: string | null; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {props.name}
      </Text>
      <Text component="dd" m={0} fw={600} fz="xl">
        {props.children}
      </Text>
      {props.hint && (
        <Text component="dd" m={0} size="xs" c="dimmed">
          {props.hint}
        </Text>
      )}
    </div>
  );
}
