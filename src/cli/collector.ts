/**
 * Whether the environment names a collector of OpenTelemetry.
 *
 * If it names none, no spans are made: in a crawl of thousands of pages, spans that nobody reads cost time.
 */
const names = ["", "_TRACES", "_METRICS", "_LOGS"].map((of) => `OTEL_EXPORTER_OTLP${of}_ENDPOINT`)

export const isCollectorNamed = (): boolean => names.some((name) => (process.env[name] ?? "") !== "")
