import {
  plural,
  createErrors,
  createHint,
  isolate,
  joinPresent,
  type UploadLocale,
} from "../labels/upload-locale.js";

// In the genitive case, which every sentence below needs.
const files = plural("ar", {
  zero: "# ملف",
  one: "ملف واحد",
  two: "ملفين",
  few: "# ملفات",
  many: "# ملفًا",
  other: "# ملف",
});
const SAVE_FIRST = "احفظ هذا أولاً كملف، ثم اختر الملف.";

const kinds = { "image/*": "صور", "video/*": "مقاطع فيديو", "audio/*": "ملفات صوتية" };

const hint = createHint("، ", {
  from: (size) => `من ${isolate(size)}`,
  upTo: (size) => `حتى ${isolate(size)}`,
  atMost: (count, locale) => `بما لا يزيد على ${files(count, locale)}`,
  inAll: (size) => `${isolate(size)} إجمالًا`,
});
/** Isolates each extension. Otherwise the first one would reverse the order of the whole list. */
const inArabic = (kinds: string) =>
  kinds.replaceAll(", ", "، ").replace(/[A-Z\d][A-Z\d.+-]*/g, (kind) => isolate(kind));

/** Arabic. */
export const ar: UploadLocale = {
  locale: "ar",
  label: "رفع الملفات",
  title: "اسحب الملفات إلى هنا",
  dropNow: "أفلت للرفع",
  dropRefused: "هذه الملفات غير مقبولة",
  dropAnywhere: "أفلت في أي مكان للرفع",
  choose: "اختيار الملفات",
  chooseFolder: "اختيار مجلد",
  useCamera: "استخدام الكاميرا",
  hint: ({ kinds, ...limits }, locale) => hint({ kinds: inArabic(kinds), ...limits }, locale),

  kinds,
  list: "الملفات",
  total: "جميع الملفات",
  cancel: (name) => `إلغاء ${isolate(name)}`,
  pause: (name) => `إيقاف ${isolate(name)} مؤقتًا`,
  resumePaused: (name) => `استئناف ${isolate(name)}`,
  retry: (name) => `إعادة محاولة ${isolate(name)}`,
  remove: (name) => `إزالة ${isolate(name)}`,
  discard: "إلغاء عمليات الرفع غير المكتملة",
  discardWarning: "قد تُلغى أيضًا عمليات الرفع الجارية في نافذة أخرى أو على جهاز آخر.",
  discardNow: "إلغاؤها",
  discardNot: "الاحتفاظ بها",
  start: "بدء الرفع",
  pauseAll: "إيقاف الكل مؤقتًا",
  resumeAll: "استئناف الكل",
  cancelAll: "إلغاء الكل",
  retryAll: "إعادة محاولة ما فشل",
  clear: "إزالة ما انتهى",
  summary: ({ files: count, active, done, failed, percent }, locale) =>
    active > 0
      ? joinPresent(
          " · ",
          `جارٍ رفع ${files(active, locale)}`,
          isolate(percent),
          failed && `فشل ${isolate(failed.toLocaleString(locale))}`,
        )
      : joinPresent(
          "، ",
          `تم رفع ${isolate(done.toLocaleString(locale))} من أصل ${files(count, locale)}`,
          failed && `وفشل ${isolate(failed.toLocaleString(locale))}`,
        ),
  uploading: (percent) => `جارٍ الرفع ${isolate(percent)}`,
  queued: "في الانتظار",
  preparing: "قيد التحضير",
  confirming: "على وشك الانتهاء",
  paused: "متوقف مؤقتًا",
  startsAgain: "يبدأ من جديد",
  receiving: "ما زالت وحدة التخزين تستقبل هذا الملف",
  done: "تم الرفع",
  checking: "جارٍ فحص الفيروسات",
  stopped: "أُلغي",
  deleting: "جارٍ الحذف",
  retrying: (attempt, maxAttempts, locale) =>
    `انقطع الرفع. جارٍ إعادة المحاولة (${isolate(attempt.toLocaleString(locale))} من ${isolate(maxAttempts.toLocaleString(locale))})…`,
  sent: (sentSize, size) => `${isolate(sentSize)} من ${isolate(size)}`,
  timeLeft: (duration) => `بقي ${isolate(duration)}`,
  offline: "أنت غير متصل بالإنترنت. سيستمر الرفع عند عودة الاتصال.",
  online: "عاد الاتصال بالإنترنت.",
  unreachable: "لا يمكن الوصول إلى الخادم. سيستمر الرفع عندما يجيب.",
  reachable: "عاد الخادم إلى الإجابة.",
  emptyFolder: "هذا المجلد لا يحتوي على ملفات.",
  dropMissed: "أفلت الملفات داخل هذه المنطقة.",
  packageFolders: (names) => `يجب ضغط مجلدات الحزم أولاً: ${isolate(names)}.`,
  saveFirst: SAVE_FIRST,
  leftOut: plural("ar", {
    one: "تم تجاهل ملف نظام واحد.",
    two: "تم تجاهل ملفي نظام.",
    few: "تم تجاهل # ملفات نظام.",
    many: "تم تجاهل # ملف نظام.",
    other: "تم تجاهل # ملف نظام.",
  }),
  required: "اختر ملفًا أولًا.",
  held: "سيُرسَل النموذج بعد رفع جميع الملفات.",
  heldFailed: "لم يُرسَل النموذج بسبب فشل أحد الملفات.",
  tray: "عمليات الرفع",
  closeTray: "إغلاق",
  resumable: "عمليات رفع غير مكتملة",
  resume: "متابعة",
  resumeFile: (name) => `متابعة ${isolate(name)}`,
  discardUpload: "إلغاء",
  discardFile: (name) => `إلغاء ${isolate(name)}`,
  expires: (date) => `تنتهي الصلاحية في ${isolate(date)}`,
  chooseAgain: "اختر الملف مرة أخرى للمتابعة.",
  checkingFile: "جارٍ التحقق من الملف",
  lost: (names) => `لم تُرفع هذه الملفات لأن الصفحة أُغلقت: ${isolate(names)}. اخترها مرة أخرى.`,
  resumableFound: plural("ar", {
    zero: "لا توجد عمليات رفع غير مكتملة.",
    one: "يمكن متابعة عملية رفع واحدة غير مكتملة.",
    two: "يمكن متابعة عمليتي رفع غير مكتملتين.",
    few: "يمكن متابعة # عمليات رفع غير مكتملة.",
    many: "يمكن متابعة # عملية رفع غير مكتملة.",
    other: "يمكن متابعة # عملية رفع غير مكتملة.",
  }),
  discarded: (name) => `أُلغي رفع ${isolate(name)}.`,
  added: (count, locale) => `تمت إضافة ${files(count, locale)}.`,
  failed: (name, message) => `فشل رفع ${isolate(name)}. ${message}`,
  cancelled: (name) => `أُلغي رفع ${isolate(name)}.`,
  pausedFile: (name) => `أُوقف ${isolate(name)} مؤقتًا.`,
  resumedFile: (name) => `استُؤنف ${isolate(name)}.`,
  pausedFiles: "أُوقف الرفع مؤقتًا.",
  resumedFiles: "استُؤنف الرفع.",
  deleted: (name) => `تم حذف ${isolate(name)}.`,
  notDeleted: (name, message) => `تعذر حذف ${isolate(name)}. ${message}`,
  progress: (percent) => `تم رفع ${isolate(percent)}.`,
  finished: (done, failed, locale) =>
    joinPresent(
      " ",
      done === 0 ? "لم يُرفع أي ملف." : `تم رفع ${files(done, locale)}.`,
      failed && `فشل رفع ${files(failed, locale)}.`,
    ),
  changePicture: "تغيير الصورة",
  grid: {
    list: "الملفات",
    empty: "لا توجد ملفات بعد.",
    loading: "جارٍ تحميل قائمة الملفات…",
    more: "عرض المزيد",
    tryAgain: "إعادة المحاولة",
  },
  errors: createErrors(kinds, {
    refused: "رُفض الرفع. حاول مرة أخرى أو اختر ملفًا آخر.",
    later: "الخدمة غير متاحة الآن. حاول مرة أخرى بعد قليل.",
    lost: "لم يصل الملف إلى مساحة التخزين. حاول مرة أخرى.",
    file_type_not_accepted: (kinds) =>
      joinPresent(" ", "هذا النوع من الملفات غير مقبول.", kinds && `الأنواع المقبولة: ${inArabic(kinds)}.`),
    file_too_large: (size) =>
      size === undefined
        ? "هذا الملف كبير جدًا. اختر ملفًا أصغر."
        : `هذا الملف أكبر من ${isolate(size)}. اختر ملفًا أصغر.`,
    file_too_small: (size) => `هذا الملف أصغر من ${isolate(size)}. اختر ملفًا أكبر.`,
    too_many_files: (count, locale) =>
      count === 1
        ? "لا يمكن رفع أكثر من ملف واحد. أزل الملف الآخر أولًا."
        : `لا يمكن رفع أكثر من ${files(count, locale)}. أزل ملفًا آخر أولًا.`,
    total_size_exceeded: (size) =>
      `يجب ألا يزيد حجم جميع الملفات معًا على ${isolate(size)}. أزل ملفًا آخر أولًا.`,
    duplicate_file: "هذا الملف موجود في القائمة بالفعل.",
    file_not_saved: SAVE_FIRST,
    validation_failed: "تعذر التحقق من هذا الملف. حاول مرة أخرى.",
    transform_failed: "تعذر تحضير هذا الملف. حاول مرة أخرى أو اختر ملفًا آخر.",
    different_file: (name, size) => `هذا ملف آخر. اختر ${isolate(name)} (${isolate(size)}).`,
    file_unreadable: "تغيّر هذا الملف أو نُقل أو حُذف. اختره مرة أخرى.",
    image_unreadable: "تعذّر فتح هذه الصورة. اختر صورة أخرى.",
    network_error: "انقطع الاتصال. تحقق منه وحاول مرة أخرى.",
    server_unreachable: "لا يمكن الوصول إلى الخادم. تحقق من الاتصال أو حاول لاحقًا.",
    storage_unreachable: "لا يمكن الوصول إلى مساحة التخزين. تحقق من الاتصال أو حاول لاحقًا.",
    local_network_denied:
      "لا يسمح متصفحك لهذه الصفحة بالوصول إلى الشبكة المحلية. اسمح بذلك في إعدادات هذا الموقع ثم حاول مرة أخرى.",
    timed_out: "توقف الرفع. تحقق من الاتصال وحاول مرة أخرى.",
    storage_refused: "رفضت مساحة التخزين عملية الرفع. حاول مرة أخرى أو أبلغ المسؤول عن هذا الموقع.",
    internal_error: "حدث خطأ في هذا الموقع. حاول مرة أخرى لاحقاً أو أبلغ المسؤول عنه.",
    storage_unavailable: "مساحة التخزين غير متاحة الآن. حاول مرة أخرى بعد قليل.",
    unexpected_answer: "أجاب الخادم إجابة غير متوقعة. حاول مرة أخرى أو أبلغ المسؤول عنه.",
    unauthorized: "تم تسجيل خروجك. سجّل الدخول وحاول مرة أخرى.",
    quota_exceeded: "لا تكفي مساحة التخزين المتبقية. أفرغ بعض المساحة أو أبلغ المسؤول عن هذا الموقع.",
    file_limit_exceeded: "لا يمكنك حفظ ملفات أكثر. احذف بعضها أو أبلغ المسؤول عن هذا الموقع.",
    unfinished_uploads: (size) => `عمليات رفع لم تكتمل تشغل ${isolate(size)} من مساحة التخزين لديك.`,
    too_many_requests: "عمليات رفع كثيرة في وقت واحد. حاول مرة أخرى بعد قليل.",
    filename_required: "هذا الملف بلا اسم. سمِّه ثم اختره مرة أخرى.",
    delete_refused: "لا يمكن حذف هذا الملف هنا.",
    update_refused: "لا يمكن تغيير هذا الملف هنا.",
    list_refused: "لا يمكن عرض ملفاتك هنا.",
    download_refused: "لا يمكن تنزيل هذا الملف هنا.",
    share_refused: "لا يمكن مشاركة هذا الملف هنا.",
    file_not_found: "لم يُعثر على هذا الملف. ربما حُذف.",
    file_not_scanned: "لا يزال فحص الفيروسات لهذا الملف جاريًا. حاول مرة أخرى بعد قليل.",
    file_quarantined: "هذا الملف محظور بسبب فحص الفيروسات.",
    callback_failed: "وصل الملف، لكن تعذرت معالجته. حاول مرة أخرى.",
    cross_site: "لا يُسمح بالرفع من هذه الصفحة.",
  }),
};
