/**
 * The tenant of what operators drop on the dashboard. It is a tenant like any other, with its quota and its place in every
 * list, so its name says where it comes from, and is one that no product gives to a user of its own.
 */
export const tryItTenantId = "stowage-dashboard";
