// Registers <stowage-dropzone>, and adds its types to JSX of Preact.
import "../index.js";
import type { ClassAttributes, HTMLAttributes } from "preact";
import type { StowageDropzone } from "../stowage-dropzone.js";
import type { TemplateProperties } from "./template-properties.js";

type Properties = TemplateProperties<HTMLAttributes<StowageDropzone>> & ClassAttributes<StowageDropzone>;

declare module "preact" {
  namespace JSX {
    interface IntrinsicElements {
      "stowage-dropzone": Properties;
    }
  }
}
