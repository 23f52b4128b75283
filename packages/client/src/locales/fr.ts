import { plural, createErrors, createHint, joinPresent, type UploadLocale } from "../labels/upload-locale.js";

const files = plural("fr", { one: "# fichier", other: "# fichiers" });
const added = plural("fr", { one: "# fichier ajouté.", other: "# fichiers ajoutés." });
const uploaded = plural("fr", { one: "# fichier envoyé.", other: "# fichiers envoyés." });
const failures = plural("fr", { one: "# échec", other: "# échecs" });
const SAVE_FIRST = "Enregistrez d'abord l'élément comme fichier, puis choisissez ce fichier.";

const kinds = { "image/*": "images", "video/*": "vidéos", "audio/*": "fichiers audio" };

/** French. */
export const fr: UploadLocale = {
  locale: "fr",
  label: "Envoyer des fichiers",
  title: "Glissez vos fichiers ici",
  dropNow: "Déposez pour envoyer",
  dropRefused: "Ces fichiers ne sont pas acceptés",
  dropAnywhere: "Déposez n’importe où pour envoyer",
  choose: "Choisir des fichiers",
  chooseFolder: "Choisir un dossier",
  useCamera: "Utiliser l’appareil photo",
  hint: createHint(", ", {
    from: (size) => `à partir de ${size}`,
    upTo: (size) => `jusqu’à ${size}`,
    atMost: (count, locale) => `${files(count, locale)} au maximum`,
    inAll: (size) => `${size} au total`,
  }),
  kinds,
  list: "Fichiers",
  total: "Tous les fichiers",
  cancel: (name) => `Annuler ${name}`,
  pause: (name) => `Mettre ${name} en pause`,
  resumePaused: (name) => `Reprendre ${name}`,
  retry: (name) => `Réessayer ${name}`,
  remove: (name) => `Retirer ${name}`,
  discard: "Abandonner les envois inachevés",
  discardWarning:
    "Les envois en cours dans une autre fenêtre ou sur un autre appareil peuvent aussi être annulés.",
  discardNow: "Abandonner",
  discardNot: "Conserver",
  start: "Lancer l’envoi",
  pauseAll: "Tout mettre en pause",
  resumeAll: "Tout reprendre",
  cancelAll: "Tout annuler",
  retryAll: "Réessayer les échecs",
  clear: "Retirer les fichiers terminés",
  summary: ({ files: count, active, done, failed, percent }, locale) =>
    active > 0
      ? joinPresent(" · ", `Envoi de ${files(active, locale)}`, percent, failed && failures(failed, locale))
      : joinPresent(
          ", ",
          `Fichiers envoyés : ${done.toLocaleString(locale)} sur ${count.toLocaleString(locale)}`,
          failed && failures(failed, locale),
        ),
  uploading: (percent) => `Envoi : ${percent}`,
  queued: "En attente",
  preparing: "Préparation",
  confirming: "Finalisation",
  paused: "En pause",
  startsAgain: "Reprend depuis le début",
  receiving: "Le stockage reçoit encore ce fichier",
  done: "Envoyé",
  checking: "Analyse antivirus en cours",
  stopped: "Annulé",
  deleting: "Suppression",
  retrying: (attempt, maxAttempts, locale) =>
    `Envoi interrompu. Nouvel essai (${attempt.toLocaleString(locale)} sur ${maxAttempts.toLocaleString(locale)})…`,
  sent: (sentSize, size) => `${sentSize} sur ${size}`,
  timeLeft: (duration) => `encore ${duration}`,
  offline: "Vous êtes hors ligne. L’envoi reprendra dès le retour de la connexion.",
  online: "Vous êtes de nouveau en ligne.",
  unreachable: "Le serveur est injoignable. L’envoi reprendra dès qu’il répondra.",
  reachable: "Le serveur répond de nouveau.",
  emptyFolder: "Ce dossier ne contient aucun fichier.",
  dropMissed: "Déposez les fichiers dans cette zone.",
  packageFolders: (names) => `Compressez d'abord les dossiers de paquet : ${names}.`,
  saveFirst: SAVE_FIRST,
  leftOut: plural("fr", {
    one: "# fichier système a été ignoré.",
    other: "# fichiers système ont été ignorés.",
  }),
  required: "Choisissez d’abord un fichier.",
  held: "Le formulaire partira quand tous les fichiers seront envoyés.",
  heldFailed: "Le formulaire n’est pas parti, car l’envoi d’un fichier a échoué.",
  tray: "Envois",
  closeTray: "Fermer",
  resumable: "Envois inachevés",
  resume: "Reprendre",
  resumeFile: (name) => `Reprendre ${name}`,
  discardUpload: "Abandonner",
  discardFile: (name) => `Abandonner ${name}`,
  expires: (date) => `expire le ${date}`,
  chooseAgain: "Choisissez à nouveau le fichier pour reprendre.",
  checkingFile: "Vérification du fichier",
  lost: (names) => `Non envoyé, car la page a été fermée : ${names}. Choisissez à nouveau ces fichiers.`,
  resumableFound: plural("fr", {
    one: "# envoi inachevé peut être repris.",
    other: "# envois inachevés peuvent être repris.",
  }),
  discarded: (name) => `${name} abandonné.`,
  added,
  failed: (name, message) => `Échec de ${name}. ${message}`,
  cancelled: (name) => `Envoi de ${name} annulé.`,
  pausedFile: (name) => `Envoi de ${name} mis en pause.`,
  resumedFile: (name) => `Envoi de ${name} repris.`,
  pausedFiles: "Les envois sont en pause.",
  resumedFiles: "Les envois ont repris.",
  deleted: (name) => `Fichier ${name} supprimé.`,
  notDeleted: (name, message) => `Fichier ${name} non supprimé. ${message}`,
  progress: (percent) => `${percent} envoyés.`,
  finished: (done, failed, locale) =>
    joinPresent(
      " ",
      done === 0 ? "Aucun fichier envoyé." : uploaded(done, locale),
      failed && `${failures(failed, locale)}.`,
    ),
  changePicture: "Changer l’image",
  grid: {
    list: "Fichiers",
    empty: "Aucun fichier pour le moment.",
    loading: "Chargement des fichiers…",
    more: "Afficher plus",
    tryAgain: "Réessayer",
  },
  errors: createErrors(kinds, {
    refused: "L’envoi a été refusé. Réessayez ou choisissez un autre fichier.",
    later: "Le service est indisponible pour l’instant. Réessayez dans un moment.",
    lost: "Le fichier n’est pas arrivé dans l’espace de stockage. Réessayez.",
    file_type_not_accepted: (kinds) =>
      joinPresent(" ", "Ce type de fichier n’est pas accepté.", kinds && `Formats acceptés : ${kinds}.`),
    file_too_large: (size) =>
      size === undefined
        ? "Ce fichier est trop volumineux. Choisissez-en un plus petit."
        : `Ce fichier dépasse ${size}. Choisissez-en un plus petit.`,
    file_too_small: (size) => `Ce fichier fait moins de ${size}. Choisissez-en un plus grand.`,
    too_many_files: (count, locale) =>
      count === 1
        ? "Vous ne pouvez envoyer qu’un seul fichier. Retirez d’abord l’autre."
        : `Vous ne pouvez envoyer que ${files(count, locale)}. Retirez-en d’abord un autre.`,
    total_size_exceeded: (size) =>
      `Tous les fichiers réunis ne doivent pas dépasser ${size}. Retirez-en d’abord un autre.`,
    duplicate_file: "Ce fichier est déjà dans la liste.",
    file_not_saved: SAVE_FIRST,
    validation_failed: "Ce fichier n’a pas pu être vérifié. Réessayez.",
    transform_failed: "Ce fichier n’a pas pu être préparé. Réessayez ou choisissez un autre fichier.",
    different_file: (name, size) => `C’est un autre fichier. Choisissez ${name} (${size}).`,
    file_unreadable: "Ce fichier a été modifié, déplacé ou supprimé. Choisissez-le à nouveau.",
    image_unreadable: "Cette image ne peut pas être ouverte. Choisissez-en une autre.",
    network_error: "La connexion a été perdue. Vérifiez-la, puis réessayez.",
    server_unreachable: "Le serveur est injoignable. Vérifiez la connexion ou réessayez plus tard.",
    storage_unreachable:
      "L’espace de stockage est injoignable. Vérifiez la connexion ou réessayez plus tard.",
    local_network_denied:
      "Votre navigateur ne permet pas à cette page d’accéder au réseau local. Autorisez-le dans les paramètres de ce site, puis réessayez.",
    timed_out: "L’envoi n’avance plus. Vérifiez la connexion, puis réessayez.",
    storage_refused: "L’espace de stockage a refusé l’envoi. Réessayez ou prévenez son responsable.",
    internal_error: "Ce site rencontre un problème. Réessayez plus tard ou prévenez son responsable.",
    storage_unavailable: "L’espace de stockage est indisponible pour l’instant. Réessayez dans un moment.",
    unexpected_answer: "Le serveur a donné une réponse inattendue. Réessayez ou prévenez son responsable.",
    unauthorized: "Vous êtes déconnecté. Connectez-vous, puis réessayez.",
    quota_exceeded: "Il ne reste pas assez d’espace. Libérez de la place ou prévenez le responsable du site.",
    file_limit_exceeded:
      "Vous ne pouvez pas enregistrer plus de fichiers. Supprimez-en ou prévenez le responsable du site.",
    unfinished_uploads: (size) => `Des envois inachevés occupent ${size} de votre espace de stockage.`,
    too_many_requests: "Trop d’envois à la fois. Réessayez dans un moment.",
    filename_required: "Ce fichier n’a pas de nom. Donnez-lui-en un et choisissez-le à nouveau.",
    delete_refused: "Ce fichier ne peut pas être supprimé ici.",
    update_refused: "Ce fichier ne peut pas être modifié ici.",
    list_refused: "Vos fichiers ne peuvent pas être affichés ici.",
    download_refused: "Ce fichier ne peut pas être téléchargé ici.",
    share_refused: "Ce fichier ne peut pas être partagé ici.",
    file_not_found: "Ce fichier est introuvable. Il a peut-être été supprimé.",
    file_not_scanned: "L’analyse antivirus de ce fichier n’est pas terminée. Réessayez dans un instant.",
    file_quarantined: "Ce fichier est bloqué par l’analyse antivirus.",
    callback_failed: "Le fichier est bien arrivé, mais il n’a pas pu être traité. Réessayez.",
    cross_site: "Cette page n’est pas autorisée à envoyer des fichiers.",
  }),
};
