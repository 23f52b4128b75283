import type { DropzoneEventMap } from "../dropzone-events.js";
import type { DropzoneProperties } from "../dropzone-settings.js";

/** The listeners that JSX and Svelte take: `on` before the name of the event. */
type Listeners = {
  [Type in keyof DropzoneEventMap as `on${Type}`]?: ((event: DropzoneEventMap[Type]) => void) | undefined;
};

/** What JSX and Svelte set on `<stowage-dropzone>`: its properties and listeners, besides what every HTML element has. */
export type TemplateProperties<ElementAttributes> = Omit<ElementAttributes, keyof DropzoneProperties> &
  DropzoneProperties &
  Listeners;
