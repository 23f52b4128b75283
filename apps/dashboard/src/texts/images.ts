import type { ImageFormat, PresetFit } from "@stowage/schemas/dashboard";

/** Texts of the page about image presets. */
export const images = {
  title: "Images",
  hint: "A preset is a size and a format. Stowage makes smaller variants of your users' images with it.",
  ownersOnly: "Only owners of the project can change its image presets.",
  none: "No image presets",
  noneHint:
    'Add one, such as "thumb" with a width of 320 pixels. Your backend then asks for the variant of an image by this name.',
  presets: "Image presets",
  tooMany: (max: number) => `A project can have at most ${max} presets. Delete one to add another.`,

  name: "Name",
  nameHint: "a-z, 0-9, - and _. Your code uses it, so it cannot be changed later.",
  size: "Size",
  width: "Width in pixels",
  height: "Height in pixels",
  anySide: "Empty means: as the proportions of the image require",
  fit: "Fit",
  fits: {
    inside: "Whole image",
    cover: "Fill and cut",
  } satisfies Record<PresetFit, string>,
  fitHint: {
    inside: "The image is not cut, and not enlarged.",
    cover: "The image fills the size. The rest is cut off.",
  } satisfies Record<PresetFit, string>,
  format: "Format",
  formats: {
    auto: "Automatic",
    webp: "WebP",
    avif: "AVIF",
    jpeg: "JPEG",
  } satisfies Record<ImageFormat, string>,
  formatHint: "Automatic: WebP. AVIF if your backend sends the header Accept of a browser that shows it.",
  quality: "Quality",
  qualityHint: "From 1 to 100",
  qualityOf: (quality: number) => `quality ${quality}`,
  eager: "Make variants as soon as an image is stored",
  eagerHint: "Otherwise a variant is made when it is requested for the first time.",
  made: "Made",
  madeEagerly: "When stored",
  madeOnDemand: "On first request",
  preview: "Preview on a sample of 1600 × 1200 pixels",
  notANumber: "Enter a whole number.",

  add: "Add preset",
  addTitle: "Add an image preset",
  added: "The preset was added.",
  nameTaken: "A preset of this name exists.",
  actions: "Actions",
  change: "Change",
  changeOf: (name: string) => `Change ${name}`,
  changeTitle: (name: string) => `Change the preset ${name}`,
  changeHint:
    "With another size, fit, format or quality, all variants are made again when they are requested, and the old ones are removed.",
  changed: "The preset was changed.",
  delete: "Delete",
  deleteOf: (name: string) => `Delete ${name}`,
  deleteTitle: (name: string) => `Delete the preset ${name}?`,
  deleteHint: "Its variants are removed, and requests for them fail. The images stay.",
  deleted: "The preset was deleted.",
};
