import { englishFilesErrors } from "../files/files-messages.js";
import { englishFolderErrors } from "../files/folder-messages.js";
import { englishBrowserLabels } from "../labels/browser-labels.js";
import { englishAvatarLabels, englishGridLabels } from "../labels/image-labels.js";
import { englishFilesLabels, notSavedError } from "../labels/files-labels.js";
import { englishLabels } from "../labels/labels.js";
import {
  englishFormLabels,
  englishPageLabels,
  englishTrayLabels,
  englishTriggerLabels,
} from "../labels/part-labels.js";
import { englishResumeLabels } from "../labels/resume-labels.js";
import { type ErrorMessages, firstErrors } from "../messages.js";
import { uploadErrors } from "../upload-messages.js";
import type { UploadLocale } from "../labels/upload-locale.js";

const REFUSED = "The upload was refused. Try again, or choose another file.";
const NOT_ARRIVED = "The file did not arrive in storage. Try again.";
const UNPREPARED = "This file could not be prepared. Try again, or choose another file.";
const orDetail = ({ detail }: { detail: string | undefined }) => detail ?? REFUSED;

/** The widget does not contain these texts, to be small. It shows the backend's text, or a general one. */
const rareErrors = {
  file_refused: orDetail,
  request_refused: orDetail,
  invalid_request: orDetail,
  upload_refused: orDetail,
  validation_failed: UNPREPARED,
  transform_failed: UNPREPARED,
  upload_not_found: NOT_ARRIVED,
  upload_incomplete: NOT_ARRIVED,
  upload_expired: NOT_ARRIVED,
  filename_required: "This file has no name. Rename it and choose it again.",
  cross_site: "Uploads from this page are not allowed.",
  file_on_hold: uploadErrors.delete_refused,
} satisfies Partial<ErrorMessages>;

/** English, the default language of the widget, with a text for every error code. */
export const en: UploadLocale = {
  locale: "en",
  ...englishLabels,
  ...englishFilesLabels,
  ...englishFormLabels,
  ...englishPageLabels,
  ...englishResumeLabels,
  ...englishTrayLabels,
  ...englishTriggerLabels,
  ...englishAvatarLabels,
  grid: englishGridLabels,
  browser: englishBrowserLabels,
  errors: {
    ...rareErrors,
    ...firstErrors,
    ...uploadErrors,
    ...notSavedError,
    ...englishFilesErrors,
    ...englishFolderErrors,
  },
};
