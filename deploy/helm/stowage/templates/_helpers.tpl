{{/* The name of the objects. 55 characters, so that "-migrate" fits into the 63 of a label. */}}
{{- define "stowage.fullname" -}}
{{- $default := ternary .Release.Name (printf "%s-stowage" .Release.Name) (contains "stowage" .Release.Name) -}}
{{- $name := .Values.fullnameOverride | default $default | trunc 55 | trimAll "-" -}}
{{- if not (regexMatch "^[a-z]([-a-z0-9]*[a-z0-9])?$" $name) }}
{{- fail (printf "%s cannot be the name of a Service: it begins with a-z and has only a-z, 0-9 and -. Set fullnameOverride." $name) }}
{{- end -}}
{{- $name -}}
{{- end }}

{{/* The labels that select pods. Input: dict "root" $ "component" NAME */}}
{{- define "stowage.selector" -}}
app.kubernetes.io/name: stowage
app.kubernetes.io/instance: {{ .root.Release.Name | quote }}
app.kubernetes.io/component: {{ .component }}
{{- end }}

{{- define "stowage.labels" -}}
{{ include "stowage.selector" . }}
app.kubernetes.io/version: {{ .root.Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" | quote }}
{{- end }}

{{- define "stowage.image" -}}
{{- $image := .Values.image -}}
{{- $repository := required "Set image.repository to the image that you built, such as registry.example.com/stowage." $image.repository -}}
{{- if $image.digest -}}
{{- printf "%s@%s" $repository $image.digest | quote -}}
{{- else -}}
{{- printf "%s:%s" $repository ($image.tag | default .Chart.AppVersion) | quote -}}
{{- end -}}
{{- end }}

{{- define "stowage.serviceAccountName" -}}
{{- $default := ternary (include "stowage.fullname" .) "default" .Values.serviceAccount.create -}}
{{- .Values.serviceAccount.name | default $default | quote -}}
{{- end }}

{{/* What all pods have. */}}
{{- define "stowage.pod" -}}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  seccompProfile: { type: RuntimeDefault }
{{- with .Values.imagePullSecrets }}
imagePullSecrets: {{ toYaml . | nindent 2 }}
{{- end }}
{{- with .Values.volumes }}
volumes: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/* What all containers have. */}}
{{- define "stowage.container" -}}
image: {{ include "stowage.image" . }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- with .Values.volumeMounts }}
volumeMounts: {{ toYaml . | nindent 2 }}
{{- end }}
{{- end }}

{{/*
Environment variables. Kubernetes expands $(NAME) in a value, so each $ is doubled.
Input: dict "root" $ "path" "VALUE.secretEnv" "env" MAP "secretEnv" MAP "external" NAME of the Secret that an ExternalSecret creates
*/}}
{{- define "stowage.env" -}}
{{- range $name, $value := .env }}
{{- if or (regexMatch "(^|_)(SECRET|KEY|PASSWORD|TOKEN|DATABASE_URL)$" $name) (regexMatch "://[^/@]*:[^/@]*@" $value) }}
{{- fail (printf "%s contains a secret. Name its Secret in %s.%s instead." $name $.path $name) }}
{{- end }}
{{- if hasKey $.secretEnv $name }}
{{- fail (printf "%s has a value in env and in %s. Remove one of them." $name $.path) }}
{{- end }}
- name: {{ $name }}
  value: {{ $value | replace "$" "$$" | quote }}
{{- end }}
{{- range $name, $source := .secretEnv }}
- name: {{ $name }}
  valueFrom:
    secretKeyRef:
      name: {{ $source.secret | default $.external | quote }}
      key: {{ $source.key | default $name | quote }}
{{- end }}
{{- end }}

{{/* The settings of service and worker. Input: dict "root" $ "env" MAP of this component, which goes before the common one. */}}
{{- define "stowage.serviceEnv" -}}
{{- $secretEnv := .root.Values.secretEnv -}}
{{- $env := dict -}}
{{- range $name, $value := .root.Values.env }}{{ $_ := set $env $name $value }}{{ end -}}
{{- range $name, $value := .env }}{{ $_ := set $env $name $value }}{{ end -}}
{{- if not (get $env "STORAGES_FILE") -}}
{{- range $name := list "S3_ENDPOINT" "S3_BUCKET" -}}
{{- if not (get $env $name) }}{{ fail (printf "Set env.%s, or env.STORAGES_FILE for several storages." $name) }}{{ end -}}
{{- end -}}
{{- end -}}
{{- if not $env.DASHBOARD_URL }}{{ fail "Set env.DASHBOARD_URL." }}{{ end -}}
{{- if not $secretEnv.DATABASE_URL }}{{ fail "Name the Secret of DATABASE_URL in secretEnv.DATABASE_URL." }}{{ end -}}
{{- if ne (or (hasKey $env "S3_ACCESS_KEY_ID") (hasKey $secretEnv "S3_ACCESS_KEY_ID")) (hasKey $secretEnv "S3_SECRET_ACCESS_KEY") -}}
{{- fail "Set both of secretEnv.S3_ACCESS_KEY_ID and secretEnv.S3_SECRET_ACCESS_KEY, or none to use the role of the service account." -}}
{{- end -}}
{{- include "stowage.env" (dict "root" .root "path" "secretEnv" "env" $env "secretEnv" $secretEnv "external" (include "stowage.fullname" .root)) -}}
{{- end }}

{{/*
The ExternalSecret of each `remoteRef`, if there is one.
Input: dict "root" $ "name" NAME "component" NAME "secretEnv" MAP, and "hooks" NAMES if it serves a hook
*/}}
{{- define "stowage.externalSecret" -}}
{{- $store := .root.Values.externalSecrets.store -}}
{{- $remote := dict -}}
{{- range $name, $source := .secretEnv }}{{ if $source.remoteRef }}{{ $_ := set $remote $name $source.remoteRef }}{{ end }}{{ end -}}
{{- if $remote -}}
{{- if not .root.Values.externalSecrets.enabled }}
{{- fail (printf "%s has a remoteRef. Set externalSecrets.enabled, or name a Secret." (keys $remote | sortAlpha | join ", ")) }}
{{- end -}}
apiVersion: external-secrets.io/v1
kind: ExternalSecret
metadata:
  name: {{ .name | quote }}
  labels: {{ include "stowage.labels" . | nindent 4 }}
  {{- with .hooks }}
  annotations:
    helm.sh/hook: {{ . }}
    helm.sh/hook-weight: "-5"
    helm.sh/hook-delete-policy: before-hook-creation,hook-succeeded
  {{- end }}
spec:
  refreshInterval: {{ .root.Values.externalSecrets.refreshInterval | quote }}
  secretStoreRef:
    kind: {{ $store.kind }}
    name: {{ required "Set externalSecrets.store.name." $store.name | quote }}
  target: { name: {{ .name | quote }}, creationPolicy: Owner }
  data:
    {{- range $name, $remoteRef := $remote }}
    - secretKey: {{ $name }}
      remoteRef: {{ toYaml $remoteRef | nindent 8 }}
    {{- end }}
{{- end }}
{{- end }}

{{/* Input: the port of the metrics, or nothing */}}
{{- define "stowage.scrape" -}}
{{- with . -}}
annotations:
  prometheus.io/scrape: "true"
  prometheus.io/port: {{ . | quote }}
  prometheus.io/path: /metrics
{{- end }}
{{- end }}
