/**
 * The keys of a mapping in a pipeline file, as tables: each with its type, its default, what it does and an example, from the
 * schema that decodes it.
 *
 * An example is one that the shipped pipelines or the pages of docs have, which tests run; otherwise the default, a choice, a
 * truth value or the least number. A mapping has none: the keys in it have. Fields by which public clients of the API only say
 * who they are (`clientFields`) are left out.
 */
import * as AST from "effect/SchemaAST"
import { stringify } from "yaml"
import { clientFields } from "#contract/api/ClientFields"
import * as Shape from "#engine/keys/Shape"
import { code, table } from "./markdown.ts"

export interface Place {
  /** What the keys below are called in the table: "schedule." */
  readonly prefix: string
  /** Where examples of them are looked for. */
  readonly path: ReadonlyArray<string>
}

/** The values that known files have at a path; `*` stands for any key of a mapping. */
export type Examples = (path: ReadonlyArray<string>) => ReadonlyArray<unknown>

/** Mappings that stand in several places and have a section of their own: its heading's anchor by the key. */
export type Elsewhere = Readonly<Record<string, string>>

export const keyTable = (shape: Shape.Shape, place: Place, examples: Examples, elsewhere: Elsewhere): string =>
  table(["key", "type", "default", "what it does", "example"], rowsOf([shape], place, examples, elsewhere))

const rowsOf = (
  shapes: ReadonlyArray<Shape.Shape>,
  { path, prefix }: Place,
  examples: Examples,
  elsewhere: Elsewhere
): ReadonlyArray<ReadonlyArray<string>> =>
  fieldsOf(shapes).flatMap(({ name, optional, types, where }) => {
    const written = types.flatMap((type) => Shape.at(type, []))
    const below = { prefix: `${prefix}${name}.`, path: [...path, name] }
    const link = elsewhere[name]
    const items = written.filter(AST.isArrays).flatMap((list) => Shape.at(list, [0]))
    const nested = link === undefined ? [...written, ...items].filter(AST.isObjects) : []
    const inList = items.some(AST.isObjects)
    const row = [
      code(`${prefix}${name}`),
      typeInWords(written, items, inList),
      defaultOf(types, optional),
      [where, descriptionOf(types), link].filter((text) => text !== undefined && text !== "").join("; "),
      exampleOf(written, examples(below.path), nested.length > 0, defaultOf(types, optional))
    ]
    const further = inList ? { prefix: `${prefix}${name}[].`, path: [...below.path, "*"] } : below
    return [row, ...rowsOf(nested, further, examples, elsewhere)]
  })

interface Field {
  readonly name: string
  readonly optional: boolean
  /** Where a choice of mappings has it in some of them alone: which. */
  readonly where: string | undefined
  /** As the schema's author wrote them, with what they say of themselves. */
  readonly types: ReadonlyArray<Shape.Shape>
}

/** The fields of mappings, each once: where a choice of mappings has a field in several, all of its types. */
const fieldsOf = (shapes: ReadonlyArray<Shape.Shape>): ReadonlyArray<Field> => {
  const objects = shapes.flatMap((shape) => Shape.at(shape, [])).filter(AST.isObjects)
  const kind = Shape.discriminator(objects)
  const names = new Set(objects.flatMap(({ propertySignatures }) => propertySignatures.map(({ name }) => String(name))))
  const own = [...names].filter((name) => !Object.hasOwn(clientFields, name))
  return own.map((name) => {
    const having = objects.filter(({ propertySignatures }) => propertySignatures.some((field) => field.name === name))
    const types = having.flatMap(({ propertySignatures }) =>
      propertySignatures.flatMap((field) => (field.name === name ? [field.type] : []))
    )
    const kinds =
      kind === undefined || having.length === objects.length
        ? []
        : having.flatMap((mapping) => Shape.choices(Shape.at(mapping, [kind])))
    return {
      name,
      optional: types.some(AST.isOptional),
      types,
      where: kinds.length === 0 ? undefined : kinds.join(", ")
    }
  })
}

const typeInWords = (
  written: ReadonlyArray<Shape.Shape>,
  items: ReadonlyArray<Shape.Shape>,
  inList: boolean
): string => {
  if (written.some(AST.isUnknown)) return "any value"
  const text = Shape.inWords(written.filter((shape) => !AST.isNull(shape)))
  const secret = Shape.areSecret(written) ? ", which may be a secret" : ""
  if (inList) return "a list of mappings"
  const choices = [...new Set(Shape.choices(items))]
  return `${choices.length > 0 ? `a list of ${Shape.either(choices.map((choice) => JSON.stringify(choice)))}` : text}${secret}`
}

const defaultOf = (types: ReadonlyArray<Shape.Shape>, optional: boolean): string => {
  const annotated = types.flatMap(withMembers).map((shape) => annotation(shape, "default"))
  const preset = annotated.find((value) => value !== undefined)
  if (preset !== undefined) return code(asYaml(preset))
  const [, told] = / ?default(?: and maximum)?: ([^;]+)/.exec(wholeDescription(types)) ?? []
  return told ?? (optional ? "" : "required")
}

/** Without the default, which has a column of its own. */
const descriptionOf = (types: ReadonlyArray<Shape.Shape>): string =>
  wholeDescription(types).replace(/(^|[;.,]) ?default: [^;]+(; )?/, (_, before, after) =>
    before === "" || after === undefined ? "" : "; "
  )

const wholeDescription = (types: ReadonlyArray<Shape.Shape>): string => {
  const all = types.flatMap(withMembers).flatMap((shape) => annotation(shape, "description") ?? [])
  return String(all[0] ?? "")
}

/** A shape, and those that it is a choice of: the author may have annotated either. */
const withMembers = (shape: Shape.Shape): ReadonlyArray<Shape.Shape> => [
  shape,
  ...(AST.isUnion(shape) ? shape.types.flatMap(withMembers) : [])
]

const annotation = (shape: Shape.Shape, name: string): unknown =>
  shape.checks?.at(-1)?.annotations?.[name] ?? shape.annotations?.[name]

const exampleOf = (
  written: ReadonlyArray<Shape.Shape>,
  known: ReadonlyArray<unknown>,
  nested: boolean,
  preset: string
): string => {
  const fitting = known.map(asYaml).filter((text) => text.length <= 90)
  const declared = written.flatMap((shape) => annotation(shape, "examples") ?? [])
  const [choice] = Shape.choices(written)
  const shortest = fitting.sort((one, other) => one.length - other.length)[0]
  if (shortest !== undefined) return code(shortest)
  if (nested) return ""
  if (declared.length > 0) return code(asYaml(declared.flat()[0]))
  if (choice !== undefined) return code(choice)
  if (written.some(AST.isBoolean)) return code("true")
  const [number] = /\d+(\.\d+)?/.exec(/^`?\d/.test(preset) ? preset : Shape.inWords(written)) ?? []
  return written.some(AST.isNumber) && number !== undefined ? code(number) : ""
}

const asYaml = (value: unknown): string =>
  stringify(value, { collectionStyle: "flow", lineWidth: 0, flowCollectionPadding: false }).trim()
