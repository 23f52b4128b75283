import { plural, createErrors, createHint, joinPresent, type UploadLocale } from "../labels/upload-locale.js";

const files = plural("es", { one: "# archivo", other: "# archivos" });
const added = plural("es", { one: "# archivo añadido.", other: "# archivos añadidos." });
const uploaded = plural("es", { one: "# archivo subido.", other: "# archivos subidos." });
const failed = plural("es", { one: "# archivo con error.", other: "# archivos con error." });

const SAVE_FIRST = "Guarda esto primero como archivo y después elige el archivo.";

const kinds = { "image/*": "imágenes", "video/*": "vídeos", "audio/*": "archivos de audio" };

const grid = {
  list: "Archivos",
  empty: "Aún no hay archivos.",
  loading: "Cargando archivos…",
  more: "Mostrar más",
  tryAgain: "Reintentar",
};

/** Spanish. */
export const es: UploadLocale = {
  locale: "es",
  label: "Subir archivos",
  title: "Arrastra los archivos aquí",
  dropNow: "Suelta para subir",
  dropRefused: "Estos archivos no se aceptan",
  dropAnywhere: "Suelta en cualquier lugar para subir",
  choose: "Elegir archivos",
  chooseFolder: "Elegir carpeta",
  useCamera: "Usar la cámara",
  hint: createHint(", ", {
    from: (size) => `desde ${size}`,
    upTo: (size) => `hasta ${size}`,
    atMost: (count, locale) => `${files(count, locale)} como máximo`,
    inAll: (size) => `${size} en total`,
  }),
  kinds,
  list: "Archivos",
  total: "Todos los archivos",
  cancel: (name) => `Cancelar ${name}`,
  pause: (name) => `Pausar ${name}`,
  resumePaused: (name) => `Reanudar ${name}`,
  retry: (name) => `Reintentar ${name}`,
  remove: (name) => `Quitar ${name}`,
  discard: "Descartar las subidas sin terminar",
  discardWarning: "También podrían cancelarse las subidas en curso en otra ventana u otro dispositivo.",
  discardNow: "Descartar",
  discardNot: "Conservar",
  start: "Iniciar la subida",
  pauseAll: "Pausar todo",
  resumeAll: "Reanudar todo",
  cancelAll: "Cancelar todo",
  retryAll: "Reintentar los que fallaron",
  clear: "Quitar los terminados",
  summary: ({ files: count, active, done, failed: errors, percent }, locale) =>
    active > 0
      ? joinPresent(
          " · ",
          `Subiendo ${files(active, locale)}`,
          percent,
          errors && `con error: ${errors.toLocaleString(locale)}`,
        )
      : joinPresent(
          ", ",
          `Archivos subidos: ${done.toLocaleString(locale)} de ${count.toLocaleString(locale)}`,
          errors && `con error: ${errors.toLocaleString(locale)}`,
        ),
  uploading: (percent) => `Subiendo: ${percent}`,
  queued: "En espera",
  preparing: "Preparando",
  confirming: "Finalizando",
  paused: "En pausa",
  startsAgain: "Empieza otra vez desde el principio",
  receiving: "El almacenamiento aún está recibiendo este archivo",
  done: "Subido",
  checking: "Buscando virus",
  stopped: "Cancelado",
  deleting: "Eliminando",
  retrying: (attempt, maxAttempts, locale) =>
    `Interrumpido. Reintentando (${attempt.toLocaleString(locale)} de ${maxAttempts.toLocaleString(locale)})…`,
  sent: (sentSize, size) => `${sentSize} de ${size}`,
  timeLeft: (duration) => `faltan ${duration}`,
  offline: "No tienes conexión. La subida continuará cuando vuelva.",
  online: "Vuelves a tener conexión.",
  unreachable: "No se puede acceder al servidor. La subida continuará cuando responda.",
  reachable: "El servidor vuelve a responder.",
  emptyFolder: "Esta carpeta no contiene archivos.",
  dropMissed: "Suelta los archivos dentro de esta área.",
  packageFolders: (names) => `Comprime primero las carpetas de paquete: ${names}.`,
  saveFirst: SAVE_FIRST,
  leftOut: plural("es", {
    one: "Se omitió # archivo del sistema.",
    other: "Se omitieron # archivos del sistema.",
  }),
  required: "Elige primero un archivo.",
  held: "El formulario se enviará cuando se hayan subido todos los archivos.",
  heldFailed: "El formulario no se ha enviado porque ha fallado un archivo.",
  tray: "Subidas",
  closeTray: "Cerrar",
  resumable: "Subidas sin terminar",
  resume: "Continuar",
  resumeFile: (name) => `Continuar ${name}`,
  discardUpload: "Descartar",
  discardFile: (name) => `Descartar ${name}`,
  expires: (date) => `caduca el ${date}`,
  chooseAgain: "Vuelve a elegir el archivo para continuar.",
  checkingFile: "Comprobando el archivo",
  lost: (names) => `No se subieron porque se cerró la página: ${names}. Vuelve a elegir estos archivos.`,
  resumableFound: plural("es", {
    one: "Se puede continuar # subida sin terminar.",
    other: "Se pueden continuar # subidas sin terminar.",
  }),
  discarded: (name) => `${name}: descartado.`,
  added,
  failed: (name, message) => `Error al subir ${name}. ${message}`,
  cancelled: (name) => `Se ha cancelado ${name}.`,
  pausedFile: (name) => `Se ha pausado ${name}.`,
  resumedFile: (name) => `Se ha reanudado ${name}.`,
  pausedFiles: "Las subidas están en pausa.",
  resumedFiles: "Las subidas se han reanudado.",
  deleted: (name) => `Se ha eliminado ${name}.`,
  notDeleted: (name, message) => `No se ha eliminado ${name}. ${message}`,
  progress: (percent) => `${percent} subido.`,
  finished: (done, errors, locale) =>
    joinPresent(
      " ",
      done === 0 ? "No se ha subido ningún archivo." : uploaded(done, locale),
      errors && failed(errors, locale),
    ),
  changePicture: "Cambiar la imagen",
  grid,
  browser: {
    ...grid,
    empty: "Esta carpeta está vacía.",
    path: "Carpeta",
    root: "Todos los archivos",
    view: "Vista",
    asList: "Lista",
    asGrid: "Cuadrícula",
    rename: "Cambiar nombre",
    renameFile: (name) => `Cambiar nombre de ${name}`,
    move: "Mover",
    moveFile: (name) => `Mover ${name}`,
    delete: "Eliminar",
    deleteFile: (name) => `Eliminar ${name}`,
    newName: (name) => `Nuevo nombre de ${name}`,
    newFolder: (name) => `Carpeta de ${name}`,
    save: "Guardar",
    cancel: "Cancelar",
    fileCount: files,
    renamed: (name) => `Nuevo nombre: ${name}.`,
    moved: (name, folder) => `Se ha movido ${name} a ${folder}.`,
    deleted: (name) => `Se ha eliminado ${name}.`,
    restored: (name) => `Se ha restaurado ${name}.`,
    undo: "Deshacer",
  },
  errors: createErrors(kinds, {
    refused: "La subida se ha rechazado. Inténtalo de nuevo o elige otro archivo.",
    later: "El servicio no está disponible en este momento. Inténtalo de nuevo dentro de un rato.",
    lost: "El archivo no ha llegado al almacenamiento. Inténtalo de nuevo.",
    file_type_not_accepted: (kinds) =>
      joinPresent(" ", "Este tipo de archivo no se acepta.", kinds && `Elige ${kinds}.`),
    file_too_large: (size) =>
      size === undefined
        ? "Este archivo es demasiado grande. Elige uno más pequeño."
        : `Este archivo supera ${size}. Elige uno más pequeño.`,
    file_too_small: (size) => `Este archivo ocupa menos de ${size}. Elige uno más grande.`,
    too_many_files: (count, locale) =>
      count === 1
        ? "Solo se puede subir un archivo. Quita primero el otro."
        : `Solo se pueden subir ${files(count, locale)}. Quita primero otro.`,
    total_size_exceeded: (size) => `Todos los archivos juntos no pueden superar ${size}. Quita primero otro.`,
    duplicate_file: "Este archivo ya está en la lista.",
    file_not_saved: SAVE_FIRST,
    validation_failed: "No se ha podido comprobar este archivo. Inténtalo de nuevo.",
    transform_failed: "No se ha podido preparar este archivo. Inténtalo de nuevo o elige otro.",
    different_file: (name, size) => `Este es otro archivo. Elige ${name} (${size}).`,
    file_unreadable: "Este archivo se ha modificado, movido o eliminado. Vuelve a elegirlo.",
    image_unreadable: "Esta imagen no se puede abrir. Elige otra.",
    network_error: "Se ha perdido la conexión. Compruébala e inténtalo de nuevo.",
    server_unreachable: "No se puede acceder al servidor. Comprueba la conexión o inténtalo más tarde.",
    storage_unreachable:
      "No se puede acceder al almacenamiento. Comprueba la conexión o inténtalo más tarde.",
    local_network_denied:
      "Tu navegador no permite que esta página acceda a la red local. Permítelo en los ajustes de este sitio e inténtalo de nuevo.",
    timed_out: "La subida se ha detenido. Comprueba la conexión e inténtalo de nuevo.",
    storage_refused: "El almacenamiento ha rechazado la subida. Inténtalo de nuevo o avisa a su responsable.",
    internal_error: "Este sitio tiene un problema. Inténtalo más tarde o avisa a su responsable.",
    storage_unavailable:
      "El almacenamiento no está disponible en este momento. Inténtalo de nuevo dentro de un rato.",
    unexpected_answer:
      "El servidor ha dado una respuesta inesperada. Inténtalo de nuevo o avisa a su responsable.",
    unauthorized: "Se ha cerrado tu sesión. Iníciala e inténtalo de nuevo.",
    quota_exceeded: "No queda espacio suficiente. Libera espacio o avisa al responsable del sitio.",
    file_limit_exceeded: "No puedes guardar más archivos. Borra alguno o avisa al responsable del sitio.",
    unfinished_uploads: (size) => `Las subidas sin terminar ocupan ${size} de tu almacenamiento.`,
    too_many_requests: "Demasiadas subidas a la vez. Inténtalo de nuevo dentro de un rato.",
    filename_required: "Este archivo no tiene nombre. Ponle uno y vuelve a elegirlo.",
    delete_refused: "Este archivo no se puede eliminar aquí.",
    update_refused: "Este archivo no se puede cambiar aquí.",
    list_refused: "Tus archivos no se pueden mostrar aquí.",
    download_refused: "Este archivo no se puede descargar aquí.",
    share_refused: "Este archivo no se puede compartir aquí.",
    file_not_found: "No se encontró este archivo. Es posible que se haya eliminado.",
    file_not_scanned:
      "Este archivo todavía se está analizando en busca de virus. Inténtelo de nuevo en un momento.",
    file_quarantined: "Este archivo está bloqueado por el análisis antivirus.",
    callback_failed: "El archivo ha llegado, pero no se ha podido procesar. Inténtalo de nuevo.",
    cross_site: "No se permite subir archivos desde esta página.",
  }),
};
