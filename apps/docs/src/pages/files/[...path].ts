import type { APIRoute, GetStaticPaths } from "astro";
import { publishedName } from "../../content/addresses.js";
import { readBytes } from "../../content/repository.js";
import { readSite } from "../../content/site-links.js";

/** Copies of the files of the repository that pages link to or show. */
export const getStaticPaths = (() =>
  readSite().links.files.map((file) => ({
    params: { path: publishedName(file) },
    props: { file },
  }))) satisfies GetStaticPaths;

export const GET: APIRoute<{ file: string }> = ({ props }) => new Response(readBytes(props.file));
