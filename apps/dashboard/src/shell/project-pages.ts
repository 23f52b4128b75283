import type { Role } from "@stowage/operator-schemas";
import {
  IconChartBar,
  IconFiles,
  IconHeartbeat,
  IconHistory,
  IconKey,
  IconPhoto,
  IconRocket,
  IconSettings,
  IconUserShield,
  IconUsers,
  IconWebhook,
} from "@tabler/icons-react";
import { hasRole } from "../components/use-project.js";
import { shell } from "../components/shell-texts.js";

/** The pages of a project, each with the lowest role that may open it. */
const projectPages = [
  { to: "/projects/$projectRef", label: shell.overview, Icon: IconChartBar, minRole: "viewer", exact: true },
  { to: "/projects/$projectRef/files", label: shell.files, Icon: IconFiles, minRole: "viewer" },
  { to: "/projects/$projectRef/tenants", label: shell.tenants, Icon: IconUsers, minRole: "viewer" },
  { to: "/projects/$projectRef/health", label: shell.health, Icon: IconHeartbeat, minRole: "viewer" },
  { to: "/projects/$projectRef/quickstart", label: shell.quickstart, Icon: IconRocket, minRole: "viewer" },
  { to: "/projects/$projectRef/key", label: shell.key, Icon: IconKey, minRole: "viewer" },
  { to: "/projects/$projectRef/images", label: shell.images, Icon: IconPhoto, minRole: "viewer" },
  { to: "/projects/$projectRef/webhooks", label: shell.webhooks, Icon: IconWebhook, minRole: "viewer" },
  { to: "/projects/$projectRef/members", label: shell.members, Icon: IconUserShield, minRole: "viewer" },
  { to: "/projects/$projectRef/audit", label: shell.audit, Icon: IconHistory, minRole: "owner" },
  { to: "/projects/$projectRef/settings", label: shell.settings, Icon: IconSettings, minRole: "owner" },
] as const satisfies { to: string; label: string; Icon: unknown; minRole: Role; exact?: boolean }[];

export type ProjectPage = (typeof projectPages)[number];

/** The pages of a project that a role may open. */
export function pagesFor(role: Role): ProjectPage[] {
  return projectPages.filter(({ minRole }) => hasRole(role, minRole));
}

/**
 * The page to show after a switch to another project: the same one, or the list that the current page is an entry in. If the role
 * in the other project is too low for it, the overview.
 *
 * @param route the pattern of the current route, such as `/projects/$projectRef/files/$fileId`
 */
export function samePage(route: string, role: Role): ProjectPage["to"] {
  const isWithin = ({ to }: ProjectPage) => route === to || route.startsWith(`${to}/`);
  const pages = pagesFor(role).filter(isWithin);
  return pages.toSorted((one, other) => other.to.length - one.to.length)[0]?.to ?? projectPages[0].to;
}
