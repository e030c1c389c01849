/**
 * Whether the environment names a collector of OpenTelemetry.
 *
 * The law: where it names none, no span is made: of a crawl that loads thousands of pages, spans nobody reads are work.
 */
const names = ["", "_TRACES", "_METRICS", "_LOGS"].map((of) => `OTEL_EXPORTER_OTLP${of}_ENDPOINT`)

export const isCollectorNamed = (): boolean => names.some((name) => (process.env[name] ?? "") !== "")
