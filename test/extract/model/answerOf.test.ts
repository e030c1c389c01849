import { describe, expect, it } from "@effect/vitest"
import * as AiError from "effect/ai/AiError"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import type { JsonSchema } from "#contract/JsonSchema"
import { answerOf, checkable, isWorthwhile, orNull, patience } from "#extract/modelAnswerOf"

const lamp: JsonSchema = {
  type: "object",
  required: ["name"],
  properties: { name: { type: "string" }, price: { type: "number", minimum: 0 } },
  additionalProperties: false
}

/** The data of an answer, or what is wrong with it. */
const answered = (text: string, schema: JsonSchema = lamp) =>
  Effect.map(answerOf(text, orNull(schema)), (answer) => (answer._tag === "Fits" ? answer.data : answer.problem))

describe("the answer of a model", () => {
  it.effect("is its JSON value, bare or in a fence, with blanks around it", () =>
    Effect.gen(function* () {
      const value = { name: "Ash", price: 140 }
      const text = JSON.stringify(value)
      const shapes = [
        text,
        ` \n${text}\n `,
        `\`\`\`json\n${text}\n\`\`\``,
        `\`\`\`\n${text}\`\`\``,
        `\`\`\`JSON ${text}\`\`\``
      ]

      expect(yield* Effect.forEach(shapes, (shape) => answered(shape))).toEqual(shapes.map(() => value))
    })
  )

  it.effect("is a problem where it is no JSON, more than one value, or words around one", () =>
    Effect.gen(function* () {
      const problems = yield* Effect.forEach(
        ["", "```", "``````", "{", "{}{}", 'Here: {"name":"Ash"}', "NaN"],
        (text) => answered(text)
      )

      expect(new Set(problems)).toEqual(new Set(["the answer is not one JSON value"]))
    })
  )

  it.effect("may leave out and say null for every value, whatever the schema wants", () =>
    Effect.gen(function* () {
      const schema: JsonSchema = {
        type: "object",
        required: ["kind", "size", "tags", "maker", "either", "fixed"],
        properties: {
          kind: { type: "string", enum: ["desk", "floor"] },
          fixed: { const: 7 },
          size: { type: ["integer", "string"] },
          tags: { type: "array", items: { type: "string" } },
          either: {
            anyOf: [{ type: "number" }, { type: "object", required: ["a"], properties: { a: { type: "string" } } }]
          },
          one: { oneOf: [{ type: "number" }, { type: "integer" }] },
          maker: { $ref: "#/$defs/maker" }
        },
        $defs: { maker: { type: "object", required: ["name"], properties: { name: { type: "string" } } } }
      }
      const fits = [
        {},
        null,
        { kind: null, size: null, tags: null, either: null, one: null, maker: null, fixed: null },
        { tags: [null, "a"], either: { a: null }, maker: { name: null }, one: 3, fixed: 7 }
      ]

      expect(yield* Effect.forEach(fits, (value) => answered(JSON.stringify(value), schema))).toEqual(fits)
      for (const wrong of [
        { kind: "wall" },
        { fixed: 8 },
        { size: 1.5 },
        { tags: [1] },
        { either: "x" },
        { maker: "Pike" }
      ]) {
        expect(yield* answered(JSON.stringify(wrong), schema)).toContain("does not fit the schema: answer/")
      }
    })
  )

  it.effect("is told where it does not fit, in words that have a length", () =>
    Effect.gen(function* () {
      expect(yield* answered('{"name":7}')).toBe("the answer does not fit the schema: answer/name must be string,null")
      expect(yield* answered('{"price":-1}')).toContain("answer/price must be >= 0")
      expect(yield* answered('{"colour":"red"}')).toContain("must NOT have additional properties")
      const choices = Array.from({ length: 5000 }, (_, index) => `choice ${index}`)
      expect((yield* answered('"x"', { enum: choices }))?.toString().length).toBeLessThan(2100)
    })
  )

  it.effect("fits schemas of older drafts, with their words for the same", () =>
    Effect.gen(function* () {
      const schema: JsonSchema = {
        $schema: "http://json-schema.org/draft-07/schema#",
        $id: "#lamp",
        type: "object",
        properties: {
          pair: { type: "array", items: [{ type: "string" }, { type: "number" }] },
          open: { type: "number", minimum: 1, exclusiveMinimum: true },
          loose: { nullable: true, required: true }
        },
        definitions: { unused: { type: "string" } }
      }

      expect(yield* answered('{"pair":["a",1],"open":3,"loose":{}}', schema)).toEqual({
        pair: ["a", 1],
        open: 3,
        loose: {}
      })
      expect(yield* answered('{"pair":[1]}', schema)).toContain("answer/pair/0 must be string,null")
    })
  )

  it.effect("of a schema that would have its validator answer later is held against it at once", () =>
    Effect.gen(function* () {
      const schema: JsonSchema = { $async: true, type: "object", properties: { a: { type: "string" } } }

      expect(yield* answered('{"a":"x"}', schema)).toEqual({ a: "x" })
      expect(yield* answered('{"a":1}', schema)).toContain("answer/a must be string,null")
    })
  )

  it.effect("is a problem where the schema means itself without end", () =>
    Effect.gen(function* () {
      expect(yield* answered("{}", { $ref: "#" })).toContain("cannot be held against the schema")
    })
  )

  it.effect("is matched with patterns in linear time, and not with those that are none", () =>
    Effect.gen(function* () {
      const slow = { type: "string", pattern: "^(a+)+$" }

      expect(yield* answered(JSON.stringify("a".repeat(50_000)), slow)).toBe("a".repeat(50_000))
      expect(yield* answered(JSON.stringify(`${"a".repeat(50_000)}b`), slow)).toContain("must match pattern")
      expect(yield* answered('"a"', { type: "string", pattern: "(" })).toBe("a")
      expect(yield* answered('"a-b.c"', { type: "string", pattern: "^[\\w-.]+$" })).toBe("a-b.c")
    })
  )

  it.effect("that is endlessly long, deep or blank is a problem, and no long work", () =>
    Effect.gen(function* () {
      const long = JSON.stringify({ name: "x".repeat(600_000) })
      const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`
      const blank = `\`\`\`json\n${"\n ".repeat(200_000)}`

      expect(yield* answered(long)).toBe("the answer is longer than 500000 characters")
      expect(yield* answered(deep)).toBe("the answer is nested deeper than 100")
      expect(yield* answered(blank)).toBe("the answer is not one JSON value")
    })
  )

  it.effect("is held against a schema of a thousand properties", () =>
    Effect.gen(function* () {
      const names = Array.from({ length: 1000 }, (_, index) => `p${index}`)
      const schema = { type: "object", properties: Object.fromEntries(names.map((name) => [name, { type: "string" }])) }

      expect(yield* answered('{"p999":"x"}', schema)).toEqual({ p999: "x" })
      expect(yield* answered('{"p999":1}', schema)).toContain("answer/p999")
    })
  )
})

describe("a schema with null", () => {
  it("is the same one each time, and allows null once", () => {
    const schema: JsonSchema = { type: "string", enum: ["a"] }

    expect(orNull(schema)).toBe(orNull(schema))
    expect(orNull(orNull(schema))).toEqual({ type: ["string", "null"], enum: ["a", null] })
  })
})

describe("what a validator is given of a schema", () => {
  it("has the keywords that mean something for an answer, in the words of today", () => {
    expect(
      checkable({
        type: "object",
        properties: { a: { type: "array", items: [{ type: "string" }] } },
        additionalProperties: { $schema: "x", type: "number", minimum: 1 },
        definitions: { b: { anyOf: [{ const: 1 }] } }
      })
    ).toEqual({
      type: "object",
      properties: { a: { type: "array", prefixItems: [{ type: "string" }] } },
      additionalProperties: { type: "number", minimum: 1 },
      definitions: { b: { anyOf: [{ const: 1 }] } }
    })
  })

  it("has nothing that names other schemas, switches it over, or is not what the keyword takes", () => {
    expect(
      checkable({
        $schema: "http://json-schema.org/draft-04/schema#",
        $id: "https://site.test/schema",
        $async: true,
        nullable: true,
        required: true,
        minimum: "5",
        exclusiveMinimum: true,
        multipleOf: 0,
        maxLength: -1,
        enum: [],
        anyOf: [],
        items: "none",
        properties: [],
        uniqueItems: true,
        pattern: "(?=x)"
      })
    ).toEqual({})
  })

  it.effect("matches patterns unanchored, and none that needs more than RE2 or is too long", () =>
    Effect.gen(function* () {
      const unanchored: JsonSchema = { type: "string", pattern: "b+" }

      expect(yield* answered('"abc"', unanchored)).toBe("abc")
      expect(yield* answered('"ac"', unanchored)).toContain("must match pattern")
      expect(checkable({ pattern: "b+" })).toEqual({ pattern: "b+" })
      for (const pattern of ["(?<=a)b", "(a)\\1", "a".repeat(2001)]) expect(checkable({ pattern })).toEqual({})
    })
  )
})

const failure = (reason: AiError.AiErrorReason) => AiError.make({ module: "test", method: "chat", reason })
const busy = (retryAfter?: Duration.Duration) => failure(new AiError.RateLimitError({ retryAfter }))
const broken = failure(AiError.reasonFromHttpStatus({ status: 500 }))

/** When a model that always fails is asked, in milliseconds. */
const timesOf = (error: AiError.AiError) =>
  Effect.gen(function* () {
    const times: Array<number> = []
    const began = yield* Clock.currentTimeMillis
    const asking = Effect.gen(function* () {
      times.push((yield* Clock.currentTimeMillis) - began)
      return yield* Effect.fail(error)
    }).pipe(Effect.retry({ while: isWorthwhile, schedule: patience, times: 3 }), Effect.exit)
    const fiber = yield* Effect.forkChild(asking)
    yield* TestClock.adjust("5 minutes")
    yield* Fiber.join(fiber)
    return times
  })

describe("the patience with a model", () => {
  it.effect("waits as long as the endpoint says, and no shorter", () =>
    Effect.gen(function* () {
      expect(yield* timesOf(busy(Duration.seconds(7)))).toEqual([0, 7000, 14_000, 21_000])
    })
  )

  it.effect("waits about twice as long each time where the endpoint says nothing", () =>
    Effect.gen(function* () {
      const [, ...times] = yield* timesOf(broken)
      const waits = times.map((at, index) => at - (times[index - 1] ?? 0))

      expect(waits).toHaveLength(3)
      for (const [index, wait] of waits.entries()) {
        expect(wait).toBeGreaterThanOrEqual(500 * 2 ** index * 0.8 - 1)
        expect(wait).toBeLessThanOrEqual(500 * 2 ** index * 1.2 + 1)
      }
    })
  )

  it.effect("asks once where asking again does not help, or not soon enough", () =>
    Effect.gen(function* () {
      const unreadable = failure(new AiError.InvalidOutputError({ description: "no JSON" }))
      const hopeless = [
        busy(Duration.seconds(31)),
        unreadable,
        ...[400, 401, 403, 404].map((status) => failure(AiError.reasonFromHttpStatus({ status })))
      ]

      expect(yield* Effect.forEach(hopeless, timesOf)).toEqual(hopeless.map(() => [0]))
    })
  )
})
