import type { Case } from "../case.js";
import { authenticationCases } from "./authentication.js";
import { bodyCases } from "./bodies.js";
import { cancelCases } from "./cancel.js";
import { deleteCases, trashCases } from "./delete.js";
import { downloadCases, downloadsCases } from "./download.js";
import { corsCases, scanCases, variantCases, visibilityCases } from "./features.js";
import { idempotencyCases } from "./idempotency.js";
import { isolationCases } from "./isolation.js";
import { expiryCases, holdCases } from "./keep.js";
import { linkCases } from "./links.js";
import { fileCases, listCases } from "./list.js";
import { meterCases } from "./meters.js";
import { folderCases, replaceCases, updateCases } from "./organise.js";
import { partCases } from "./parts.js";
import { completeCases, putCases } from "./put.js";
import { quotaCases } from "./quota.js";
import { serviceCases } from "./service.js";
import { tenantCases, usageCases } from "./tenants.js";
import { uploadRequestCases } from "./upload-request.js";

/** All cases, in the order in which they are asked. */
export const allCases: readonly Case[] = [
  serviceCases,
  authenticationCases,
  bodyCases,
  uploadRequestCases,
  putCases,
  completeCases,
  idempotencyCases,
  quotaCases,
  cancelCases,
  listCases,
  fileCases,
  updateCases,
  folderCases,
  replaceCases,
  downloadCases,
  downloadsCases,
  linkCases,
  deleteCases,
  trashCases,
  holdCases,
  expiryCases,
  partCases,
  usageCases,
  meterCases,
  tenantCases,
  isolationCases,
  visibilityCases,
  scanCases,
  variantCases,
  corsCases,
].flat();
