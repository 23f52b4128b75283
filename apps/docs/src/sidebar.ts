import { slugOf } from "./content/addresses.js";
import { completeNavigation } from "./content/read-pages.js";

/** A group of the menu, as Starlight reads it: https://starlight.astro.build/reference/configuration/#sidebar */
interface SidebarGroup {
  label: string;
  collapsed: boolean;
  items: { slug: string; label: string }[];
}

/** The menu of the site. */
export function sidebar(): SidebarGroup[] {
  return completeNavigation().map(({ label, isCollapsed = false, pages }) => ({
    label,
    collapsed: isCollapsed,
    items: pages.map(({ source, title }) => ({ slug: slugOf(source) || "index", label: title })),
  }));
}
