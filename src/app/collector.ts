/**
 * Whether the environment names an OpenTelemetry collector.
 *
 * Without one, no spans are made, because spans cost time in a crawl of thousands of pages.
 */
const names = ["", "_TRACES", "_METRICS", "_LOGS"].map((of) => `OTEL_EXPORTER_OTLP${of}_ENDPOINT`)

export const isCollectorNamed = (): boolean => names.some((name) => (process.env[name] ?? "") !== "")
