import { Anchor, Button, SimpleGrid, Skeleton, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { IconAdjustments } from "@tabler/icons-react";
import { Link, useParams } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense } from "react";
import { formatBytes, formatCount } from "../../components/format.js";
import { replaceControlCharacters } from "../../components/untrusted-text.js";
import { Loaded } from "../../components/loaded.js";
import { Page } from "../../components/page.js";
import { hasRole, useProject, useProjectRef } from "../../components/use-project.js";
import { RelativeTime } from "../../components/relative-time.js";
import { MountOnOpen } from "../../components/mount-on-open.js";
import { tenants as texts } from "./tenants-texts.js";
import { type Outputs, trpc } from "../../trpc.js";
import { DeleteTenant } from "./delete-tenant.js";
import { QuotaBar } from "./quota-bar.js";
import { Usage } from "./usage.js";
import { loadChunk } from "../../load-chunk.js";

// Lazy because it is below the first screen of a phone.
const TenantFiles = lazy(async () => ({
  default: (await loadChunk(() => import("./tenant-files.js"))).TenantFiles,
}));

const LimitsDialog = lazy(async () => ({
  default: (await loadChunk(() => import("./limits-dialog.js"))).LimitsDialog,
}));

type Tenant = Outputs["tenants"]["read"];

/** The page of one tenant: limits, files and usage. */
export function TenantPage() {
  const projectRef = useProjectRef();
  const { tenantId } = useParams({ from: "/signed-in/projects/$projectRef/tenants/$tenantId" });
  const query = trpc.tenants.read.useQuery({ projectRef, tenantId });
  const { data: project } = useProject();
  const [isOpen, dialog] = useDisclosure();
  const mayChange = project !== undefined && hasRole(project.role, "member");
  return (
    <Page
      title={replaceControlCharacters(tenantId)}
      isName
      back={
        <Anchor
          renderRoot={(props) => (
            <Link to="/projects/$projectRef/tenants" params={{ projectRef }} {...props} />
          )}
        >
          {texts.back}
        </Anchor>
      }
      actions={
        query.data &&
        mayChange && (
          <Button leftSection={<IconAdjustments size={16} />} onClick={dialog.open}>
            {texts.setLimits}
          </Button>
        )
      }
    >
      <Loaded query={query}>
        {(tenant) => (
          <>
            <Figures tenant={tenant} />
            <Suspense fallback={<Skeleton height={400} />}>
              <TenantFiles key={tenantId} projectRef={projectRef} tenantId={tenantId} />
            </Suspense>
            <Usage projectRef={projectRef} tenantId={tenantId} />
            {project && hasRole(project.role, "owner") && (
              <DeleteTenant projectRef={projectRef} tenant={tenant} />
            )}
            <MountOnOpen opened={isOpen}>
              <LimitsDialog projectRef={projectRef} tenant={tenant} opened={isOpen} onClose={dialog.close} />
            </MountOnOpen>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Figures({ tenant }: { tenant: Tenant }) {
  const { quotaBytes, quotaSource, plan, fileCount, maxFiles } = tenant;
  const files = formatCount(fileCount);
  return (
    <Stack gap="md">
      <QuotaBar {...tenant} size="lg" />
      <SimpleGrid component="dl" m={0} cols={{ base: 2, sm: 4 }}>
        <Figure name={texts.files}>
          {maxFiles === null ? files : texts.filesOfLimit(files, formatCount(maxFiles))}
        </Figure>
        <Figure name={texts.reserved}>{formatBytes(tenant.reservedBytes)}</Figure>
        <Figure name={texts.quota}>
          {quotaBytes === null || quotaSource === null
            ? texts.notSet
            : texts.quotaWithSource(formatBytes(quotaBytes), texts.sources[quotaSource])}
        </Figure>
        {plan !== null && <Figure name={texts.plan}>{plan}</Figure>}
        <Figure name={texts.since}>
          <RelativeTime at={tenant.createdAt} />
        </Figure>
      </SimpleGrid>
    </Stack>
  );
}

function Figure({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <Text component="dt" size="sm" c="dimmed">
        {name}
      </Text>
      <Text component="dd" m={0} fw={600}>
        {children}
      </Text>
    </div>
  );
}
