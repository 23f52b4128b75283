// Registers <stowage-dropzone>, and adds its types to components of Svelte 5.
import "../index.js";
import type { HTMLAttributes } from "svelte/elements";
import type { StowageDropzone } from "../stowage-dropzone.js";
import type { TemplateProperties } from "./template-properties.js";

type Properties = TemplateProperties<HTMLAttributes<StowageDropzone>>;

declare module "svelte/elements" {
  interface SvelteHTMLElements {
    "stowage-dropzone": Properties;
  }
}
