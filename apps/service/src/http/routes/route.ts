import { type CamelKeys, type Operation, parse, snakeKeys, uploadHeaders } from "@stowage/schemas";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type * as z from "zod";
import { type Database, inLane, type Lane, type Queries } from "#db/client.js";
import type { UploadTarget } from "#files/upload/admit-uploads.js";
import { lazy } from "#lib/lazy.js";
import { toNdjson } from "#lib/ndjson.js";
import type { ObjectStore } from "#object-store/object-store.js";
import type { Project } from "#projects/find-project.js";
import type { KeyLookup } from "#projects/key-lookup.js";
import type { Storages } from "#projects/storages.js";

export interface RouteDeps {
  db: Database;
  storages: Pick<Storages, "of">;
  keys: Pick<KeyLookup, "findProject">;
}

/**
 * The dependencies with the queries of the call's lane and the storage of the call's project. `settling` writes the settles of files that a
 * read finds in storage.
 */
type InLanes<Deps> = OfLane<Deps> & { settling: OfLane<Deps> };
type OfLane<Deps> = Omit<Deps, "db"> & { db: Queries; store: ObjectStore };

/** A row of `operations` that needs a key. */
type KeyedOperation = Operation & { lane: Lane };

type Input<Made extends Operation> = z.output<
  Made extends { body: infer Body extends z.ZodType }
    ? Body
    : Made extends { query: infer Query extends z.ZodType }
      ? Query
      : never
>;

/** The answer in camelCase, as verbs return it; the pages of a stream. */
type Answer<Made extends Operation> = Made extends { isStream: true }
  ? AsyncIterable<Camel<z.output<Made["answer"]>>[]>
  : Camel<z.output<Made["answer"]>>;
type Camel<Wire> = Wire extends unknown ? CamelKeys<{ [Key in keyof Wire]: CamelItems<Wire[Key]> }> : never;
type CamelItems<Value> = Value extends (infer Item extends object)[] ? CamelKeys<Item>[] : Value;

/** Adds routes to the scope of `/api/storage`: method, path, body limit, schemas and lane of each are in its row of `operations`. */
export function createRoutes<Deps extends RouteDeps>(scope: FastifyInstance, deps: Deps) {
  function add(
    { method, path, bodyBytes }: Operation,
    handler: (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>,
  ): void {
    const url = path.slice(scope.prefix.length, -"/".length);
    scope.route({ method, url, ...(bodyBytes !== undefined && { bodyLimit: bodyBytes }), handler });
  }

  return {
    /**
     * Adds a call. Its input is parsed before its project is looked for, so that an invalid request is refused without a query.
     * `setUpStorageScope` makes sure that an unknown key is still answered with 401.
     */
    route<Made extends KeyedOperation>(
      operation: Made,
      verb: (
        deps: InLanes<Deps>,
        project: Project,
        input: Input<Made>,
        request: FastifyRequest,
      ) => Promise<Answer<Made>>,
    ): void {
      const { lane, laneWithoutTenant = lane, isStream, table }: KeyedOperation = operation;
      add(operation, async (request, reply) => {
        const input = readInput(operation, request);
        const project = await deps.keys.findProject(request);
        const { tenantId } = input as { tenantId?: string };
        const { store } = await deps.storages.of(project.id);
        const inLanes = {
          ...inLane(deps, tenantId === undefined ? laneWithoutTenant : lane, project.id),
          store,
          settling: { ...inLane(deps, "upload", project.id), store },
        };
        const answer: object = await verb(inLanes, project, input, request);
        if (table) return sendTable(reply, table, (input as { format: TableFormat }).format, toWire(answer));
        if (!isStream) return toWire(answer);
        const lines = toNdjson(answer as AsyncIterable<object[]>);
        return reply.header("Content-Type", "application/x-ndjson").send(lines);
      });
    },

    /** Adds a call whose verb checks the key in the same SQL statement that admits an upload. */
    admission<Made extends KeyedOperation>(
      operation: Made,
      verb: (
        deps: Deps & { store: ObjectStore },
        target: UploadTarget,
        input: Input<Made>,
        idempotencyKey: string | undefined,
      ) => Promise<Answer<Made>>,
    ): void {
      add(operation, async (request) => {
        const input = readInput(operation, request);
        const idempotencyKey = parse(uploadHeaders, request.headers)["idempotency-key"];
        const { apiKeyHash, projectId } = request;
        const { store } = await deps.storages.of(projectId);
        return toWire(await verb({ ...deps, store }, { apiKeyHash, projectId }, input, idempotencyKey));
      });
    },
  };
}

function readInput<Made extends Operation>({ body, query }: Made, request: FastifyRequest): Input<Made> {
  const schema = (body ?? query)!;
  return parse(schema, body ? request.body : nestMetadata(request.query as object)) as Input<Made>;
}

/** Collects the parameters `metadata[member]` into one object. It has no prototype, so a member may have any name. */
function nestMetadata(query: object): object {
  const rest: Record<string, unknown> = {};
  const metadata = Object.create(null) as Record<string, unknown>;
  for (const [name, value] of Object.entries(query)) {
    const [, member] = /^metadata\[(.*)\]$/s.exec(name) ?? [];
    if (member === undefined) rest[name] = value;
    else metadata[member] = value;
  }
  return Object.keys(metadata).length > 0 ? { ...rest, metadata } : query;
}

type TableFormat = "json" | "csv" | "ndjson";

const TABLE_TYPES = { csv: "text/csv; charset=utf-8; header=present", ndjson: "application/x-ndjson" };

/** The first table loads the code that writes it. */
const loadTableText = lazy(() => import("#lib/table-text.js"));

async function sendTable(
  reply: FastifyReply,
  { member, columns }: NonNullable<Operation["table"]>,
  format: TableFormat,
  answer: Record<string, unknown>,
): Promise<unknown> {
  if (format === "json") return answer;
  const { tableText } = await loadTableText();
  const text = tableText(format, columns, answer[member] as object[]);
  return reply.header("Content-Type", TABLE_TYPES[format]).send(text);
}

/** Renames the keys to snake_case, also those of the objects in a list. */
function toWire(answer: object): Record<string, unknown> {
  const entries = Object.entries(snakeKeys(answer)).map(([key, value]) => [
    key,
    Array.isArray(value) ? value.map((item: unknown) => (isObject(item) ? snakeKeys(item) : item)) : value,
  ]);
  return Object.fromEntries(entries) as Record<string, unknown>;
}

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;
