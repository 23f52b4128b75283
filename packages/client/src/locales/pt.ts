import { plural, createErrors, createHint, joinPresent, type UploadLocale } from "../labels/upload-locale.js";

const files = plural("pt", { one: "# arquivo", other: "# arquivos" });
const added = plural("pt", { one: "# arquivo adicionado.", other: "# arquivos adicionados." });
const uploaded = plural("pt", { one: "# arquivo enviado.", other: "# arquivos enviados." });
const failed = plural("pt", { one: "# arquivo com falha.", other: "# arquivos com falha." });

const SAVE_FIRST = "Salve isto primeiro como arquivo e depois escolha o arquivo.";

const kinds = { "image/*": "imagens", "video/*": "vídeos", "audio/*": "arquivos de áudio" };

/** Brazilian Portuguese, in words that are understood in Portugal. */
export const pt: UploadLocale = {
  locale: "pt",
  label: "Enviar arquivos",
  title: "Arraste os arquivos para cá",
  dropNow: "Solte para enviar",
  dropRefused: "Estes arquivos não são aceitos",
  dropAnywhere: "Solte em qualquer lugar para enviar",
  choose: "Escolher arquivos",
  chooseFolder: "Escolher pasta",
  useCamera: "Usar a câmera",
  hint: createHint(", ", {
    from: (size) => `a partir de ${size}`,
    upTo: (size) => `até ${size}`,
    atMost: (count, locale) => `no máximo ${files(count, locale)}`,
    inAll: (size) => `${size} no total`,
  }),
  kinds,
  list: "Arquivos",
  total: "Todos os arquivos",
  cancel: (name) => `Cancelar ${name}`,
  pause: (name) => `Pausar ${name}`,
  resumePaused: (name) => `Retomar ${name}`,
  retry: (name) => `Tentar ${name} novamente`,
  remove: (name) => `Remover ${name}`,
  discard: "Descartar envios não concluídos",
  discardWarning: "Envios em andamento em outra janela ou em outro dispositivo também podem ser cancelados.",
  discardNow: "Descartar",
  discardNot: "Manter",
  start: "Iniciar o envio",
  pauseAll: "Pausar tudo",
  resumeAll: "Retomar tudo",
  cancelAll: "Cancelar tudo",
  retryAll: "Tentar novamente os que falharam",
  clear: "Remover os concluídos",
  summary: ({ files: count, active, done, failed: failures, percent }, locale) =>
    active > 0
      ? joinPresent(
          " · ",
          `Enviando ${files(active, locale)}`,
          percent,
          failures && `com falha: ${failures.toLocaleString(locale)}`,
        )
      : joinPresent(
          ", ",
          `Arquivos enviados: ${done.toLocaleString(locale)} de ${count.toLocaleString(locale)}`,
          failures && `com falha: ${failures.toLocaleString(locale)}`,
        ),
  uploading: (percent) => `Enviando: ${percent}`,
  queued: "Aguardando",
  preparing: "Preparando",
  confirming: "Finalizando",
  paused: "Em pausa",
  startsAgain: "Recomeça do início",
  receiving: "O armazenamento ainda está recebendo este arquivo",
  done: "Enviado",
  checking: "Verificando vírus",
  stopped: "Cancelado",
  deleting: "Excluindo",
  retrying: (attempt, maxAttempts, locale) =>
    `Interrompido. Nova tentativa (${attempt.toLocaleString(locale)} de ${maxAttempts.toLocaleString(locale)})…`,
  sent: (sentSize, size) => `${sentSize} de ${size}`,
  timeLeft: (duration) => `faltam ${duration}`,
  offline: "Você está sem conexão. O envio continua quando ela voltar.",
  online: "Você está conectado novamente.",
  unreachable: "Não é possível acessar o servidor. O envio continua quando ele responder.",
  reachable: "O servidor voltou a responder.",
  emptyFolder: "Esta pasta não contém arquivos.",
  dropMissed: "Solte os arquivos dentro desta área.",
  packageFolders: (names) => `Compacte primeiro as pastas de pacote: ${names}.`,
  saveFirst: SAVE_FIRST,
  leftOut: plural("pt", {
    one: "# arquivo do sistema foi ignorado.",
    other: "# arquivos do sistema foram ignorados.",
  }),
  required: "Escolha primeiro um arquivo.",
  held: "O formulário será enviado quando todos os arquivos tiverem sido enviados.",
  heldFailed: "O formulário não foi enviado porque um arquivo falhou.",
  tray: "Envios",
  closeTray: "Fechar",
  resumable: "Envios não concluídos",
  resume: "Continuar",
  resumeFile: (name) => `Continuar ${name}`,
  discardUpload: "Descartar",
  discardFile: (name) => `Descartar ${name}`,
  expires: (date) => `expira em ${date}`,
  chooseAgain: "Escolha o arquivo novamente para continuar.",
  checkingFile: "Verificando o arquivo",
  lost: (names) => `Não enviados porque a página foi fechada: ${names}. Escolha estes arquivos novamente.`,
  resumableFound: plural("pt", {
    one: "# envio não concluído pode ser continuado.",
    other: "# envios não concluídos podem ser continuados.",
  }),
  discarded: (name) => `${name} descartado.`,
  added,
  failed: (name, message) => `Falha ao enviar ${name}. ${message}`,
  cancelled: (name) => `O envio de ${name} foi cancelado.`,
  pausedFile: (name) => `O envio de ${name} foi pausado.`,
  resumedFile: (name) => `O envio de ${name} foi retomado.`,
  pausedFiles: "Os envios estão em pausa.",
  resumedFiles: "Os envios foram retomados.",
  deleted: (name) => `O arquivo ${name} foi excluído.`,
  notDeleted: (name, message) => `O arquivo ${name} não foi excluído. ${message}`,
  progress: (percent) => `${percent} enviado.`,
  finished: (done, failures, locale) =>
    joinPresent(
      " ",
      done === 0 ? "Nenhum arquivo enviado." : uploaded(done, locale),
      failures && failed(failures, locale),
    ),
  changePicture: "Alterar imagem",
  grid: {
    list: "Arquivos",
    empty: "Ainda não há arquivos.",
    loading: "Carregando arquivos…",
    more: "Mostrar mais",
    tryAgain: "Tentar novamente",
  },
  errors: createErrors(kinds, {
    refused: "O envio foi recusado. Tente novamente ou escolha outro arquivo.",
    later: "O serviço não está disponível no momento. Tente novamente daqui a pouco.",
    lost: "O arquivo não chegou ao armazenamento. Tente novamente.",
    file_type_not_accepted: (kinds) =>
      joinPresent(" ", "Este tipo de arquivo não é aceito.", kinds && `Escolha ${kinds}.`),
    file_too_large: (size) =>
      size === undefined
        ? "Este arquivo é grande demais. Escolha um menor."
        : `Este arquivo é maior que ${size}. Escolha um menor.`,
    file_too_small: (size) => `Este arquivo é menor que ${size}. Escolha um maior.`,
    too_many_files: (count, locale) =>
      count === 1
        ? "Só é possível enviar um arquivo. Remova primeiro o outro."
        : `Só é possível enviar ${files(count, locale)}. Remova primeiro outro.`,
    total_size_exceeded: (size) =>
      `Todos os arquivos juntos não podem passar de ${size}. Remova primeiro outro.`,
    duplicate_file: "Este arquivo já está na lista.",
    file_not_saved: SAVE_FIRST,
    validation_failed: "Não foi possível verificar este arquivo. Tente novamente.",
    transform_failed: "Não foi possível preparar este arquivo. Tente novamente ou escolha outro.",
    different_file: (name, size) => `Este é outro arquivo. Escolha ${name} (${size}).`,
    file_unreadable: "Este arquivo foi alterado, movido ou excluído. Escolha-o novamente.",
    image_unreadable: "Não é possível abrir esta imagem. Escolha outra.",
    network_error: "A conexão foi perdida. Verifique-a e tente novamente.",
    server_unreachable: "Não é possível acessar o servidor. Verifique a conexão ou tente mais tarde.",
    storage_unreachable: "Não é possível acessar o armazenamento. Verifique a conexão ou tente mais tarde.",
    local_network_denied:
      "Seu navegador não permite que esta página acesse a rede local. Permita o acesso nas configurações deste site e tente novamente.",
    timed_out: "O envio parou de avançar. Verifique a conexão e tente novamente.",
    storage_refused: "O armazenamento recusou o envio. Tente novamente ou avise o responsável.",
    internal_error: "Este site está com um problema. Tente mais tarde ou avise o responsável.",
    storage_unavailable: "O armazenamento não está disponível no momento. Tente novamente daqui a pouco.",
    unexpected_answer: "O servidor deu uma resposta inesperada. Tente novamente ou avise o responsável.",
    unauthorized: "Sua sessão foi encerrada. Entre e tente novamente.",
    quota_exceeded: "Não há espaço suficiente. Libere espaço ou avise o responsável.",
    file_limit_exceeded: "Não é possível guardar mais arquivos. Exclua alguns ou avise o responsável.",
    unfinished_uploads: (size) => `Envios não concluídos ocupam ${size} do seu armazenamento.`,
    too_many_requests: "Muitos envios ao mesmo tempo. Tente novamente daqui a pouco.",
    filename_required: "Este arquivo não tem nome. Dê um nome a ele e escolha-o novamente.",
    delete_refused: "Este arquivo não pode ser excluído aqui.",
    update_refused: "Este arquivo não pode ser alterado aqui.",
    list_refused: "Seus arquivos não podem ser mostrados aqui.",
    download_refused: "Este arquivo não pode ser baixado aqui.",
    share_refused: "Este arquivo não pode ser compartilhado aqui.",
    file_not_found: "Este arquivo não foi encontrado. Talvez tenha sido excluído.",
    file_not_scanned: "Este arquivo ainda está sendo verificado contra vírus. Tente novamente em instantes.",
    file_quarantined: "Este arquivo foi bloqueado pela verificação de vírus.",
    callback_failed: "O arquivo chegou, mas não pôde ser processado. Tente novamente.",
    cross_site: "Não é permitido enviar arquivos a partir desta página.",
  }),
};
