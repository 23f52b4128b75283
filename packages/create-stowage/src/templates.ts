import { CreateError } from "./create-error.js";

export interface Template {
  title: string;
  /** Folders of `templates/`. Their files are copied in this order. */
  layers: string[];
  /** The oldest version of Node, as major and minor. A test compares it with the template's package.json. */
  node: [number, number];
  /** Files that the app's README explains. */
  route: string;
  page: string;
  /** What the page uploads with. The README names its guide. */
  uploader: "widget" | "element";
}

const REACT_PAGE = "src/stowage/documents.tsx";
const WITH_VITE = ["base", "react", "vite-react"];

/** By the name that `--template` takes. The first one is the default. */
export const TEMPLATES_BY_NAME: Readonly<Record<string, Template>> = {
  next: {
    title: "Next",
    layers: ["base", "react", "next"],
    node: [20, 19],
    route: "src/app/api/stowage/[...action]/route.ts",
    page: REACT_PAGE,
    uploader: "widget",
  },
  express: {
    title: "Vite + Express",
    layers: [...WITH_VITE, "express"],
    node: [20, 19],
    route: "src/server/app.ts",
    page: REACT_PAGE,
    uploader: "widget",
  },
  hono: {
    title: "Vite + Hono",
    layers: [...WITH_VITE, "hono"],
    node: [20, 19],
    route: "src/server/app.ts",
    page: REACT_PAGE,
    uploader: "widget",
  },
  "tanstack-start": {
    title: "TanStack Start",
    layers: ["base", "react", "tanstack-start"],
    node: [22, 12],
    route: "src/routes/api/stowage.$.ts",
    page: REACT_PAGE,
    uploader: "widget",
  },
  sveltekit: {
    title: "SvelteKit",
    layers: ["base", "sveltekit"],
    node: [22, 17],
    route: "src/routes/api/stowage/[...action]/+server.ts",
    page: "src/stowage/Documents.svelte",
    uploader: "element",
  },
};

export const TEMPLATE_NAMES = Object.keys(TEMPLATES_BY_NAME);

/**
 * @param nodeVersion such as "22.17.0"
 * @throws {CreateError} for an unknown name, and for a template that needs a newer Node
 */
export function templateFor(name: string, nodeVersion: string): Template {
  const template = Object.hasOwn(TEMPLATES_BY_NAME, name) ? TEMPLATES_BY_NAME[name] : undefined;
  if (template === undefined) {
    throw new CreateError(`There is no template "${name}". Choose one of: ${TEMPLATE_NAMES.join(", ")}.`);
  }
  const [major = 0, minor = 0] = nodeVersion.split(".").map(Number);
  const [oldestMajor, oldestMinor] = template.node;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    throw new CreateError(
      `The template ${name} needs Node ${template.node.join(".")} or newer. This is Node ${nodeVersion}.`,
    );
  }
  return template;
}
