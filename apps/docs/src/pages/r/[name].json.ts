import type { APIRoute, GetStaticPaths } from "astro";
import { readBytes, readText } from "../../content/repository.js";

/** What `@stowage/registry` builds: the items that the shadcn command installs (docs/shadcn.md). */
const FOLDER = "packages/registry/dist/r";

export const getStaticPaths = (() => {
  const { items } = JSON.parse(readText(`${FOLDER}/registry.json`)) as { items: { name: string }[] };
  return ["registry", ...items.map(({ name }) => name)].map((name) => ({ params: { name } }));
}) satisfies GetStaticPaths;

export const GET: APIRoute = ({ params }) => new Response(readBytes(`${FOLDER}/${params["name"]}.json`));
