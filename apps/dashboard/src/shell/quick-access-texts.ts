/** Texts of the command palette, the project switcher and the list of keyboard shortcuts. */
export const quickAccess = {
  findProject: "Find a project",
  currentProject: "Current project",
  allProjects: "All projects",
  palette: "Command palette",
  searchEverything: "Search pages and projects",
  searchProject: "Search pages, projects, tenants and files",
  searchIn: {
    tenants: (text: string) => `Search all tenants for “${text}”`,
    files: (text: string) => `Search all files for “${text}”`,
  },
  openProjectFirst: "Open a project to search its tenants and files.",
  noMatch: (text: string) => `Nothing matches “${text}”`,
  matches: (count: number) => (count === 1 ? "1 result" : `${count} results`),
  paletteKeys: [
    ["↑ ↓", "to move"],
    ["Enter", "to open"],
    ["Esc", "to close"],
  ],
  shortcuts: "Keyboard shortcuts",
  shortcutList: {
    palette: "Search pages, projects, tenants and files",
    search: "Go to the search field of the page",
    help: "Show these shortcuts",
  },
  singleKeys: "Shortcuts of a single key",
  singleKeysHint: "Turn them off if you dictate text, or if another program uses these keys.",
} as const;
