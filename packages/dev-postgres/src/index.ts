export { startPostgres, type DevPostgres, type DevPostgresOptions } from "./start-postgres.js";
