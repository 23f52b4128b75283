/** Classes that the components of Stowage share. They use the tokens of your theme only. */

const focusRing = "outline-none focus-visible:ring-[3px] focus-visible:ring-ring/50";
const buttonBase = `inline-flex shrink-0 items-center justify-center gap-2 rounded-md text-sm font-medium transition-colors disabled:pointer-events-none disabled:opacity-50 ${focusRing}`;

export const primaryButton = `${buttonBase} h-9 bg-primary px-4 text-primary-foreground hover:bg-primary/90`;
export const outlineButton = `${buttonBase} h-9 border border-input bg-background px-4 hover:bg-accent hover:text-accent-foreground`;
export const textButton = `${buttonBase} h-8 px-2 underline-offset-4 hover:underline`;
export const iconButton = `${buttonBase} size-8 text-muted-foreground hover:bg-accent hover:text-accent-foreground pointer-coarse:size-10`;
export const destructiveButton = `${buttonBase} h-8 border border-destructive px-3 text-destructive underline-offset-4 hover:underline`;

/** A progress bar. `Upload.Progress` sets the variable `--progress`. */
export const progressBar =
  "relative h-1.5 overflow-hidden rounded-full bg-primary/20 after:absolute after:inset-y-0 after:start-0 after:w-(--progress) after:rounded-full after:bg-primary after:transition-[width] motion-reduce:after:transition-none forced-colors:border forced-colors:after:bg-[Highlight]";

export const row = `flex items-start gap-3 rounded-lg border border-border bg-card p-3 text-card-foreground ${focusRing}`;
/** The square at the start of a row, with a preview or an icon. */
export const rowImage =
  "flex size-10 shrink-0 items-center justify-center overflow-hidden rounded-md bg-muted text-muted-foreground";
