/** The keys `service:` and `network:` of a pipeline file, which say how the web is reached. */
import * as Schema from "effect/Schema"

const HttpUrl = Schema.String.check(
  Schema.makeFilter((text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? ""), {
    expected: "an address that begins with http:// or https://",
    toJsonSchema: () => ({ format: "uri" })
  })
)

const ProxyAddress = Schema.String.check(
  Schema.makeFilter((text: string) => text === "none" || /^https?:$/.test(URL.parse(text)?.protocol ?? ""), {
    expected: "http://HOST:PORT, https://HOST:PORT or none"
  })
)

export const Service = Schema.Union([
  Schema.Literal("embedded"),
  Schema.Struct({
    url: HttpUrl.annotate({ description: "the base address of the service" }),
    key: Schema.optionalKey(Schema.RedactedFromValue(Schema.String).annotate({ description: "the API key" }))
  })
]).annotate({
  description: "the service that reads the web: the one inside Millrace (embedded), or one at an address",
  default: "embedded"
})

export const Network = Schema.Struct({
  allow_private: Schema.optionalKey(
    Schema.Boolean.annotate({ description: "allow loopback and private addresses as targets", default: false })
  ),
  resolve: Schema.optionalKey(
    Schema.Array(
      Schema.String.check(
        Schema.isPattern(/^[^\s=:/]+=(\d{1,3}(\.\d{1,3}){3}|\[[0-9A-Fa-f:.]+\]):\d{1,5}$/, {
          expected: "HOST=ADDR:PORT, such as shop.example=127.0.0.1:8080"
        })
      )
    ).annotate({ description: "addresses to use for host names instead of DNS: HOST=ADDR:PORT" })
  ),
  proxy: Schema.optionalKey(
    Schema.RedactedFromValue(ProxyAddress).annotate({
      description:
        "the HTTP proxy for web requests; it overrides HTTPS_PROXY and HTTP_PROXY of the environment; none: use no " +
        "proxy. NO_PROXY applies to both"
    })
  ),
  per_host: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 1000 })).annotate({
      description:
        "the maximum number of requests at a time with one host, over all crawls; a crawl delay of robots.txt has priority",
      default: 8
    })
  ),
  in_flight: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 100_000 })).annotate({
      description: "the maximum number of requests at a time in this process, over all hosts; default: no limit"
    })
  ),
  accept_wrong_length: Schema.optionalKey(
    Schema.Boolean.annotate({
      description:
        "read a page that is shorter than its Content-Length, with a warning; otherwise it fails, as it always does behind a proxy",
      default: false
    })
  ),
  tries: Schema.optionalKey(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 20 })).annotate({
      description:
        "how many times a page is requested in total when its site fails (5xx, 408, 429, broken connections, timeouts); 1: once, " +
        "and without waiting for a site that is down",
      default: 3
    })
  )
}).annotate({ description: "how the embedded service reaches the web" })
