// Registers <stowage-dropzone>, and adds its types to JSX of React 19, which sets properties. React 18 sets attributes only.
import "../index.js";
import type { HTMLAttributes, RefAttributes } from "react";
import type { StowageDropzone } from "../stowage-dropzone.js";
import type { TemplateProperties } from "./template-properties.js";

type Properties = TemplateProperties<HTMLAttributes<StowageDropzone>> & RefAttributes<StowageDropzone>;

declare module "react" {
  namespace JSX {
    interface IntrinsicElements {
      "stowage-dropzone": Properties;
    }
  }
}
