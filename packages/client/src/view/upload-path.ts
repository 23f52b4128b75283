/** The icon of the first view, drawn like the icons of `icon-paths.ts`. */
export const uploadPath = "M12 16V4M7 9l5-5 5 5M4 15v5h16v-5";
