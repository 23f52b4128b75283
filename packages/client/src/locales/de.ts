import { plural, createErrors, createHint, joinPresent, type UploadLocale } from "../labels/upload-locale.js";

const files = plural("de", { one: "# Datei", other: "# Dateien" });
const uploadingFiles = plural("de", {
  one: "# Datei wird hochgeladen",
  other: "# Dateien werden hochgeladen",
});

const SAVE_FIRST = "Speichern Sie dies zuerst als Datei und wählen Sie dann die Datei aus.";

const kinds = { "image/*": "Bilder", "video/*": "Videos", "audio/*": "Audiodateien" };

const grid = {
  list: "Dateien",
  empty: "Noch keine Dateien.",
  loading: "Dateien werden geladen…",
  more: "Mehr anzeigen",
  tryAgain: "Erneut versuchen",
};

/** German. */
export const de: UploadLocale = {
  locale: "de",
  label: "Dateien hochladen",
  title: "Dateien hierher ziehen",
  dropNow: "Zum Hochladen loslassen",
  dropRefused: "Diese Dateien werden nicht angenommen",
  dropAnywhere: "Zum Hochladen irgendwo loslassen",
  choose: "Dateien auswählen",
  chooseFolder: "Ordner auswählen",
  useCamera: "Kamera verwenden",
  hint: createHint(", ", {
    from: (size) => `ab ${size}`,
    upTo: (size) => `bis zu ${size}`,
    atMost: (count, locale) => `höchstens ${files(count, locale)}`,
    inAll: (size) => `insgesamt ${size}`,
  }),
  kinds,
  list: "Dateien",
  total: "Alle Dateien",
  cancel: (name) => `${name} abbrechen`,
  pause: (name) => `${name} anhalten`,
  resumePaused: (name) => `${name} fortsetzen`,
  retry: (name) => `${name} erneut versuchen`,
  remove: (name) => `${name} entfernen`,
  discard: "Unfertige Uploads verwerfen",
  discardWarning:
    "Uploads, die in einem anderen Fenster oder auf einem anderen Gerät laufen, können ebenfalls abgebrochen werden.",
  discardNow: "Verwerfen",
  discardNot: "Behalten",
  start: "Hochladen starten",
  pauseAll: "Alle anhalten",
  resumeAll: "Alle fortsetzen",
  cancelAll: "Alle abbrechen",
  retryAll: "Fehlgeschlagene erneut versuchen",
  clear: "Fertige ausblenden",
  summary: ({ files: count, active, done, failed, percent }, locale) =>
    active > 0
      ? joinPresent(
          " · ",
          uploadingFiles(active, locale),
          percent,
          failed && `${failed.toLocaleString(locale)} fehlgeschlagen`,
        )
      : joinPresent(
          ", ",
          `${done.toLocaleString(locale)} von ${files(count, locale)} hochgeladen`,
          failed && `${failed.toLocaleString(locale)} fehlgeschlagen`,
        ),
  uploading: (percent) => `Hochladen: ${percent}`,
  queued: "Wartet",
  preparing: "Wird vorbereitet",
  confirming: "Wird abgeschlossen",
  paused: "Angehalten",
  startsAgain: "Beginnt wieder von vorn",
  receiving: "Der Speicher empfängt diese Datei noch",
  done: "Hochgeladen",
  checking: "Wird auf Viren geprüft",
  stopped: "Abgebrochen",
  deleting: "Wird gelöscht",
  retrying: (attempt, maxAttempts, locale) =>
    `Unterbrochen. Neuer Versuch (${attempt.toLocaleString(locale)} von ${maxAttempts.toLocaleString(locale)})…`,
  sent: (sentSize, size) => `${sentSize} von ${size}`,
  timeLeft: (duration) => `noch ${duration}`,
  offline: "Sie sind offline. Das Hochladen geht weiter, sobald die Verbindung wieder besteht.",
  online: "Sie sind wieder online.",
  unreachable: "Der Server ist nicht erreichbar. Das Hochladen geht weiter, sobald er antwortet.",
  reachable: "Der Server antwortet wieder.",
  emptyFolder: "Dieser Ordner enthält keine Dateien.",
  dropMissed: "Lassen Sie die Dateien innerhalb dieses Bereichs los.",
  packageFolders: (names) => `Paketordner müssen zuerst komprimiert werden: ${names}.`,
  saveFirst: SAVE_FIRST,
  leftOut: plural("de", {
    one: "# Systemdatei wurde ausgelassen.",
    other: "# Systemdateien wurden ausgelassen.",
  }),
  required: "Wählen Sie zuerst eine Datei aus.",
  held: "Das Formular wird abgeschickt, sobald alle Dateien hochgeladen sind.",
  heldFailed: "Das Formular wurde nicht abgeschickt, weil eine Datei fehlgeschlagen ist.",
  tray: "Uploads",
  closeTray: "Schließen",
  resumable: "Unfertige Uploads",
  resume: "Fortsetzen",
  resumeFile: (name) => `${name} fortsetzen`,
  discardUpload: "Verwerfen",
  discardFile: (name) => `${name} verwerfen`,
  expires: (date) => `läuft ab: ${date}`,
  chooseAgain: "Wählen Sie die Datei noch einmal aus, um fortzufahren.",
  checkingFile: "Datei wird geprüft",
  lost: (names) =>
    `Nicht hochgeladen, weil die Seite geschlossen wurde: ${names}. Wählen Sie diese Dateien noch einmal aus.`,
  resumableFound: plural("de", {
    one: "Ein unfertiger Upload kann fortgesetzt werden.",
    other: "# unfertige Uploads können fortgesetzt werden.",
  }),
  discarded: (name) => `${name} verworfen.`,
  added: (count, locale) => `${files(count, locale)} hinzugefügt.`,
  failed: (name, message) => `${name} ist fehlgeschlagen. ${message}`,
  cancelled: (name) => `${name} abgebrochen.`,
  pausedFile: (name) => `${name} angehalten.`,
  resumedFile: (name) => `${name} wird fortgesetzt.`,
  pausedFiles: "Das Hochladen ist angehalten.",
  resumedFiles: "Das Hochladen wird fortgesetzt.",
  deleted: (name) => `${name} gelöscht.`,
  notDeleted: (name, message) => `${name} wurde nicht gelöscht. ${message}`,
  progress: (percent) => `${percent} hochgeladen.`,
  finished: (done, failed, locale) =>
    joinPresent(
      " ",
      done === 0 ? "Keine Datei hochgeladen." : `${files(done, locale)} hochgeladen.`,
      failed && `${files(failed, locale)} fehlgeschlagen.`,
    ),
  changePicture: "Bild ändern",
  grid,
  browser: {
    ...grid,
    empty: "Dieser Ordner ist leer.",
    path: "Ordner",
    root: "Alle Dateien",
    view: "Ansicht",
    asList: "Liste",
    asGrid: "Kacheln",
    rename: "Umbenennen",
    renameFile: (name) => `${name} umbenennen`,
    move: "Verschieben",
    moveFile: (name) => `${name} verschieben`,
    delete: "Löschen",
    deleteFile: (name) => `${name} löschen`,
    confirmDelete: (name, files) =>
      `${name} mit ${files} löschen? Das kann hier nicht rückgängig gemacht werden.`,
    newName: (name) => `Neuer Name von ${name}`,
    newFolder: (name) => `Ordner von ${name}`,
    save: "Speichern",
    cancel: "Abbrechen",
    fileCount: files,
    movingFolder: (name) => `${name} wird verschoben…`,
    deletingFolder: (name) => `${name} wird gelöscht…`,
    unchanged: (files) => `Nicht geändert: ${files}.`,
    renamed: (name) => `Umbenannt in ${name}.`,
    moved: (name, folder) => `${name} wurde nach ${folder} verschoben.`,
    deleted: (name) => `${name} wurde gelöscht.`,
    restored: (name) => `${name} wurde wiederhergestellt.`,
    undo: "Rückgängig",
  },
  errors: createErrors(kinds, {
    refused: "Das Hochladen wurde abgelehnt. Versuchen Sie es erneut oder wählen Sie eine andere Datei.",
    later: "Der Dienst ist gerade nicht verfügbar. Versuchen Sie es gleich noch einmal.",
    lost: "Die Datei ist nicht im Speicher angekommen. Versuchen Sie es erneut.",
    file_type_not_accepted: (kinds) =>
      joinPresent(" ", "Dieser Dateityp wird nicht angenommen.", kinds && `Wählen Sie ${kinds}.`),
    file_too_large: (size) =>
      `Diese Datei ist ${size === undefined ? "zu groß" : `größer als ${size}`}. Wählen Sie eine kleinere.`,
    file_too_small: (size) => `Diese Datei ist kleiner als ${size}. Wählen Sie eine größere.`,
    too_many_files: (count, locale) =>
      count === 1
        ? "Es kann nur eine Datei hochgeladen werden. Entfernen Sie zuerst die andere."
        : `Es können nur ${files(count, locale)} hochgeladen werden. Entfernen Sie zuerst eine andere.`,
    total_size_exceeded: (size) =>
      `Alle Dateien zusammen dürfen höchstens ${size} groß sein. Entfernen Sie zuerst eine andere.`,
    duplicate_file: "Diese Datei ist schon in der Liste.",
    file_not_saved: SAVE_FIRST,
    validation_failed: "Diese Datei konnte nicht geprüft werden. Versuchen Sie es erneut.",
    transform_failed:
      "Diese Datei konnte nicht vorbereitet werden. Versuchen Sie es erneut oder wählen Sie eine andere Datei.",
    different_file: (name, size) => `Das ist eine andere Datei. Wählen Sie ${name} (${size}).`,
    file_unreadable: "Diese Datei wurde geändert, verschoben oder gelöscht. Wählen Sie sie noch einmal aus.",
    image_unreadable: "Dieses Bild lässt sich nicht öffnen. Wählen Sie ein anderes.",
    network_error: "Die Verbindung ist abgebrochen. Prüfen Sie sie und versuchen Sie es erneut.",
    server_unreachable:
      "Der Server ist nicht erreichbar. Prüfen Sie die Verbindung oder versuchen Sie es später erneut.",
    storage_unreachable:
      "Der Speicher ist nicht erreichbar. Prüfen Sie die Verbindung oder versuchen Sie es später erneut.",
    local_network_denied:
      "Ihr Browser erlaubt dieser Seite keinen Zugriff auf das lokale Netzwerk. Erlauben Sie ihn in den Einstellungen für diese Website und versuchen Sie es erneut.",
    timed_out: "Das Hochladen ist stehen geblieben. Prüfen Sie die Verbindung und versuchen Sie es erneut.",
    storage_refused:
      "Der Speicher hat das Hochladen abgelehnt. Versuchen Sie es erneut oder informieren Sie den Betreiber.",
    internal_error:
      "Auf dieser Website ist ein Fehler aufgetreten. Versuchen Sie es später erneut oder informieren Sie den Betreiber.",
    storage_unavailable: "Der Speicher ist gerade nicht verfügbar. Versuchen Sie es gleich noch einmal.",
    unexpected_answer:
      "Der Server hat unerwartet geantwortet. Versuchen Sie es erneut oder informieren Sie den Betreiber.",
    unauthorized: "Sie sind abgemeldet. Melden Sie sich an und versuchen Sie es erneut.",
    quota_exceeded:
      "Es ist nicht genug Speicherplatz übrig. Schaffen Sie Platz oder informieren Sie den Betreiber.",
    file_limit_exceeded:
      "Sie können nicht noch mehr Dateien speichern. Löschen Sie welche oder informieren Sie den Betreiber.",
    unfinished_uploads: (size) => `Unfertige Uploads belegen ${size} Ihres Speichers.`,
    too_many_requests: "Zu viele Dateien auf einmal. Versuchen Sie es gleich noch einmal.",
    filename_required: "Diese Datei hat keinen Namen. Benennen Sie sie und wählen Sie sie noch einmal aus.",
    delete_refused: "Diese Datei kann hier nicht gelöscht werden.",
    update_refused: "Diese Datei kann hier nicht geändert werden.",
    folder_job_refused: "Dieser Ordner kann hier nicht verschoben oder gelöscht werden.",
    folder_busy: "Dieser Ordner wird gerade verschoben oder gelöscht. Versuchen Sie es gleich noch einmal.",
    list_refused: "Ihre Dateien können hier nicht angezeigt werden.",
    download_refused: "Diese Datei kann hier nicht heruntergeladen werden.",
    share_refused: "Diese Datei kann hier nicht geteilt werden.",
    versions_refused: "Die Versionen dieser Datei können hier weder angezeigt noch wiederhergestellt werden.",
    file_not_found: "Diese Datei wurde nicht gefunden. Vielleicht wurde sie gelöscht.",
    file_not_scanned: "Diese Datei wird noch auf Viren geprüft. Versuchen Sie es gleich noch einmal.",
    file_quarantined: "Diese Datei ist gesperrt, weil die Virenprüfung sie beanstandet hat.",
    callback_failed:
      "Die Datei ist angekommen, konnte aber nicht verarbeitet werden. Versuchen Sie es erneut.",
    cross_site: "Von dieser Seite aus darf nichts hochgeladen werden.",
  }),
};
