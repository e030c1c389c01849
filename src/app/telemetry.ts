/**
 * Sends spans, metrics and logs to an OpenTelemetry collector, if the usual environment variables name one:
 * OTEL_EXPORTER_OTLP_ENDPOINT, also per signal, OTEL_SERVICE_NAME, OTEL_EXPORTER_OTLP_HEADERS, OTEL_RESOURCE_ATTRIBUTES.
 *
 * Every command has it (`commandLine.ts`). Without a collector, its modules are not loaded.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as KnownSecrets from "#base/KnownSecrets"
import { isCollectorNamed } from "./collector.ts"

const environment = (): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  )

export const telemetry: Layer.Layer<never> = Layer.unwrap(
  Effect.suspend(() => (isCollectorNamed() ? Effect.promise(load) : Effect.succeed(Layer.empty)))
)

const load = async (): Promise<Layer.Layer<never>> => {
  const [Otlp, OtlpSerialization, FetchHttpClient, ConfigProvider] = await Promise.all([
    import("effect/observability/Otlp"),
    import("effect/observability/OtlpSerialization"),
    import("effect/http/FetchHttpClient"),
    import("effect/ConfigProvider")
  ])
  const isNamed =
    (process.env["OTEL_SERVICE_NAME"] ?? "") !== "" ||
    /(^|,)\s*service\.name=/.test(process.env["OTEL_RESOURCE_ATTRIBUTES"] ?? "")
  const { OtlpSerialization: Serialization, layerJson, layerProtobuf } = OtlpSerialization
  const masking = Effect.map(Serialization, ({ logs, metrics, traces }) =>
    Serialization.of({
      metrics,
      traces: (data) => traces(KnownSecrets.maskedTexts(data)),
      logs: (data) => logs(KnownSecrets.maskedTexts(data))
    })
  )
  const serialization = Layer.provide(
    Layer.effect(Serialization, masking),
    process.env["OTEL_EXPORTER_OTLP_PROTOCOL"] === "http/json" ? layerJson : layerProtobuf
  )
  return Otlp.layerFromConfig(isNamed ? {} : { resource: { serviceName: "millrace" } }).pipe(
    Layer.provide([serialization, FetchHttpClient.layer]),
    // The default of OpenTelemetry is the exporter otlp.
    Layer.provide(
      ConfigProvider.layer(
        ConfigProvider.fromEnv({
          env: { OTEL_TRACES_EXPORTER: "otlp", OTEL_METRICS_EXPORTER: "otlp", ...environment() }
        })
      )
    )
  )
}
