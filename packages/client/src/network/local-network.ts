/**
 * What Chromium asks a person for before a page of a public address reaches a private one: the first is the name of older versions, which have one
 * permission for both kinds of addresses. Other browsers know none of them.
 */
const PERMISSIONS = ["local-network-access", "loopback-network", "local-network"];

/** Tells whether the person, or the rules of the browser, do not let this page reach private addresses. Never rejects. */
export async function isLocalNetworkDenied(): Promise<boolean> {
  const states = PERMISSIONS.map(async (name) => {
    const status = await navigator.permissions.query({ name: name as PermissionName });
    return status.state;
  });
  const known = await Promise.allSettled(states);
  return known.some((each) => each.status === "fulfilled" && each.value === "denied");
}

/** Names and addresses of a private network or of this device. A name of another form may lead there too. */
const PRIVATE =
  /^https?:\/\/([^.:/]+|[^:/]+\.(localhost|local|lan|internal|home\.arpa)|(0|10|127|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\.[\d.]+|\[(::1|f[cde][\da-f:]+)\])(:\d+)?(\/|$)/i;

/** Tells whether an address is in a private network, or on this device. Not one without an origin: the page was loaded from there. */
export const isPrivateAddress = (url: string): boolean => PRIVATE.test(url);
