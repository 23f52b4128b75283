import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from "@tanstack/react-router";
import { readFileOrder } from "./components/files/file-order.js";
import { readAuditSearch } from "./features/audit/audit-search.js";
import { readFilesSearch } from "./features/files/files-search.js";
import { readTenantsSearch } from "./features/tenants/tenants-search.js";
import { readOverviewSearch } from "./features/overview/overview-search.js";
import { readProjectsSearch } from "./features/projects/projects-search.js";
import { judgeSearch } from "./judge-search.js";
import { Broken } from "./shell/broken.js";
import { NotFound } from "./shell/not-found.js";
import { SignedIn } from "./shell/signed-in.js";

/*
 * Every page of the dashboard: a table of contents. Each is a chunk of its own, loaded when somebody goes there. A list's
 * filters, sort and cursor are search parameters, judged by `judgeSearch`, so that a link shows what its sender saw.
 */
const root = createRootRoute({ component: Outlet, notFoundComponent: NotFound, errorComponent: Broken });

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  /** Where the person wanted to go: a path of ours, and nobody else's. */
  validateSearch: judgeSearch(({ to }): { to?: string } =>
    typeof to === "string" && /^\/(?![/\\])/.test(to) ? { to } : {},
  ),
  component: lazyRouteComponent(() => import("./features/operators/sign-in-page.js"), "SignInPage"),
});

const setup = createRoute({
  getParentRoute: () => root,
  path: "/setup",
  component: lazyRouteComponent(() => import("./features/operators/setup-page.js"), "SetupPage"),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: "/invitation",
  component: lazyRouteComponent(() => import("./features/operators/invitation-page.js"), "InvitationPage"),
});

const reset = createRoute({
  getParentRoute: () => root,
  path: "/reset",
  component: lazyRouteComponent(() => import("./features/operators/reset-page.js"), "ResetPage"),
});

const signedIn = createRoute({ getParentRoute: () => root, id: "signed-in", component: SignedIn });

const projects = createRoute({
  getParentRoute: () => signedIn,
  path: "/",
  validateSearch: judgeSearch(readProjectsSearch),
  component: lazyRouteComponent(() => import("./features/projects/projects-page.js"), "ProjectsPage"),
});

const account = createRoute({
  getParentRoute: () => signedIn,
  path: "/account",
  validateSearch: judgeSearch(({ cursor }): { cursor?: string } =>
    typeof cursor === "string" ? { cursor } : {},
  ),
  component: lazyRouteComponent(() => import("./features/operators/account-page.js"), "AccountPage"),
});

const project = createRoute({ getParentRoute: () => signedIn, path: "/projects/$projectRef" });

const overview = createRoute({
  getParentRoute: () => project,
  path: "/",
  validateSearch: judgeSearch(readOverviewSearch),
  component: lazyRouteComponent(() => import("./features/overview/overview-page.js"), "OverviewPage"),
});

const files = createRoute({
  getParentRoute: () => project,
  path: "/files",
  validateSearch: judgeSearch(readFilesSearch),
  component: lazyRouteComponent(() => import("./features/files/files-page.js"), "FilesPage"),
});

const file = createRoute({
  getParentRoute: () => project,
  path: "/files/$fileId",
  component: lazyRouteComponent(() => import("./features/files/file-page.js"), "FilePage"),
});

const tenants = createRoute({
  getParentRoute: () => project,
  path: "/tenants",
  validateSearch: judgeSearch(readTenantsSearch),
  component: lazyRouteComponent(() => import("./features/tenants/tenants-page.js"), "TenantsPage"),
});

const tenant = createRoute({
  getParentRoute: () => project,
  path: "/tenants/$tenantId",
  validateSearch: judgeSearch(readFileOrder),
  component: lazyRouteComponent(() => import("./features/tenants/tenant-page.js"), "TenantPage"),
});

const key = createRoute({
  getParentRoute: () => project,
  path: "/key",
  component: lazyRouteComponent(() => import("./features/projects/key-page.js"), "KeyPage"),
});

const members = createRoute({
  getParentRoute: () => project,
  path: "/members",
  component: lazyRouteComponent(() => import("./features/operators/members-page.js"), "MembersPage"),
});

const audit = createRoute({
  getParentRoute: () => project,
  path: "/audit",
  validateSearch: judgeSearch(readAuditSearch),
  component: lazyRouteComponent(() => import("./features/audit/audit-page.js"), "AuditPage"),
});

const settings = createRoute({
  getParentRoute: () => project,
  path: "/settings",
  component: lazyRouteComponent(() => import("./features/projects/settings-page.js"), "SettingsPage"),
});

export const router = createRouter({
  routeTree: root.addChildren([
    signIn,
    setup,
    invitation,
    reset,
    signedIn.addChildren([
      projects,
      account,
      project.addChildren([overview, files, file, tenants, tenant, key, members, audit, settings]),
    ]),
  ]),
  defaultPreload: "intent",
  scrollRestoration: true,
  defaultErrorComponent: Broken,
  defaultNotFoundComponent: NotFound,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
