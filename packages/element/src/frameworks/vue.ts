// Registers <stowage-dropzone>, and adds its types to templates of Vue 3.
import "../index.js";
import type { EmitFn, HTMLAttributes, PublicProps } from "vue";
import type { DropzoneEventMap } from "../dropzone-events.js";
import type { DropzoneProperties } from "../dropzone-settings.js";
import type { StowageDropzone } from "../stowage-dropzone.js";

/** What templates set. Vue reads the types of properties and listeners from these two members. */
interface TemplateTypes {
  $props: Omit<HTMLAttributes, keyof DropzoneProperties> & DropzoneProperties & PublicProps;
  $emit: EmitFn<{ [Type in keyof DropzoneEventMap]: (event: DropzoneEventMap[Type]) => void }>;
}

declare module "vue" {
  interface GlobalComponents {
    "stowage-dropzone": new () => StowageDropzone & TemplateTypes;
  }
}
