/**
 * What Chromium asks a person for before a page of a public address reaches a private one: the first is the name of older versions, which have one
 * permission for both kinds of addresses. Other browsers know none of them.
 */
const PERMISSIONS = ["local-network-access", "loopback-network", "local-network"];

/**
 * Tells whether the browser did not let this page reach a private address. Call it after a request without an answer. Never rejects.
 *
 * @param isLikely tells whether more signs say so. Then a name that looks public may lead to a private address, and a question that the
 *   person has not answered counts: the browser refuses the request, and its permission stays open
 */
export async function isLocalNetworkDenied(
  url: string,
  isLikely: () => boolean | Promise<boolean>,
): Promise<boolean> {
  const states = await permissionStates();
  const isPrivate = isPrivateAddress(url);
  if (states.includes("denied")) return isPrivate || isLikely();
  const isOpen = isPrivate && states.includes("prompt") && !isPrivateAddress(globalThis.location?.href ?? "");
  return isOpen && isLikely();
}

/** The states of those that the browser knows. */
async function permissionStates(): Promise<PermissionState[]> {
  const states = PERMISSIONS.map(async (name) => {
    const { state } = await navigator.permissions.query({ name: name as PermissionName });
    return state;
  });
  const settled = await Promise.allSettled(states);
  return settled.flatMap((each) => (each.status === "fulfilled" ? each.value : []));
}

/** Names and addresses of a private network or of this device. A name of another form may lead there too. */
const PRIVATE =
  /^https?:\/\/([^.:/]+|[^:/]+\.(localhost|local|lan|internal|home\.arpa)|(0|10|127|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\.[\d.]+|\[(::1|f[cde][\da-f:]+)\])(:\d+)?(\/|$)/i;

/** Tells whether an address is in a private network, or on this device. Not one without an origin: the page was loaded from there. */
export const isPrivateAddress = (url: string): boolean => PRIVATE.test(url);
