/** One group of the site's menu. */
export interface NavigationGroup {
  label: string;
  isCollapsed?: true;
  pages: readonly NavigationPage[];
}

export interface NavigationPage {
  /** The file that is rendered, usually Markdown, relative to the root of the repository. */
  source: string;
  /** The page's title and its name in the menu. The heading of the Markdown file is for readers of the repository. */
  title: string;
  /** One sentence for search engines and `llms.txt`. */
  description: string;
}

/**
 * The order, the titles and the descriptions of all pages. The pages of an error code and of a decision are not in the menu: their
 * index lists them. A file of `docs/` or `docs/guides/`, and a README of a package,
 * that is missing here appears at the end of the group that {@link groupOf} names.
 */
export const navigation: readonly NavigationGroup[] = [
  {
    label: "Start",
    pages: [
      page("README.md", "Overview", "What Stowage is, how to run it with one command, and the first upload."),
      page("docs/comparison.md", "Comparison", "What Stowage and its peers do and do not do, with sources."),
      page(
        "docs/helper.md",
        "The helper in your backend",
        "Routes, sessions, limits and callbacks of @stowage/server, for each framework.",
      ),
      page(
        "docs/server-client.md",
        "The server client",
        "Uploads, large files that can be resumed, lists and deletes from your own server code.",
      ),
      page(
        "docs/widget.md",
        "The widget",
        "Dropzone, button, forms, your own markup, languages and tests of @stowage/react.",
      ),
      page(
        "docs/element.md",
        "The element",
        "The dropzone as a custom element for Vue, Svelte, Angular and plain HTML.",
      ),
      page(
        "docs/client.md",
        "Without a framework",
        "Your own upload list on @stowage/client: a page that works, commands, unfinished uploads, tests.",
      ),
      page(
        "docs/example.md",
        "The example app",
        "A small app with the helper and the widget, and where its code is.",
      ),
      page(
        "docs/mcp.md",
        "Agents",
        "One command serves a project to an agent by the Model Context Protocol.",
      ),
      page(
        "docs/shadcn.md",
        "Components for shadcn/ui",
        "Dropzone, button, avatar, file list and tray in Tailwind classes, as files of your app.",
      ),
      page(
        "docs/errors/README.md",
        "Error codes",
        "Every error code of service, helper and widget, with its cause and its fix.",
      ),
    ],
  },
  {
    label: "Guides by framework",
    pages: [
      page(
        "docs/guides/README.md",
        "All guides",
        "Guides by framework and by task, each with code that a test compiles.",
      ),
      page(
        "docs/create.md",
        "Create an app",
        "npm create stowage: a working app for each framework, or an addition to yours.",
      ),
      page("docs/guides/next.md", "Next", "Uploads in Next's app router: route, page and list of files."),
      page("docs/guides/express.md", "Express", "Uploads in Express 4 and 5 with your session."),
      page("docs/guides/hono.md", "Hono", "Uploads in Hono, with the user from your middleware."),
      page("docs/guides/fastify.md", "Fastify", "Uploads in Fastify 5, with the user from your plugin."),
      page(
        "docs/guides/tanstack-start.md",
        "TanStack Start",
        "Uploads in TanStack Start: server route and page.",
      ),
      page(
        "docs/guides/sveltekit.md",
        "SvelteKit",
        "Uploads in SvelteKit with the element: server route and page.",
      ),
      page(
        "docs/guides/vue-and-html.md",
        "Vue and plain HTML",
        "Uploads without React: the element, or your own list.",
      ),
      page(
        "docs/guides/react-native.md",
        "React Native and Expo",
        "Uploads in an app: files of the phone, in the background, large ones by parts.",
      ),
      page(
        "docs/guides/electron.md",
        "Electron",
        "Uploads in Electron, from a page with a scheme of your app.",
      ),
    ],
  },
  {
    label: "Guides by task",
    pages: [
      page("docs/guides/avatars.md", "Avatars", "One picture for each user; a new one replaces the old one."),
      page(
        "docs/guides/private-documents.md",
        "Private documents",
        "Documents that only their owner, and people of your choice, can open.",
      ),
      page(
        "docs/guides/public-images.md",
        "Public images",
        "Images that everyone sees at an address that does not change.",
      ),
      page(
        "docs/large-files.md",
        "Large files",
        "Uploads by parts up to 5 TiB, pauses, and uploads that continue after a reload.",
      ),
      page(
        "docs/guides/quotas-by-plan.md",
        "Quotas by plan",
        "Storage for each plan of your product, shown to the user.",
      ),
      page(
        "docs/guides/billing-with-stripe.md",
        "Billing with Stripe",
        "Storage billed by GB-hours with Stripe meter events, each day once.",
      ),
      page(
        "docs/webhooks.md",
        "Webhooks",
        "Signed events for your backend: file stored, deleted, scanned, quota reached.",
      ),
      page(
        "docs/events.md",
        "Follow the events",
        "The events as a log: catch up after an outage, each event exactly once.",
      ),
      page(
        "docs/guides/self-hosting.md",
        "Self-hosting",
        "The way from an empty server to a running installation.",
      ),
      page(
        "docs/guides/migrate-from-uploadthing.md",
        "From UploadThing",
        "The command that imports the files, and what corresponds to what.",
      ),
      page(
        "docs/guides/migrate-from-supabase.md",
        "From Supabase Storage",
        "The command that imports a bucket, and what corresponds to what.",
      ),
    ],
  },
  {
    label: "Features",
    pages: [
      page(
        "docs/serving.md",
        "Serving files",
        "Private galleries, image variants, and download URLs that caches can keep.",
      ),
      page(
        "docs/file-types.md",
        "Kinds of files",
        "What the service makes of almost 200 kinds of files: type, display, variant.",
      ),
      page(
        "docs/public-files.md",
        "Public files",
        "Files that everyone may read, at an address that does not change.",
      ),
      page("docs/cdn.md", "CDN", "Bunny and CloudFront in front of public and private files."),
      page("docs/quotas.md", "Quotas", "How many bytes a tenant may use, and when an upload is refused."),
      page(
        "docs/tenant-limits.md",
        "Limits and plans",
        "Files, open uploads and uploads per minute of a tenant, set by plan.",
      ),
      page("docs/meters.md", "Meters", "What each tenant has stored and downloaded, for bills."),
      page(
        "docs/organising.md",
        "Names, metadata and filters",
        "Rename stored files, change their metadata, and find them by metadata, type, size and time.",
      ),
      page("docs/replacing.md", "Replacing a file", "An upload that takes the place of a stored file."),
      page(
        "docs/sharing.md",
        "Share links",
        "Links to one file that end, count downloads and can ask for a password.",
      ),
      page(
        "docs/lifecycle.md",
        "Expiry, trash and hold",
        "Files that expire, a trash, legal holds, and the deletion or export of a tenant.",
      ),
      page(
        "docs/retries.md",
        "Failures and retries",
        "What the widget does when the network, the backend or storage fails.",
      ),
      page("docs/scanning.md", "Virus scanning", "Only files that a scanner found clean can be downloaded."),
      page(
        "docs/dashboard.md",
        "The dashboard",
        "Projects, keys, files, usage, members and the audit log for operators.",
      ),
    ],
  },
  {
    label: "Reference",
    pages: [
      page(
        "docs/runtimes.md",
        "Runtimes and versions",
        "Which versions of Node, Bun, Deno, TypeScript, React and tRPC work, and how that is tried.",
      ),
      page(
        "docs/api.md",
        "The REST API",
        "Every call with its curl line, its answer, its errors and a form that sends it.",
      ),
      page(
        "docs/put.md",
        "The PUT, in your language",
        "What 33 HTTP clients send, what storage answers, and a tested program for each.",
      ),
      page(
        "docs/clients.md",
        "Clients in other languages",
        "Programs in Python, Go and shell, and clients that are generated from OpenAPI.",
      ),
      page(
        "docs/cli.md",
        "The command line",
        "Every command of stowage: projects, files, storage tests, reconciliation.",
      ),
      page(
        "docs/settings.md",
        "Settings",
        "Every setting of the service, npm start and dev-store: default, unit, meaning and who needs it.",
      ),
      page(
        "docs/limits.md",
        "Limits against floods",
        "Requests per project and per client, connections, failing keys.",
      ),
    ],
  },
  {
    label: "Packages",
    pages: [
      page("packages/server/README.md", "@stowage/server", "The package for your backend: its entry points."),
      page(
        "packages/client/README.md",
        "@stowage/client",
        "The upload engine without React: its entry points.",
      ),
      page("packages/react/README.md", "@stowage/react", "The package for React: its entry points."),
      page("packages/element/README.md", "@stowage/element", "The package with the custom element."),
      page(
        "packages/schemas/README.md",
        "@stowage/schemas",
        "The schemas of the wire that service, helper and widget share.",
      ),
      page("packages/stowage/README.md", "npx stowage", "Everything on one machine, as one npm package."),
      page(
        "packages/create-stowage/README.md",
        "create-stowage",
        "The command that makes an app, or adds uploads to yours.",
      ),
      page(
        "packages/dev-store/README.md",
        "dev-store",
        "The S3-compatible endpoint of npm start and the tests.",
      ),
      page(
        "packages/dev-postgres/README.md",
        "dev-postgres",
        "A real PostgreSQL over a local folder, for development and tests.",
      ),
    ],
  },
  {
    label: "Run it in production",
    pages: [
      page(
        "docs/verify.md",
        "Verify an installation",
        "One command asks a running service what its API promises, and says what to change.",
      ),
      page("docs/containers.md", "Containers", "The image, compose.yaml and Kubernetes manifests."),
      page("docs/sizing.md", "Sizing", "How many machines you need, with measurements."),
      page("docs/database.md", "The database", "URL, TLS and roles of PostgreSQL."),
      page("docs/poolers.md", "Connection poolers", "pgbouncer and other poolers in front of PostgreSQL."),
      page(
        "docs/storage.md",
        "Storage in production",
        "S3, R2, Ceph and other stores: policy, CORS and tests.",
      ),
      page(
        "docs/storages.md",
        "Several storages",
        "One project per region keeps data in the EU: a storage for each project.",
      ),
      page(
        "docs/importing.md",
        "Importing and exporting",
        "Files of S3, UploadThing and Supabase move into a project, and a project into any bucket.",
      ),
      page(
        "docs/storage-events.md",
        "Storage events",
        "Notifications of your storage, so that files are recorded at once.",
      ),
      page(
        "docs/proxies.md",
        "Proxies and rolling restarts",
        "nginx and HAProxy replace replicas without a failed request.",
      ),
      page(
        "docs/egress.md",
        "A proxy for outgoing connections",
        "HTTPS_PROXY, NO_PROXY, and webhooks through a proxy.",
      ),
      page("docs/keys.md", "Keys and secrets", "How to change each secret."),
      page(
        "docs/oidc.md",
        "Sign-in with OpenID Connect",
        "Operators sign in through your organization's provider.",
      ),
      page("docs/metrics.md", "Metrics", "Metrics for Prometheus, alerts and a Grafana dashboard."),
      page("docs/runbooks.md", "Runbooks", "What to do for each alert."),
      page("docs/tracing.md", "Traces", "OpenTelemetry traces from the page to SQL, storage and webhooks."),
      page(
        "docs/backup.md",
        "Backup and restore",
        "Back up database and bucket, and restore them to a moment.",
      ),
      page("docs/upgrading.md", "Upgrading", "Upgrade under load, and what each version promises."),
      page("docs/replication.md", "A replicated database", "What happens when a database server fails."),
      page("docs/scale-out.md", "More than one database machine", "Citus distributes the tables by project."),
    ],
  },
  {
    label: "Security",
    pages: [
      page(
        "SECURITY.md",
        "Security policy",
        "How to report a vulnerability, and the measures against each kind.",
      ),
      page("docs/threat-model.md", "Threat model", "What stops which attack, and which test proves it."),
    ],
  },
  {
    label: "Contribute",
    isCollapsed: true,
    pages: [
      page("CONTRIBUTING.md", "Contributing", "How to change Stowage: commands, rules, commits."),
      page("ARCHITECTURE.md", "Architecture", "Folders, layers, invariants and the path of an upload."),
      page("docs/releasing.md", "Releases", "How versions, changelogs and a release are made."),
      page(
        "docs/decisions/README.md",
        "Decisions",
        "Why it is built this way, one page for each choice that took an argument.",
      ),
      page(
        "docs/soak.md",
        "Soak test",
        "Mixed load with faults, and the promises that are checked after it.",
      ),
      page(
        "docs/simulation.md",
        "Simulation",
        "Verbs that run at the same time, in every order of their steps.",
      ),
      page("lab/bench/results.md", "Measurements", "What npx pnpm lab bench measured, against peers."),
    ],
  },
];

/** The group of a page that is not listed above. */
export function groupOf(source: string): string {
  if (source.startsWith("packages/")) return "Packages";
  return source.startsWith("docs/guides/") ? "Guides by task" : "Features";
}

function page(source: string, title: string, description: string): NavigationPage {
  return { source, title, description };
}
