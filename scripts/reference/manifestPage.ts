/** `docs/reference/manifest.md`: what a manifest of a lake holds, from its schema. */
import * as AST from "effect/SchemaAST"
import { Manifest } from "#connectors/parquet/manifest/Manifest"
import * as Shape from "#engine/keys/Shape"
import { code, page, table } from "./markdown.ts"

export const manifestPage = (): string =>
  page(
    "Manifest of a lake",
    "A manifest is a JSON file. It lists the files of each table of a lake after one commit. `_manifest/000000000007.json` " +
      "is the seventh. This page is made from its schema in `connectors/parquet/manifest/Manifest.ts`.",
    [
      "The manifest with the highest number, with the lists that it names, is valid: a file that neither of them " +
        "names is not part of a table. Manifests never change, and are never replaced. Paths are relative to the " +
        "folder (or the prefix of the bucket) that has `_manifest/`.",
      table(["key", "type", "what it says"], rowsOf(Manifest.ast, "")),
      "[Parquet](../destinations/parquet.md) says how to read a lake by its manifest."
    ]
  )

const rowsOf = (shape: Shape.Shape, prefix: string): ReadonlyArray<ReadonlyArray<string>> =>
  Shape.at(shape, [])
    .filter(AST.isObjects)
    .flatMap((mapping) => [
      ...mapping.propertySignatures.flatMap(({ name, type }) => {
        const path = `${prefix}${String(name)}`
        const absent = AST.isOptional(type) ? ", may be absent" : ""
        return [
          [code(path), `${inWords(type)}${absent}`, descriptionOf(type)],
          ...Shape.at(type, [])
            .filter(AST.isArrays)
            .flatMap((list) => rowsOf(list.rest[0] ?? list, `${path}[].`)),
          ...rowsOf(type, `${path}.`)
        ]
      }),
      ...mapping.indexSignatures.flatMap(({ type }) => rowsOf(type, `${prefix}NAME.`))
    ])

/** A schema may be annotated itself, or the one that may be absent in it. */
const descriptionOf = (type: Shape.Shape): string => Shape.description([type, ...Shape.at(type, [])]) ?? ""

const inWords = (type: Shape.Shape): string => {
  const shapes = Shape.at(type, [])
  if (shapes.some(AST.isUnknown)) return "any value"
  const isRecord = shapes.some((one) => AST.isObjects(one) && one.indexSignatures.length > 0)
  if (isRecord) return "a mapping of names"
  return shapes.some((one) => AST.isArrays(one) && one.rest.some(AST.isObjects))
    ? "a list of mappings"
    : Shape.inWords(shapes)
}
