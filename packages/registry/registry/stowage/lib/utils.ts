import { type ClassValue, clsx } from "clsx";
import { twMerge } from "tailwind-merge";

/** The function that `shadcn init` writes into every app. It is here so that the items compile; no item installs it. */
export function cn(...inputs: ClassValue[]): string {
  return twMerge(clsx(inputs));
}
