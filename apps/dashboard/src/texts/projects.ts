/** The list of projects, and how one is made. */
export const projects = {
  title: "Projects",
  search: "Search by name",
  create: "New project",
  none: "No project yet",
  noneHint:
    "A project is one product of yours: it has an API key, and holds the files of that product's users.",
  createFirst: "Create your first project",
  name: "Name",
  nameHint: "What your team calls the product. You can change it later.",
  role: "Your role",
  createdAt: "Created",
  defaultQuota: "Default quota",
  maxFile: "Maximum file size",
  serviceDefault: "The service's",
  createTitle: "New project",
  createAction: "Create project",
  advanced: "Advanced",
  created: (name: string) => `${name} is created`,
} as const;
