// `pnpm lab failover`: a primary that dies under load, its standby behind HAProxy, also under Patroni; a full disk. Arguments are passed to
// vitest.
import { installDebianPackages } from "../scripts/debian-packages.mjs";
import { runLab } from "./run-lab.mjs";

installDebianPackages(["haproxy", "patroni", "etcd-server", "postgresql-15"]);
process.exitCode = runLab("failover", process.argv.slice(2));
