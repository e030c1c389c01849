import { describe, expect, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Predicate from "effect/Predicate"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import * as AST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"
import { Api } from "#contract/Api"
import * as Bounds from "#contract/api/Bounds"
import { ScrapeOptions } from "#contract/ScrapeOptions"
import { gazetteer } from "../../service/agent/gazetteer.ts"
import { served } from "../../service/served.ts"

const show = { provider: "firecrawl", capability: "terms/show", options: { provider: "sample-gazetteer" } }
const url = "http://127.0.0.1:9/"

describe("a scrape request", () => {
  it.live("is a page or calls of the catalog, one of them and not several", () =>
    Effect.gen(function* () {
      const service = yield* served({ providers: [gazetteer] })
      const ask = (body: object) => service.ask("POST", "/v2/scrape", { body })
      const one = yield* ask({ catalog: show })
      const several = yield* ask({ alexandria: [show, { ...show, capability: "terms/burn" }], origin: "js-sdk" })
      const refused = yield* Effect.forEach(
        [
          {},
          { url, catalog: show },
          { catalog: show, alexandria: [show] },
          { alexandria: [] },
          { alexandria: Array.from({ length: 11 }, () => show) },
          { catalog: { ...show, provider: "" } },
          { catalog: { ...show, lamps: 1 } }
        ],
        ask
      )

      expect(one.body).toMatchObject({
        success: true,
        data: { catalog: { data: { accepted: false } }, creditsCost: 0 }
      })
      expect(several.body.data.alexandria).toMatchObject([{ creditsCost: 0 }, { data: null, error: { status: 404 } }])
      expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 400))
    })
  )
})

const urls = ["http://127.0.0.1:9/"]
const schema = { type: "object", properties: { name: { type: "string" } } }

/** What the service answers to an extract that is told this. */
const answers = (...bodies: ReadonlyArray<object>) =>
  Effect.gen(function* () {
    const service = yield* served()
    return yield* Effect.forEach(bodies, (body) => service.ask("POST", "/v2/extract", { body }))
  })

describe("the request of an extract", () => {
  it.live("needs a prompt, a schema or both, and takes no URLs, null and what clients send beside", () =>
    Effect.gen(function* () {
      const taken = yield* answers(
        { urls, prompt: "x" },
        { urls, schema },
        { urls, schema, prompt: null, origin: "js-sdk", integration: null },
        { urls: [], prompt: "x" },
        { urls: null, prompt: "x", enableWebSearch: true, showSources: true, agent: { model: "any" } },
        { urls, prompt: "x", scrapeOptions: { formats: [{ type: "json", prompt: "y", schema }] } }
      )
      const refused = yield* answers({ urls }, { urls, prompt: "" }, { urls, prompt: null, schema: null })

      expect(taken.map(({ status }) => status)).toEqual(taken.map(() => 200))
      expect(taken[0]?.body).toMatchObject({
        success: true,
        id: expect.stringMatching(/^[0-9a-f-]{36}$/),
        warnings: [expect.stringContaining("superseded")],
        replacement: "/v2/agent"
      })
      expect(refused.map(({ body, status }) => [status, body.details[0].path])).toEqual(
        refused.map(() => [400, ["prompt"]])
      )
    })
  )

  it.live("is 400 where it is malformed, and 422 where its schema is none", () =>
    Effect.gen(function* () {
      const refused = yield* answers(
        { urls: "http://a.test/", prompt: "x" },
        { urls: Array(1001).fill(urls[0]), prompt: "x" },
        { urls, prompt: "x", lamps: 1 },
        { urls: ["lamp"], prompt: "x" },
        { urls: ["lamp", ...urls], prompt: "x", ignoreInvalidURLs: false },
        { urls, prompt: "x", webhook: { url: "http://a.test/", events: ["action"] } },
        { urls, schema: { type: "lamp" } },
        { urls, schema: { type: "object", properties: { a: { $ref: "#/nowhere" } } } },
        { urls, schema: { type: "object", title: "x".repeat(200_000) } }
      )

      expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400, 400, 422, 422, 422])
    })
  )
})

const decode = Schema.decodeUnknownResult(ScrapeOptions, { onExcessProperty: "error", errors: "all" })

/** What is wrong with options, one line a problem. */
const problems = (options: object): string => {
  const result = decode(options)
  if (Result.isSuccess(result)) return ""
  return SchemaIssue.makeFormatterStandardSchemaV1()(result.failure.issue)
    .issues.map(({ path, message }) => `${(path ?? []).join(".")}: ${message}`)
    .join("\n")
}

describe("formats", () => {
  it.each([
    ["markdown"],
    ["screenshot@fullPage"],
    ["changeTracking"],
    [{ type: "links" }],
    [{ type: "json", schema: { type: "object" } }],
    [{ type: "json", prompt: "the price" }],
    [{ type: "changeTracking", modes: ["git-diff", "json"], tag: null }],
    [{ type: "screenshot", fullPage: true, quality: 80, viewport: { width: 800, height: 600 } }],
    [{ type: "attributes", selectors: [{ selector: "a", attribute: "href" }] }],
    ["branding"],
    [{ type: "question", question: "who opens it" }],
    [{ type: "highlights", query: "opening hours" }],
    [{ type: "query", prompt: "who opens it", mode: "directQuote" }]
  ])("%j is one", (format) => {
    expect(problems({ formats: [format] })).toBe("")
  })

  it.each([
    ["markdwn", "Expected one of the formats markdown, html, rawHtml"],
    [{ type: "markdwn" }, "Expected one of the formats markdown, html, rawHtml"],
    [7, "Expected one of the formats markdown, html, rawHtml"],
    ["product", "this service does not have the formats product, menu, audio, video"],
    [{ type: "menu" }, "this service does not have the formats product, menu, audio, video"],
    ["question", "the format question needs a question"],
    [{ type: "question" }, "formats.0.question"],
    [{ type: "question", question: "" }, "formats.0.question"],
    ["highlights", "the format highlights needs a query"],
    ["query", "the format query needs a prompt"],
    ["json", "the format json needs a schema, a prompt or both"],
    [{ type: "json" }, "the format json needs a schema, a prompt or both"],
    ["attributes", "the format attributes needs selectors"],
    [{ type: "markdown", deep: true }, "formats.0.deep: Expected no excess property"],
    [{ type: "screenshot", quality: 101 }, "formats.0.quality"],
    [{ type: "changeTracking", modes: ["svn-diff"] }, '"git-diff" | "json"']
  ])("%j is refused with the reason", (format, why) => {
    expect(problems({ formats: [format] })).toContain(why)
  })
})

describe("actions", () => {
  it.each([
    [{ type: "wait", milliseconds: 10 }],
    [{ type: "wait", selector: "#x" }],
    [{ type: "click", selector: "#x", all: true }],
    [{ type: "scroll" }],
    [{ type: "pdf", format: "A4", landscape: true, scale: 0.5 }]
  ])("%j is one", (action) => {
    expect(problems({ actions: [action] })).toBe("")
  })

  it.each([
    [{ type: "jump" }, "Expected an action with one of the types wait, click"],
    [{ type: "wait" }, "a wait takes either milliseconds or a selector"],
    [{ type: "wait", milliseconds: 1, selector: "#x" }, "a wait takes either milliseconds or a selector"],
    [{ type: "click" }, "actions.0.selector: Missing key"],
    [{ type: "press", key: "Enter", times: 2 }, "actions.0.times: Expected no excess property"]
  ])("%j is refused with the reason", (action, why) => {
    expect(problems({ actions: [action] })).toContain(why)
  })

  it("are at most fifty", () => {
    const actions = Array.from({ length: 51 }, () => ({ type: "scrape" }))

    expect(problems({ actions })).toContain("actions")
    expect(problems({ actions: actions.slice(1) })).toBe("")
  })
})

describe("parsers", () => {
  it.each([["pdf"], [{ type: "pdf", maxPages: 3, mode: "auto" }]])("%j is one", (parser) => {
    expect(problems({ parsers: [parser] })).toBe("")
  })

  it.each([
    ["docx", 'Expected the parser "pdf"'],
    ["image", "does not read text in images"],
    [{ type: "pdf", mode: "ocr" }, "does not read text in images"],
    [{ type: "pdf", blocks: true }, "does not have the layout blocks"]
  ])("%j is refused with the reason", (parser, why) => {
    expect(problems({ parsers: [parser] })).toContain(why)
  })
})

/** Where something that a caller sends has no end. */
const unbounded = (ast: AST.AST, at: string, seen: ReadonlySet<AST.AST>): ReadonlyArray<string> => {
  if (seen.has(ast)) return []
  // All that is in it counts.
  if ((ast.checks ?? []).flatMap(idsOf).includes("millrace/isSmall")) return []
  const within = new Set([...seen, ast])
  const bounds = (ast.checks ?? []).flatMap(idsOf)
  const has = (...ids: ReadonlyArray<string>) => ids.some((id) => bounds.includes(id))
  if (AST.isString(ast)) return has("isMaxLength") ? [] : [`${at}: a string`]
  if (AST.isNumber(ast)) return has("isBetween", "isLessThanOrEqualTo") ? [] : [`${at}: a number`]
  if (AST.isArrays(ast)) {
    const items = [...ast.elements, ...ast.rest].flatMap((item) => unbounded(item, `${at}[]`, within))
    return ast.rest.length === 0 || has("isMaxLength") ? items : [`${at}: a list`, ...items]
  }
  if (AST.isObjects(ast)) {
    const fields = ast.propertySignatures.flatMap(({ name, type }) => unbounded(type, `${at}.${String(name)}`, within))
    const isOpen = ast.indexSignatures.length > 0 && !has("isMaxProperties")
    const values = ast.indexSignatures.flatMap(({ type }) => unbounded(type, `${at}.*`, within))
    return [...(isOpen ? [`${at}: an object of any size`] : []), ...fields, ...values]
  }
  if (AST.isUnion(ast)) return ast.types.flatMap((type) => unbounded(type, at, within))
  if (AST.isSuspend(ast)) return unbounded(ast.thunk(), at, within)
  return AST.isUnknown(ast) || AST.isAny(ast) ? [`${at}: anything`] : []
}

/** The names of a check, or of those that it is made of. */
const idsOf = (check: AST.Check<never>): ReadonlyArray<string> => {
  if (check._tag === "FilterGroup") return check.checks.flatMap(idsOf)
  const representation = check.annotations?.["representation"]
  return Predicate.hasProperty(representation, "id") ? [String(representation.id).replace("effect/schema/", "")] : []
}

describe("the contract", () => {
  it("bounds every string, list and number that a caller sends", () => {
    const found = Object.values(Api.groups).flatMap((group) =>
      Object.values(group.endpoints).flatMap((endpoint) => {
        // What stands in the URL has the bounds of the request's head, 16 kB. The parts of a form are bounded as they are read.
        const bodies = [...endpoint.payload].filter(([type]) => !type.startsWith("multipart/"))
        const sent = bodies.flatMap(([, { schemas }]) => schemas)
        return sent.flatMap((schema) =>
          schema === undefined ? [] : unbounded(schema.ast, `${endpoint.method} ${endpoint.path}`, new Set())
        )
      })
    )
    expect(found).toEqual([])
  })

  it("counts all that an object holds, and looks no further than its bound", () => {
    const fits = Schema.is(Bounds.object(100))
    expect(fits({ a: ["b", { c: "d" }] })).toBe(true)
    expect(fits({ a: "b".repeat(100) })).toBe(false)
    expect(fits({ a: Array.from({ length: 1e6 }, () => 1) })).toBe(false)
    expect(fits(Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`name ${i}`, i])))).toBe(false)
  })
})
