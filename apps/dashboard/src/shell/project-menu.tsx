import { NavLink, type NavLinkProps, Text } from "@mantine/core";
import {
  IconChartBar,
  IconFiles,
  IconHistory,
  IconKey,
  IconSettings,
  IconUserShield,
  IconUsers,
} from "@tabler/icons-react";
import { createLink } from "@tanstack/react-router";
import type { Role } from "@stowage/schemas/dashboard";
import { hasRole } from "../components/use-project.js";
import { shell } from "../texts/shell.js";
import { trpc } from "../trpc.js";

/** Shows the link that the router marks as active. */
const MenuLink = createLink((props: NavLinkProps & { "data-status"?: string }) => (
  <NavLink {...props} active={props["data-status"] === "active"} />
));

/** The pages of a project, each with the lowest role that may open it. */
const entries = [
  { to: "/projects/$projectRef", label: shell.overview, Icon: IconChartBar, minRole: "viewer", exact: true },
  { to: "/projects/$projectRef/files", label: shell.files, Icon: IconFiles, minRole: "viewer" },
  { to: "/projects/$projectRef/tenants", label: shell.tenants, Icon: IconUsers, minRole: "viewer" },
  { to: "/projects/$projectRef/key", label: shell.key, Icon: IconKey, minRole: "viewer" },
  { to: "/projects/$projectRef/members", label: shell.members, Icon: IconUserShield, minRole: "viewer" },
  { to: "/projects/$projectRef/audit", label: shell.audit, Icon: IconHistory, minRole: "owner" },
  { to: "/projects/$projectRef/settings", label: shell.settings, Icon: IconSettings, minRole: "owner" },
] as const satisfies { to: string; label: string; Icon: unknown; minRole: Role; exact?: boolean }[];

export function ProjectMenu({ projectRef, onNavigate }: { projectRef: string; onNavigate: () => void }) {
  const { data: project } = trpc.projects.read.useQuery({ projectRef });
  return (
    <>
      <Text fw={600} px="sm" mb="xs" lineClamp={2} style={{ overflowWrap: "anywhere" }}>
        {project?.name ?? " "}
      </Text>
      {entries
        .filter(({ minRole }) => hasRole(project?.role ?? "viewer", minRole))
        .map(({ to, label, Icon, ...entry }) => (
          <MenuLink
            key={to}
            to={to}
            params={{ projectRef }}
            activeOptions={{ exact: "exact" in entry, includeSearch: false }}
            label={label}
            leftSection={<Icon size={18} stroke={1.6} />}
            onClick={onNavigate}
            style={{ borderRadius: "var(--mantine-radius-md)" }}
          />
        ))}
    </>
  );
}
