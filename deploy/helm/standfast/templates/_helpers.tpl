{{- define "standfast.name" -}}
{{- if contains "standfast" .Release.Name }}{{ .Release.Name | trunc 50 | trimSuffix "-" }}{{ else }}{{ printf "%s-standfast" .Release.Name | trunc 50 | trimSuffix "-" }}{{ end }}
{{- end }}

{{- define "standfast.labels" -}}
app.kubernetes.io/name: standfast
app.kubernetes.io/instance: {{ .Release.Name }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end }}

{{- define "standfast.selector" -}}
app.kubernetes.io/name: standfast
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .role }}
{{- end }}

{{- define "standfast.image" -}}
{{- with .Values.image }}{{ .repository }}{{ if .digest }}@{{ .digest }}{{ else }}:{{ .tag | default $.Chart.AppVersion }}{{ end }}{{ end }}
{{- end }}

{{- define "standfast.serviceAccount" -}}
{{ .Values.serviceAccount.name | default (include "standfast.name" .) }}
{{- end }}

{{- /* The port of gRPC that the configuration itself names; empty where it names none. */}}
{{- define "standfast.grpcPort" -}}
{{- $grpc := dig "server" "grpc" dict (fromYaml .Values.config) }}
{{- with $grpc }}{{ .port | int }}{{ end }}
{{- end }}

{{- define "standfast.env" -}}
- { name: STANDFAST_CONFIG, value: /etc/standfast/standfast.yaml }
- { name: STANDFAST_LOG_LEVEL, value: {{ .Values.logLevel | quote }} }
- { name: STANDFAST_METRICS_PORT, value: {{ .Values.metrics.port | quote }} }
- { name: STANDFAST_METRICS_HOST, value: 0.0.0.0 }
- { name: TEMPORAL_ADDRESS, value: {{ .Values.temporal.address | quote }} }
- { name: TEMPORAL_NAMESPACE, value: {{ .Values.temporal.namespace | quote }} }
{{- with .Values.temporal.tls }}
- { name: TEMPORAL_TLS, value: {{ . | quote }} }
{{- end }}
{{- if .Values.temporal.clientCertSecret }}
- { name: TEMPORAL_TLS_CLIENT_CERT_PATH, value: /etc/temporal-tls/tls.crt }
- { name: TEMPORAL_TLS_CLIENT_KEY_PATH, value: /etc/temporal-tls/tls.key }
{{- end }}
{{- with .Values.env }}
{{ toYaml . }}
{{- end }}
{{- end }}

{{- define "standfast.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
seccompProfile: { type: RuntimeDefault }
{{- end }}

{{- define "standfast.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities: { drop: [ALL] }
{{- end }}

{{- define "standfast.deployment" -}}
{{- $root := .root }}
{{- $own := index $root.Values .role }}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "standfast.name" $root }}-{{ .role }}
  labels:
    {{- include "standfast.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .role }}
spec:
  {{- if not $own.autoscaling.enabled }}
  replicas: {{ $own.replicas }}
  {{- end }}
  selector:
    matchLabels:
      {{- include "standfast.selector" . | nindent 6 }}
  strategy:
    rollingUpdate: { maxUnavailable: 0, maxSurge: 1 }
  template:
    metadata:
      labels:
        {{- include "standfast.labels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ .role }}
      annotations:
        {{- if not $root.Values.metrics.podMonitor }}
        prometheus.io/scrape: 'true'
        prometheus.io/port: {{ $root.Values.metrics.port | quote }}
        {{- end }}
        {{- with $own.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ include "standfast.serviceAccount" $root }}
      automountServiceAccountToken: false
      # A role stops within 10 s by itself.
      terminationGracePeriodSeconds: 30
      securityContext:
        {{- include "standfast.podSecurity" $root | nindent 8 }}
      {{- with $root.Values.imagePullSecrets }}
      imagePullSecrets: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $own.nodeSelector }}
      nodeSelector: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $own.tolerations }}
      tolerations: {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with $own.affinity }}
      affinity: {{- toYaml . | nindent 8 }}
      {{- end }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "standfast.selector" . | nindent 14 }}
      containers:
        - name: {{ .role }}
          image: {{ include "standfast.image" $root }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          args: [{{ .role }}]
          env:
            {{- include "standfast.env" $root | nindent 12 }}
            {{- if eq .role "api" }}
            # Workers alone sign the evidence: who takes an api must not be able to sign another chain.
            - { name: STANDFAST_EVIDENCE_KEY, value: '' }
            {{- end }}
          envFrom:
            - secretRef: { name: {{ get $root.Values.secrets .role | default $root.Values.secrets.existing }} }
          ports:
            {{- if eq .role "api" }}
            - { name: http, containerPort: 8600 }
            {{- with include "standfast.grpcPort" $root }}
            - { name: grpc, containerPort: {{ . }} }
            {{- end }}
            {{- end }}
            - { name: metrics, containerPort: {{ $root.Values.metrics.port }} }
          # The metrics port, which no network policy opens to others: whether the process lives, and of a worker whether it polls.
          startupProbe:
            httpGet: { path: /healthz, port: metrics }
            periodSeconds: 2
            failureThreshold: 45
          livenessProbe:
            httpGet: { path: /healthz, port: metrics }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            {{- if eq .role "api" }}
            # Without Temporal or workers an api still shows everything, so it stays in the balancer.
            httpGet: { path: /readyz/reads, port: http }
            {{- else }}
            httpGet: { path: /healthz, port: metrics }
            {{- end }}
            periodSeconds: 5
            timeoutSeconds: 5
          resources:
            {{- toYaml $own.resources | nindent 12 }}
          securityContext:
            {{- include "standfast.containerSecurity" $root | nindent 12 }}
          volumeMounts:
            # The directory, not the file by subPath: a mounted file stays the old one when the ConfigMap changes.
            - { name: config, mountPath: /etc/standfast, readOnly: true }
            - { name: tmp, mountPath: /tmp }
            {{- if and (eq .role "api") $root.Values.grpcTlsSecret }}
            # The directory: a renewed certificate is read without a restart.
            - { name: grpc-tls, mountPath: /etc/standfast-grpc, readOnly: true }
            {{- end }}
            {{- if $root.Values.temporal.clientCertSecret }}
            - { name: temporal-tls, mountPath: /etc/temporal-tls, readOnly: true }
            {{- end }}
            {{- if and (eq .role "worker") $own.evidenceClaim }}
            - { name: evidence, mountPath: /data }
            {{- end }}
      volumes:
        - name: config
          configMap: { name: {{ include "standfast.name" $root }} }
        - name: tmp
          emptyDir: {}
        {{- if and (eq .role "api") $root.Values.grpcTlsSecret }}
        - name: grpc-tls
          secret: { secretName: {{ $root.Values.grpcTlsSecret }}, defaultMode: 0440 }
        {{- end }}
        {{- if $root.Values.temporal.clientCertSecret }}
        - name: temporal-tls
          secret: { secretName: {{ $root.Values.temporal.clientCertSecret }}, defaultMode: 0440 }
        {{- end }}
        {{- if and (eq .role "worker") $own.evidenceClaim }}
        - name: evidence
          persistentVolumeClaim: { claimName: {{ $own.evidenceClaim }} }
        {{- end }}
{{- end }}

{{- define "standfast.scaling" -}}
{{- $root := .root }}
{{- $own := index $root.Values .role }}
{{- $name := printf "%s-%s" (include "standfast.name" $root) .role }}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ $name }}
  labels: {{- include "standfast.labels" $root | nindent 4 }}
spec:
  minAvailable: {{ $own.minAvailable }}
  selector:
    matchLabels:
      {{- include "standfast.selector" . | nindent 6 }}
{{- with $own.autoscaling }}
{{- if .enabled }}
---
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: {{ $name }}
  labels: {{- include "standfast.labels" $root | nindent 4 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ $name }} }
  minReplicas: {{ .min }}
  maxReplicas: {{ .max }}
  metrics:
    - type: Resource
      resource: { name: cpu, target: { type: Utilization, averageUtilization: {{ .cpuPercent }} } }
    {{- if .backlogMetric }}
    - type: External
      external:
        metric: { name: {{ .backlogMetric }} }
        target: { type: AverageValue, averageValue: {{ .backlogPerWorker | quote }} }
    {{- end }}
{{- end }}
{{- end }}
{{- end }}
