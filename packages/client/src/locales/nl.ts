import { plural, createErrors, createHint, joinPresent, type UploadLocale } from "../labels/upload-locale.js";

const files = plural("nl", { one: "# bestand", other: "# bestanden" });

const SAVE_FIRST = "Sla dit eerst op als bestand en kies dan het bestand.";

const kinds = { "image/*": "afbeeldingen", "video/*": "video’s", "audio/*": "audiobestanden" };

/** Dutch. */
export const nl: UploadLocale = {
  locale: "nl",
  label: "Bestanden uploaden",
  title: "Sleep bestanden hierheen",
  dropNow: "Laat los om te uploaden",
  dropRefused: "Deze bestanden worden niet geaccepteerd",
  dropAnywhere: "Laat ergens los om te uploaden",
  choose: "Bestanden kiezen",
  chooseFolder: "Map kiezen",
  useCamera: "Camera gebruiken",
  hint: createHint(", ", {
    from: (size) => `vanaf ${size}`,
    upTo: (size) => `tot ${size}`,
    atMost: (count, locale) => `maximaal ${files(count, locale)}`,
    inAll: (size) => `${size} in totaal`,
  }),
  kinds,
  list: "Bestanden",
  total: "Alle bestanden",
  cancel: (name) => `${name} annuleren`,
  pause: (name) => `${name} pauzeren`,
  resumePaused: (name) => `${name} hervatten`,
  retry: (name) => `${name} opnieuw proberen`,
  remove: (name) => `${name} verwijderen`,
  discard: "Onvoltooide uploads verwijderen",
  discardWarning:
    "Uploads die in een ander venster of op een ander apparaat bezig zijn, kunnen ook worden geannuleerd.",
  discardNow: "Verwijderen",
  discardNot: "Behouden",
  start: "Uploaden starten",
  pauseAll: "Alles pauzeren",
  resumeAll: "Alles hervatten",
  cancelAll: "Alles annuleren",
  retryAll: "Mislukte opnieuw proberen",
  clear: "Voltooide verwijderen",
  summary: ({ files: count, active, done, failed, percent }, locale) =>
    active > 0
      ? joinPresent(
          " · ",
          `Bezig met uploaden van ${files(active, locale)}`,
          percent,
          failed && `${failed.toLocaleString(locale)} mislukt`,
        )
      : joinPresent(
          ", ",
          `${done.toLocaleString(locale)} van ${files(count, locale)} geüpload`,
          failed && `${failed.toLocaleString(locale)} mislukt`,
        ),
  uploading: (percent) => `Bezig met uploaden: ${percent}`,
  queued: "In de wachtrij",
  preparing: "Voorbereiden",
  confirming: "Afronden",
  paused: "Gepauzeerd",
  startsAgain: "Begint weer bij het begin",
  receiving: "De opslag ontvangt dit bestand nog",
  done: "Geüpload",
  checking: "Wordt op virussen gecontroleerd",
  stopped: "Geannuleerd",
  deleting: "Verwijderen",
  retrying: (attempt, maxAttempts, locale) =>
    `Onderbroken. Nieuwe poging (${attempt.toLocaleString(locale)} van ${maxAttempts.toLocaleString(locale)})…`,
  sent: (sentSize, size) => `${sentSize} van ${size}`,
  timeLeft: (duration) => `nog ${duration}`,
  offline: "U bent offline. Het uploaden gaat verder zodra de verbinding terug is.",
  online: "U bent weer online.",
  unreachable: "De server is niet bereikbaar. Het uploaden gaat verder zodra hij antwoordt.",
  reachable: "De server antwoordt weer.",
  emptyFolder: "Deze map bevat geen bestanden.",
  dropMissed: "Laat de bestanden binnen dit gebied los.",
  packageFolders: (names) => `Comprimeer pakketmappen eerst: ${names}.`,
  saveFirst: SAVE_FIRST,
  leftOut: plural("nl", {
    one: "# systeembestand is overgeslagen.",
    other: "# systeembestanden zijn overgeslagen.",
  }),
  required: "Kies eerst een bestand.",
  held: "Het formulier wordt verzonden zodra alle bestanden zijn geüpload.",
  heldFailed: "Het formulier is niet verzonden, omdat een bestand is mislukt.",
  tray: "Uploads",
  closeTray: "Sluiten",
  resumable: "Onvoltooide uploads",
  resume: "Hervatten",
  resumeFile: (name) => `${name} hervatten`,
  discardUpload: "Verwijderen",
  discardFile: (name) => `${name} verwijderen`,
  expires: (date) => `verloopt op ${date}`,
  chooseAgain: "Kies het bestand opnieuw om verder te gaan.",
  checkingFile: "Bestand wordt gecontroleerd",
  lost: (names) => `Niet geüpload, omdat de pagina is gesloten: ${names}. Kies deze bestanden opnieuw.`,
  resumableFound: plural("nl", {
    one: "# onvoltooide upload kan worden hervat.",
    other: "# onvoltooide uploads kunnen worden hervat.",
  }),
  discarded: (name) => `${name} verwijderd.`,
  added: (count, locale) => `${files(count, locale)} toegevoegd.`,
  failed: (name, message) => `${name} is mislukt. ${message}`,
  cancelled: (name) => `${name} geannuleerd.`,
  pausedFile: (name) => `${name} gepauzeerd.`,
  resumedFile: (name) => `${name} hervat.`,
  pausedFiles: "Uploads gepauzeerd.",
  resumedFiles: "Uploads hervat.",
  deleted: (name) => `${name} verwijderd.`,
  notDeleted: (name, message) => `${name} is niet verwijderd. ${message}`,
  progress: (percent) => `${percent} geüpload.`,
  finished: (done, failed, locale) =>
    joinPresent(
      " ",
      done === 0 ? "Geen bestanden geüpload." : `${files(done, locale)} geüpload.`,
      failed && `${files(failed, locale)} mislukt.`,
    ),
  changePicture: "Afbeelding wijzigen",
  grid: {
    list: "Bestanden",
    empty: "Nog geen bestanden.",
    loading: "Bestanden worden geladen…",
    more: "Meer tonen",
    tryAgain: "Opnieuw proberen",
  },
  errors: createErrors(kinds, {
    refused: "De upload is geweigerd. Probeer het opnieuw of kies een ander bestand.",
    later: "De dienst is op dit moment niet beschikbaar. Probeer het zo meteen opnieuw.",
    lost: "Het bestand is niet in de opslag aangekomen. Probeer het opnieuw.",
    file_type_not_accepted: (kinds) =>
      joinPresent(" ", "Dit type bestand wordt niet geaccepteerd.", kinds && `Kies ${kinds}.`),
    file_too_large: (size) =>
      `Dit bestand is ${size === undefined ? "te groot" : `groter dan ${size}`}. Kies een kleiner bestand.`,
    file_too_small: (size) => `Dit bestand is kleiner dan ${size}. Kies een groter bestand.`,
    too_many_files: (count, locale) =>
      count === 1
        ? "Er kan maar één bestand worden geüpload. Verwijder eerst het andere."
        : `Er kunnen maar ${files(count, locale)} worden geüpload. Verwijder eerst een ander.`,
    total_size_exceeded: (size) =>
      `Alle bestanden samen mogen hoogstens ${size} groot zijn. Verwijder eerst een ander.`,
    duplicate_file: "Dit bestand staat al in de lijst.",
    file_not_saved: SAVE_FIRST,
    validation_failed: "Dit bestand kon niet worden gecontroleerd. Probeer het opnieuw.",
    transform_failed:
      "Dit bestand kon niet worden voorbereid. Probeer het opnieuw of kies een ander bestand.",
    different_file: (name, size) => `Dit is een ander bestand. Kies ${name} (${size}).`,
    file_unreadable: "Dit bestand is gewijzigd, verplaatst of verwijderd. Kies het opnieuw.",
    image_unreadable: "Deze afbeelding kan niet worden geopend. Kies een andere.",
    network_error: "De verbinding is verbroken. Controleer deze en probeer het opnieuw.",
    server_unreachable:
      "De server is niet bereikbaar. Controleer de verbinding of probeer het later opnieuw.",
    storage_unreachable:
      "De opslag is niet bereikbaar. Controleer de verbinding of probeer het later opnieuw.",
    local_network_denied:
      "Je browser geeft deze pagina geen toegang tot het lokale netwerk. Sta dit toe in de instellingen van deze site en probeer het opnieuw.",
    timed_out: "De upload staat stil. Controleer de verbinding en probeer het opnieuw.",
    storage_refused: "De opslag heeft de upload geweigerd. Probeer het opnieuw of meld het de beheerder.",
    internal_error: "Deze site heeft een probleem. Probeer het later opnieuw of meld het de beheerder.",
    storage_unavailable: "De opslag is op dit moment niet beschikbaar. Probeer het zo meteen opnieuw.",
    unexpected_answer: "De server gaf een onverwacht antwoord. Probeer het opnieuw of meld het de beheerder.",
    unauthorized: "U bent uitgelogd. Log in en probeer het opnieuw.",
    quota_exceeded: "Er is niet genoeg opslagruimte over. Maak ruimte vrij of meld het de beheerder.",
    file_limit_exceeded:
      "Je kunt niet nog meer bestanden opslaan. Verwijder er een paar of meld het de beheerder.",
    unfinished_uploads: (size) => `Onvoltooide uploads nemen ${size} van je opslagruimte in.`,
    too_many_requests: "Te veel uploads tegelijk. Probeer het zo meteen opnieuw.",
    filename_required: "Dit bestand heeft geen naam. Geef het een naam en kies het opnieuw.",
    delete_refused: "Dit bestand kan hier niet worden verwijderd.",
    update_refused: "Dit bestand kan hier niet worden gewijzigd.",
    list_refused: "Je bestanden kunnen hier niet worden getoond.",
    download_refused: "Dit bestand kan hier niet worden gedownload.",
    share_refused: "Dit bestand kan hier niet worden gedeeld.",
    file_not_found: "Dit bestand is niet gevonden. Misschien is het verwijderd.",
    file_not_scanned: "Dit bestand wordt nog op virussen gecontroleerd. Probeer het zo opnieuw.",
    file_quarantined: "Dit bestand is geblokkeerd door de viruscontrole.",
    callback_failed: "Het bestand is aangekomen, maar kon niet worden verwerkt. Probeer het opnieuw.",
    cross_site: "Uploaden vanaf deze pagina is niet toegestaan.",
  }),
};
