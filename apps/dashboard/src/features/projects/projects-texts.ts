/** Texts of the list of projects and the form that creates one. */
export const projects = {
  title: "Projects",
  search: "Search by name",
  create: "New project",
  none: "No projects yet",
  noneHint:
    "Create a project for each of your products. It has an API key and holds the files of the product's users.",
  mayNotCreate: "To create a project, ask an administrator of this service for the right to do so.",
  noneForOthers:
    "Ask the owner of a project to invite you. To create a project of your own, ask an administrator of this service for the right to do so.",
  createFirst: "Create your first project",
  name: "Name",
  nameHint: "The name of your product. You can change it later.",
  storage: "Storage",
  storageHint: "Where the files of the project are. You cannot change it later.",
  role: "Your role",
  createdAt: "Created",
  used: "Storage used",
  files: "Files",
  defaultQuota: "Default quota",
  serviceDefault: "Service default",
  createTitle: "New project",
  createAction: "Create project",
  advanced: "Advanced",
} as const;
