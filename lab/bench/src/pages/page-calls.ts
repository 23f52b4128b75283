/** A call that a dashboard page makes before it can show data. */
export interface PageCall {
  page: string;
  procedure: string;
  /** The input without `projectRef`. */
  input?: Record<string, unknown>;
  /** A list: a page far from the first is measured too. */
  isList?: true;
}

/** The subject of the calls: the project that has half of all tenants and files, and its largest tenant. */
export interface Subject {
  projectRef: string;
  tenantId: string;
  fileId: number;
}

/** Returns the first calls of every page, in each order and with each filter of the page. */
export function pageCalls({ tenantId, fileId }: Subject): PageCall[] {
  const orders = ["asc", "desc"];
  const either = (sorts: string[]) => sorts.flatMap((sort) => orders.map((order) => ({ sort, order })));
  return [
    { page: "Shell", procedure: "session.me" },
    ...[{ sort: "created_at" }, { sort: "name" }].map((input) => ({
      page: "Projects",
      procedure: "projects.list",
      input: { ...input, withUsage: true },
      isList: true as const,
    })),
    { page: "Projects", procedure: "projects.list", input: { q: "harbour", withUsage: true } },
    { page: "Project", procedure: "projects.read" },
    { page: "Overview", procedure: "overview.read" },
    { page: "Overview", procedure: "overview.perDay", input: { days: 90 } },
    { page: "Overview", procedure: "overview.refusals", input: { days: 90 } },
    { page: "Overview", procedure: "overview.newestUploads" },
    { page: "Health", procedure: "health.read" },
    { page: "Health", procedure: "health.requests", input: { hours: 24 } },
    { page: "Health", procedure: "health.refusedRequests" },
    { page: "Key", procedure: "key.describe" },
    { page: "Members", procedure: "members.list" },
    { page: "Audit log", procedure: "audit.list", isList: true },
    { page: "Account", procedure: "session.activity" },
    ...either(["created_at", "used_bytes", "tenant_id"]).map((input) => ({
      page: "Tenants",
      procedure: "tenants.list",
      input,
      isList: true as const,
    })),
    { page: "Tenants", procedure: "tenants.list", input: { q: "acme" } },
    { page: "Tenants", procedure: "tenants.list", input: { q: "nowhere", sort: "used_bytes" } },
    { page: "Tenant", procedure: "tenants.read", input: { tenantId } },
    { page: "Tenant", procedure: "tenants.usagePerDay", input: { tenantId, days: 90 } },
    ...either(["created_at", "filename", "size"]).flatMap((input) => [
      { page: "Files", procedure: "files.list", input, isList: true as const },
      { page: "Files", procedure: "files.list", input: { ...input, tenantId }, isList: true as const },
    ]),
    ...fileFilters.map((input) => ({ page: "Files", procedure: "files.list", input })),
    { page: "File", procedure: "files.read", input: { fileId } },
    { page: "File", procedure: "files.history", input: { fileId } },
  ];
}

/** One filter of each kind, and filters that match little or nothing, because they read the most. */
const fileFilters = [
  { states: ["unfinished"] },
  { states: ["stored"], kind: "video" },
  { kind: "video", sort: "size" },
  { q: "invoice" },
  { q: "nowhere" },
  { q: "nowhere", sort: "filename" },
  { q: "nowhere", sort: "size", kind: "pdf" },
  { from: "2000-01-01", to: "2000-01-31" },
  { from: "2000-01-01", to: "2000-01-31", sort: "size" },
];
