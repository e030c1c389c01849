/** `docs/reference/pipeline-file.md`, `sources.md` and `sinks.md`: every key of a pipeline file. */
import * as AST from "effect/SchemaAST"
import { clientFields } from "#contract/api/ClientFields"
import * as Shape from "#engine/keys/Shape"
import type { Loaded } from "#engine/loadConnectors"
import { PipelineKeys } from "#engine/PipelineKeys"
import { readExamples } from "./Examples.ts"
import { keyTable } from "./keyTable.ts"
import { code, page } from "./markdown.ts"

type Connectors = ReadonlyArray<Loaded<unknown>>

const { own, sink, source } = readExamples()

export const pipelineFilePage = (): string => {
  const keys = Shape.keys([PipelineKeys.ast]).map((name) => [name, Shape.at(PipelineKeys.ast, [name])] as const)
  const plain = keys.filter(([, shapes]) => partsOf(shapes).length === 0).map(([name]) => name)
  const withParts = keys.filter(([name]) => !plain.includes(name)).map(([name]) => name)
  return page(
    "Pipeline file",
    "All keys of a pipeline file, from the schemas in `src/engine/PipelineKeys.ts` that decode it. " +
      "[Pipelines](../pipelines.md) explains each subject. `bin/millrace check FILE` reports every mistake with " +
      "line and column, " +
      "and `pipelines/pipeline.schema.json` has the same for editors.",
    [
      "The options of a source are in [sources](sources.md), the options of a sink in [sinks](sinks.md). An item " +
        "of a list is written `[]`.",
      "## Plain keys",
      keyTable(only(plain), { prefix: "", path: [] }, own, {
        source: "see [sources](sources.md)",
        sinks: "see [sinks](sinks.md)"
      }),
      ...withParts.flatMap((name) => [`## ${name}`, keyTable(only([name]), { prefix: "", path: [] }, own, {})])
    ]
  )
}

/** The schema of the file with these keys alone. */
const only = (names: ReadonlyArray<string>): Shape.Shape => {
  const whole = PipelineKeys.ast
  return new AST.Objects(
    whole.propertySignatures.filter(({ name }) => names.includes(String(name))),
    []
  )
}

const partsOf = (shapes: ReadonlyArray<Shape.Shape>) =>
  [...shapes, ...shapes.filter(AST.isArrays).flatMap((list) => Shape.at(list, [0]))].filter(
    (shape) => AST.isObjects(shape) && shape.propertySignatures.length > 0
  )

/** Mappings that stand under several sources, by their key. */
const shared = ["scrapeOptions", "crawlOptions"]

export const sourcesPage = (connectors: Connectors): string => {
  const sources = connectors.flatMap((connector) => connector.sources)
  const links = Object.fromEntries(shared.map((name) => [name, `see [${name}](#${name.toLowerCase()})`]))
  const crawl = sources.find(({ type }) => type === "crawl")
  const monitor = sources.find(({ type }) => type === "monitor")
  if (crawl === undefined || monitor === undefined)
    throw new Error("the sources crawl and monitor have the shared options")
  return page(
    "Sources",
    "Every option of every source, written under `source:`, beside `type:`. Names in camelCase are those of the " +
      "web data API.",
    [
      ...sources.flatMap(({ description, schema, type }) => [
        `## ${type}`,
        `${code(`type: ${type}`)}: ${description}.`,
        keyTable(schema.ast, { prefix: "", path: [] }, source(type), links)
      ]),
      "## scrapeOptions",
      "How a page is fetched and converted. A format is a name, or a mapping with `type` and its own options.",
      keyTable(
        first(Shape.at(crawl.schema.ast, ["scrapeOptions"])),
        { prefix: "", path: ["scrapeOptions"] },
        source("crawl"),
        {}
      ),
      "## crawlOptions",
      "How a monitor crawls a target of type `crawl`. Public clients may also send " +
        `${Object.keys(clientFields).map(code).join(", ")}, which have no effect here; \`threatProtection\` that asks for protection is refused.`,
      keyTable(
        first(Shape.at(monitor.schema.ast, ["targets", 0, "crawlOptions"])),
        { prefix: "", path: ["targets", "*", "crawlOptions"] },
        (path) => [...source("monitor")(path), ...source("crawl")(path.slice(3))],
        { scrapeOptions: links["scrapeOptions"] ?? "" }
      )
    ]
  )
}

export const sinksPage = (connectors: Connectors): string =>
  page(
    "Sinks",
    "Every option of every sink, written under a name of `sinks:`, beside `type:`.",
    connectors
      .flatMap((connector) => connector.sinks)
      .flatMap(({ description, schema, type, writes }) => [
        `## ${type}`,
        `${code(`type: ${type}`)}: ${description}. ${code("write")} may be ${writes.map(code).join(", ")}.`,
        keyTable(schema.ast, { prefix: "", path: [] }, sink(type), {})
      ])
  )

const first = (shapes: ReadonlyArray<Shape.Shape>): Shape.Shape => {
  const mapping = shapes.find(AST.isObjects)
  if (mapping === undefined) throw new Error("the shared options are not a mapping any more")
  return mapping
}
