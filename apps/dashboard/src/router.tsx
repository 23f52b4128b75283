import { localPath, oidcRefusals, overviewDays, requestPeriods } from "@stowage/operator-schemas";
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
} from "@tanstack/react-router";
import { basePath } from "./base-path.js";
import { validateTenantFilesSearch } from "./components/files/file-list-search.js";
import { oneOf, searchParams, text } from "./components/search-params.js";
import { validateAuditSearch } from "./features/audit/audit-search.js";
import { validateFilesSearch } from "./features/files/files-search.js";
import { validateOperatorsSearch } from "./features/operators/operators-search.js";
import { validateProjectsSearch } from "./features/projects/projects-search.js";
import { validateTenantsSearch } from "./features/tenants/tenants-search.js";
import { validateEndpointSearch } from "./features/webhooks/webhooks-search.js";
import { loadChunk } from "./load-chunk.js";
import { ErrorPage } from "./shell/error-page.js";
import { NotFoundPage } from "./shell/not-found-page.js";
import { PendingPage } from "./shell/pending-page.js";
import { SignedIn } from "./shell/signed-in.js";

/*
 * The routes of the dashboard. Each page is a chunk that is loaded when the route is opened. The filters, the sort order and the
 * page of a list are search parameters, so a copied link shows the same list.
 */
const lazyPage: typeof lazyRouteComponent = (load, name) => lazyRouteComponent(() => loadChunk(load), name);

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFoundPage,
  errorComponent: ErrorPage,
});

const signIn = createRoute({
  getParentRoute: () => root,
  path: "/sign-in",
  /** `to` is the page to open after signing in, `refused` why the OpenID Connect provider's sign-in failed. */
  validateSearch: searchParams({ to: localPath, refused: oneOf(oidcRefusals) }),
  component: lazyPage(() => import("./features/auth/sign-in-page.js"), "SignInPage"),
});

const setup = createRoute({
  getParentRoute: () => root,
  path: "/setup",
  component: lazyPage(() => import("./features/auth/setup-page.js"), "SetupPage"),
});

const invitation = createRoute({
  getParentRoute: () => root,
  path: "/invitation",
  component: lazyPage(() => import("./features/auth/invitation-page.js"), "InvitationPage"),
});

const reset = createRoute({
  getParentRoute: () => root,
  path: "/reset",
  component: lazyPage(() => import("./features/auth/reset-page.js"), "ResetPage"),
});

const signedIn = createRoute({ getParentRoute: () => root, id: "signed-in", component: SignedIn });

const projects = createRoute({
  getParentRoute: () => signedIn,
  path: "/",
  validateSearch: validateProjectsSearch,
  component: lazyPage(() => import("./features/projects/projects-page.js"), "ProjectsPage"),
});

const account = createRoute({
  getParentRoute: () => signedIn,
  path: "/account",
  validateSearch: searchParams({ cursor: text, refused: oneOf(oidcRefusals) }),
  component: lazyPage(() => import("./features/account/account-page.js"), "AccountPage"),
});

const operators = createRoute({
  getParentRoute: () => signedIn,
  path: "/operators",
  validateSearch: validateOperatorsSearch,
  component: lazyPage(() => import("./features/operators/operators-page.js"), "OperatorsPage"),
});

const health = createRoute({
  getParentRoute: () => signedIn,
  path: "/health",
  validateSearch: searchParams({ hours: oneOf(requestPeriods) }),
  component: lazyPage(() => import("./features/health/health-page.js"), "HealthPage"),
});

const project = createRoute({ getParentRoute: () => signedIn, path: "/projects/$projectRef" });

const overview = createRoute({
  getParentRoute: () => project,
  path: "/",
  validateSearch: searchParams({ days: oneOf(overviewDays) }),
  component: lazyPage(() => import("./features/overview/overview-page.js"), "OverviewPage"),
});

const files = createRoute({
  getParentRoute: () => project,
  path: "/files",
  validateSearch: validateFilesSearch,
  component: lazyPage(() => import("./features/files/files-page.js"), "FilesPage"),
});

const quarantine = createRoute({
  getParentRoute: () => project,
  path: "/files/quarantine",
  validateSearch: searchParams({ cursor: text }),
  component: lazyPage(() => import("./features/files/quarantine-page.js"), "QuarantinePage"),
});

const file = createRoute({
  getParentRoute: () => project,
  path: "/files/$fileId",
  component: lazyPage(() => import("./features/files/file-page.js"), "FilePage"),
});

const tenants = createRoute({
  getParentRoute: () => project,
  path: "/tenants",
  validateSearch: validateTenantsSearch,
  component: lazyPage(() => import("./features/tenants/tenants-page.js"), "TenantsPage"),
});

const tenant = createRoute({
  getParentRoute: () => project,
  path: "/tenants/$tenantId",
  validateSearch: validateTenantFilesSearch,
  component: lazyPage(() => import("./features/tenants/tenant-page.js"), "TenantPage"),
});

const projectHealth = createRoute({
  getParentRoute: () => project,
  path: "/health",
  validateSearch: searchParams({ code: text }),
  component: lazyPage(() => import("./features/health/project-health-page.js"), "ProjectHealthPage"),
});

const quickstart = createRoute({
  getParentRoute: () => project,
  path: "/quickstart",
  component: lazyPage(() => import("./features/overview/quickstart/quickstart-page.js"), "QuickstartPage"),
});

const key = createRoute({
  getParentRoute: () => project,
  path: "/key",
  component: lazyPage(() => import("./features/projects/key-page.js"), "KeyPage"),
});

const images = createRoute({
  getParentRoute: () => project,
  path: "/images",
  component: lazyPage(() => import("./features/images/images-page.js"), "ImagesPage"),
});

const webhooks = createRoute({
  getParentRoute: () => project,
  path: "/webhooks",
  component: lazyPage(() => import("./features/webhooks/webhooks-page.js"), "WebhooksPage"),
});

const endpoint = createRoute({
  getParentRoute: () => project,
  path: "/webhooks/$endpointRef",
  validateSearch: validateEndpointSearch,
  component: lazyPage(() => import("./features/webhooks/endpoint-page.js"), "EndpointPage"),
});

const members = createRoute({
  getParentRoute: () => project,
  path: "/members",
  component: lazyPage(() => import("./features/members/members-page.js"), "MembersPage"),
});

const audit = createRoute({
  getParentRoute: () => project,
  path: "/audit",
  validateSearch: validateAuditSearch,
  component: lazyPage(() => import("./features/audit/audit-page.js"), "AuditPage"),
});

const settings = createRoute({
  getParentRoute: () => project,
  path: "/settings",
  component: lazyPage(() => import("./features/projects/settings-page.js"), "SettingsPage"),
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
      operators,
      health,
      project.addChildren([
        overview,
        files,
        quarantine,
        file,
        tenants,
        tenant,
        projectHealth,
        quickstart,
        key,
        images,
        webhooks,
        endpoint,
        members,
        audit,
        settings,
      ]),
    ]),
  ]),
  basepath: basePath || "/",
  defaultPreload: "intent",
  scrollRestoration: true,
  defaultErrorComponent: ErrorPage,
  defaultPendingComponent: PendingPage,
  defaultPendingMs: 400,
  defaultNotFoundComponent: NotFoundPage,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
