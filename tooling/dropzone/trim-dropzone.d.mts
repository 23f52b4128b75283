import type { Plugin } from "rolldown";

export function trimDropzone(): Plugin;
