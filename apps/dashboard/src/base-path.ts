/**
 * The path of DASHBOARD_URL, such as `/stowage`. Empty: the dashboard has its own host. Addresses of the service begin with it; the
 * router adds it to those of pages. The built scripts are in the folder `assets` below it.
 */
export const basePath = import.meta.env.PROD ? parentOf(import.meta.url) : "";

function parentOf(script: string): string {
  return new URL("..", script).pathname.replace(/\/$/, "");
}
