/** Headers that a caller sets for a page or a webhook. Names and values that HTTP does not allow are refused with 400. */
import * as Schema from "effect/Schema"
import * as Bounds from "./Bounds.ts"
import * as JsonRules from "./JsonRules.ts"

const maxHeaders = 100
const maxValue = 8192

export const Headers = Schema.Record(Schema.String, Bounds.text(maxValue).annotate({ mayBeSecret: true })).check(
  Schema.isMaxProperties(maxHeaders),
  Schema.makeFilter(
    (headers: Readonly<Record<string, string>>) =>
      Object.entries(headers).flatMap(([name, value]) =>
        !/^[\w!#$%&'*+.^`|~-]{1,200}$/.test(name)
          ? [{ path: [name.slice(0, 200)], issue: "is not a header name" }]
          : !/^[\t\u0020-\u007e\u0080-\u00ff]*$/.test(value)
            ? [{ path: [name], issue: "is not a header value" }]
            : []
      ),
    JsonRules.as({
      propertyNames: { pattern: "^[\\w!#$%&'*+.^`|~-]{1,200}$" },
      additionalProperties: { type: "string", pattern: "^[\\t\\u0020-\\u007e\\u0080-\\u00ff]*$" }
    })
  )
)
