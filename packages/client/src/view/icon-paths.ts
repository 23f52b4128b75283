/*
 * The `d` of each icon: a line of 2 px on a grid of 24 px. Each is a separate constant, so that a bundle contains only
 * the icons of its parts.
 */

export const checkPath = "m5 12.5 4.5 4.5L19 7.5";
export const alertPath = "M12 8v4m0 4h0M21 12a9 9 0 1 1 0-.01";
export const closePath = "M6 6l12 12M18 6 6 18";
export const pausePath = "M8 5v14M16 5v14";
export const resumePath = "M7 5v14l12-7z";
export const collapsePath = "m6 9 6 6 6-6";
export const retryPath = "M4 9a8 8 0 1 1 0 6M4 4v5h5";
