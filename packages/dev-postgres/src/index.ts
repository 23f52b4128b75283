export { freePort } from "./free-port.js";
export { startPostgres, type DevPostgres, type DevPostgresOptions } from "./start-postgres.js";
