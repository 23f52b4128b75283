import { plural, createErrors, createHint, joinPresent, type UploadLocale } from "../labels/upload-locale.js";

const files = plural("it", { other: "# file" });
const added = plural("it", { one: "# file aggiunto.", other: "# file aggiunti." });
const uploaded = plural("it", { one: "# file caricato.", other: "# file caricati." });
const failed = plural("it", { one: "# file non riuscito.", other: "# file non riusciti." });

const SAVE_FIRST = "Salva prima l'elemento come file, poi scegli il file.";

const kinds = { "image/*": "immagini", "video/*": "video", "audio/*": "file audio" };

const grid = {
  list: "Elenco dei file",
  empty: "Ancora nessun file.",
  loading: "Caricamento dell’elenco…",
  more: "Mostra altri",
  tryAgain: "Riprova",
};

/** Italian. */
export const it: UploadLocale = {
  locale: "it",
  label: "Carica file",
  title: "Trascina qui i file",
  dropNow: "Rilascia per caricare",
  dropRefused: "Questi file non sono accettati",
  dropAnywhere: "Rilascia ovunque per caricare",
  choose: "Scegli i file",
  chooseFolder: "Scegli una cartella",
  useCamera: "Usa la fotocamera",
  hint: createHint(", ", {
    from: (size) => `da ${size}`,
    upTo: (size) => `fino a ${size}`,
    atMost: (count, locale) => `al massimo ${files(count, locale)}`,
    inAll: (size) => `${size} in totale`,
  }),
  kinds,
  list: "Elenco dei file",
  total: "Tutti i file",
  cancel: (name) => `Annulla ${name}`,
  pause: (name) => `Metti in pausa ${name}`,
  resumePaused: (name) => `Riprendi ${name}`,
  retry: (name) => `Riprova ${name}`,
  remove: (name) => `Rimuovi ${name}`,
  discard: "Scarta i caricamenti non completati",
  discardWarning:
    "Potrebbero essere annullati anche i caricamenti in corso in un’altra finestra o su un altro dispositivo.",
  discardNow: "Scarta",
  discardNot: "Mantieni",
  start: "Avvia il caricamento",
  pauseAll: "Metti tutto in pausa",
  resumeAll: "Riprendi tutto",
  cancelAll: "Annulla tutto",
  retryAll: "Riprova i file non riusciti",
  clear: "Rimuovi i file completati",
  summary: ({ files: count, active, done, failed: failures, percent }, locale) =>
    active > 0
      ? joinPresent(
          " · ",
          `Caricamento di ${files(active, locale)}`,
          percent,
          failures && `non riusciti: ${failures.toLocaleString(locale)}`,
        )
      : joinPresent(
          ", ",
          `File caricati: ${done.toLocaleString(locale)} su ${count.toLocaleString(locale)}`,
          failures && `non riusciti: ${failures.toLocaleString(locale)}`,
        ),
  uploading: (percent) => `Caricamento: ${percent}`,
  queued: "In attesa",
  preparing: "In preparazione",
  confirming: "Completamento",
  paused: "In pausa",
  startsAgain: "Ricomincia dall'inizio",
  receiving: "L'archivio sta ancora ricevendo questo file",
  done: "Caricato",
  checking: "Controllo antivirus in corso",
  stopped: "Annullato",
  deleting: "Eliminazione",
  retrying: (attempt, maxAttempts, locale) =>
    `Interrotto. Nuovo tentativo (${attempt.toLocaleString(locale)} di ${maxAttempts.toLocaleString(locale)})…`,
  sent: (sentSize, size) => `${sentSize} di ${size}`,
  timeLeft: (duration) => `ancora ${duration}`,
  offline: "Sei offline. Il caricamento riprenderà quando tornerà la connessione.",
  online: "Sei di nuovo online.",
  unreachable: "Il server non è raggiungibile. Il caricamento riprenderà quando risponderà.",
  reachable: "Il server risponde di nuovo.",
  emptyFolder: "Questa cartella non contiene file.",
  dropMissed: "Rilascia i file all'interno di quest'area.",
  packageFolders: (names) => `Comprimi prima le cartelle pacchetto: ${names}.`,
  saveFirst: SAVE_FIRST,
  leftOut: plural("it", {
    one: "# file di sistema è stato escluso.",
    other: "# file di sistema sono stati esclusi.",
  }),
  required: "Scegli prima un file.",
  held: "Il modulo verrà inviato quando tutti i file saranno caricati.",
  heldFailed: "Il modulo non è stato inviato perché il caricamento di un file non è riuscito.",
  tray: "Caricamenti",
  closeTray: "Chiudi",
  resumable: "Caricamenti non completati",
  resume: "Continua",
  resumeFile: (name) => `Continua ${name}`,
  discardUpload: "Scarta",
  discardFile: (name) => `Scarta ${name}`,
  expires: (date) => `scade il ${date}`,
  chooseAgain: "Scegli di nuovo il file per continuare.",
  checkingFile: "Verifica del file",
  lost: (names) => `Non caricati perché la pagina è stata chiusa: ${names}. Scegli di nuovo questi file.`,
  resumableFound: plural("it", {
    one: "È possibile continuare # caricamento non completato.",
    other: "È possibile continuare # caricamenti non completati.",
  }),
  discarded: (name) => `${name} scartato.`,
  added,
  failed: (name, message) => `Caricamento di ${name} non riuscito. ${message}`,
  cancelled: (name) => `Caricamento di ${name} annullato.`,
  pausedFile: (name) => `Caricamento di ${name} in pausa.`,
  resumedFile: (name) => `Caricamento di ${name} ripreso.`,
  pausedFiles: "I caricamenti sono in pausa.",
  resumedFiles: "I caricamenti sono ripresi.",
  deleted: (name) => `Il file ${name} è stato eliminato.`,
  notDeleted: (name, message) => `Il file ${name} non è stato eliminato. ${message}`,
  progress: (percent) => `Caricato: ${percent}.`,
  finished: (done, failures, locale) =>
    joinPresent(
      " ",
      done === 0 ? "Nessun file caricato." : uploaded(done, locale),
      failures && failed(failures, locale),
    ),
  changePicture: "Cambia immagine",
  grid,
  browser: {
    ...grid,
    empty: "Questa cartella è vuota.",
    path: "Cartella",
    root: "Tutti i file",
    view: "Visualizzazione",
    asList: "Elenco",
    asGrid: "Griglia",
    rename: "Rinomina",
    renameFile: (name) => `Rinomina ${name}`,
    move: "Sposta",
    moveFile: (name) => `Sposta ${name}`,
    delete: "Elimina",
    deleteFile: (name) => `Elimina ${name}`,
    newName: (name) => `Nuovo nome di ${name}`,
    newFolder: (name) => `Cartella di ${name}`,
    save: "Salva",
    cancel: "Annulla",
    fileCount: files,
    renamed: (name) => `Nuovo nome: ${name}.`,
    moved: (name, folder) => `Il file ${name} è stato spostato in ${folder}.`,
    deleted: (name) => `Il file ${name} è stato eliminato.`,
    restored: (name) => `Il file ${name} è stato ripristinato.`,
    undo: "Annulla eliminazione",
  },
  errors: createErrors(kinds, {
    refused: "Il caricamento è stato rifiutato. Riprova o scegli un altro file.",
    later: "Il servizio non è disponibile in questo momento. Riprova tra poco.",
    lost: "Il file non è arrivato nello spazio di archiviazione. Riprova.",
    file_type_not_accepted: (kinds) =>
      joinPresent(" ", "Questo tipo di file non è accettato.", kinds && `Scegli ${kinds}.`),
    file_too_large: (size) =>
      size === undefined
        ? "Questo file è troppo grande. Scegline uno più piccolo."
        : `Questo file supera ${size}. Scegline uno più piccolo.`,
    file_too_small: (size) => `Questo file è più piccolo di ${size}. Scegline uno più grande.`,
    too_many_files: (count, locale) =>
      count === 1
        ? "È possibile caricare un solo file. Rimuovi prima l’altro."
        : `È possibile caricare solo ${files(count, locale)}. Rimuovine prima un altro.`,
    total_size_exceeded: (size) =>
      `Tutti i file insieme non possono superare ${size}. Rimuovine prima un altro.`,
    duplicate_file: "Questo file è già nell’elenco.",
    file_not_saved: SAVE_FIRST,
    validation_failed: "Non è stato possibile controllare questo file. Riprova.",
    transform_failed: "Non è stato possibile preparare questo file. Riprova o scegline un altro.",
    different_file: (name, size) => `Questo è un altro file. Scegli ${name} (${size}).`,
    file_unreadable: "Questo file è stato modificato, spostato o eliminato. Sceglilo di nuovo.",
    image_unreadable: "Questa immagine non può essere aperta. Scegline un’altra.",
    network_error: "La connessione si è interrotta. Controllala e riprova.",
    server_unreachable: "Il server non è raggiungibile. Controlla la connessione o riprova più tardi.",
    storage_unreachable:
      "Lo spazio di archiviazione non è raggiungibile. Controlla la connessione o riprova più tardi.",
    local_network_denied:
      "Il browser non consente a questa pagina di accedere alla rete locale. Consentilo nelle impostazioni di questo sito e riprova.",
    timed_out: "Il caricamento si è fermato. Controlla la connessione e riprova.",
    storage_refused:
      "Lo spazio di archiviazione ha rifiutato il caricamento. Riprova o avvisa chi lo gestisce.",
    internal_error: "Questo sito ha un problema. Riprova più tardi o avvisa chi lo gestisce.",
    storage_unavailable: "Lo spazio di archiviazione non è disponibile in questo momento. Riprova tra poco.",
    unexpected_answer: "Il server ha dato una risposta inattesa. Riprova o avvisa chi lo gestisce.",
    unauthorized: "La sessione è terminata. Accedi e riprova.",
    quota_exceeded: "Lo spazio rimasto non basta. Libera spazio o avvisa chi gestisce il sito.",
    file_limit_exceeded: "Non puoi salvare altri file. Eliminane qualcuno o avvisa chi gestisce il sito.",
    unfinished_uploads: (size) => `I caricamenti non completati occupano ${size} del tuo spazio.`,
    too_many_requests: "Troppi caricamenti insieme. Riprova tra poco.",
    filename_required: "Questo file non ha un nome. Assegnagliene uno e sceglilo di nuovo.",
    delete_refused: "Questo file non può essere eliminato qui.",
    update_refused: "Questo file non può essere modificato qui.",
    list_refused: "I tuoi file non possono essere mostrati qui.",
    download_refused: "Questo file non può essere scaricato qui.",
    share_refused: "Questo file non può essere condiviso qui.",
    file_not_found: "Questo file non è stato trovato. Forse è stato eliminato.",
    file_not_scanned: "La scansione antivirus di questo file non è ancora terminata. Riprovi tra poco.",
    file_quarantined: "Questo file è bloccato dalla scansione antivirus.",
    callback_failed: "Il file è arrivato, ma non è stato possibile elaborarlo. Riprova.",
    cross_site: "Non è consentito caricare file da questa pagina.",
  }),
};
