import {
  changeEndpointInput,
  createEndpointInput,
  deliveriesListInput,
  deliveryInput,
  endpointInput,
  redeliverSinceInput,
} from "@stowage/operator-schemas";
import { hasRole } from "#members/authorize.js";
import { listDeliveries } from "#webhooks/list-deliveries.js";
import {
  changeEndpoint,
  createEndpoint,
  deleteEndpoint,
  listEndpoints,
  rotateSecret,
} from "#webhooks/manage-endpoints.js";
import { readDelivery } from "#webhooks/read-delivery.js";
import { redeliver, redeliverSince, sendTest } from "#webhooks/redeliver.js";
import { procedureFor, router } from "../procedures.js";

export const webhooksRouter = router({
  list: procedureFor.viewer.query(({ ctx }) =>
    // Only those who may change an endpoint see its whole URL.
    listEndpoints(ctx.deps, ctx.membership.project, { hidesQueries: !hasRole(ctx.membership.role, "owner") }),
  ),
  create: procedureFor.owner
    .input(createEndpointInput)
    .mutation(({ ctx, input }) => createEndpoint(ctx.deps, ctx.caller, input)),
  change: procedureFor.owner
    .input(changeEndpointInput)
    .mutation(({ ctx, input }) => changeEndpoint(ctx.deps, ctx.caller, input)),
  rotateSecret: procedureFor.owner
    .input(endpointInput)
    .mutation(({ ctx, input }) => rotateSecret(ctx.deps, ctx.caller, input)),
  delete: procedureFor.owner
    .input(endpointInput)
    .mutation(({ ctx, input }) => deleteEndpoint(ctx.deps, ctx.caller, input)),
  sendTest: procedureFor.member
    .input(endpointInput)
    .mutation(({ ctx, input }) => sendTest(ctx.deps, ctx.caller, input)),
  deliveries: procedureFor.viewer
    .input(deliveriesListInput)
    .query(({ ctx, input }) => listDeliveries(ctx.deps, ctx.membership.project, input)),
  readDelivery: procedureFor.viewer
    .input(deliveryInput)
    .query(({ ctx, input }) => readDelivery(ctx.deps, ctx.membership.project, input)),
  redeliver: procedureFor.member
    .input(deliveryInput)
    .mutation(({ ctx, input }) => redeliver(ctx.deps, ctx.caller, input)),
  redeliverSince: procedureFor.member
    .input(redeliverSinceInput)
    .mutation(({ ctx, input }) => redeliverSince(ctx.deps, ctx.caller, input)),
});
