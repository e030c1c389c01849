/**
 * Spans, metrics and logs to a collector of OpenTelemetry, where the usual environment variables name one:
 * OTEL_EXPORTER_OTLP_ENDPOINT and its kin, OTEL_SERVICE_NAME, OTEL_EXPORTER_OTLP_HEADERS, OTEL_RESOURCE_ATTRIBUTES.
 *
 * The law: where none is named, nothing of it is loaded.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const names = ["", "_TRACES", "_METRICS", "_LOGS"].map((of) => `OTEL_EXPORTER_OTLP${of}_ENDPOINT`)

const isAsked = (): boolean => names.some((name) => (process.env[name] ?? "") !== "")

export const telemetry: Layer.Layer<never> = Layer.unwrap(
  Effect.suspend(() => (isAsked() ? Effect.promise(load) : Effect.succeed(Layer.empty)))
)

const load = async (): Promise<Layer.Layer<never>> => {
  const [Otlp, OtlpSerialization, FetchHttpClient] = await Promise.all([
    import("effect/observability/Otlp"),
    import("effect/observability/OtlpSerialization"),
    import("effect/http/FetchHttpClient")
  ])
  const isNamed =
    (process.env["OTEL_SERVICE_NAME"] ?? "") !== "" ||
    /(^|,)\s*service\.name=/.test(process.env["OTEL_RESOURCE_ATTRIBUTES"] ?? "")
  const serialization =
    process.env["OTEL_EXPORTER_OTLP_PROTOCOL"] === "http/json"
      ? OtlpSerialization.layerJson
      : OtlpSerialization.layerProtobuf
  return Otlp.layerFromConfig(isNamed ? {} : { resource: { serviceName: "millrace" } }).pipe(
    Layer.provide([serialization, FetchHttpClient.layer]),
    (layer) => Layer.effectDiscard(Layer.build(layer))
  )
}
