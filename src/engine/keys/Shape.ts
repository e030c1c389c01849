/**
 * What a schema accepts at a place of a pipeline file: which keys, which choices, and how messages say it.
 *
 * A shape is the schema of what is written in the file (the encoded side), so that messages name what a person can type.
 */
import * as Predicate from "effect/Predicate"
import * as AST from "effect/SchemaAST"

export type Shape = AST.AST
export type Path = ReadonlyArray<PropertyKey>

/** The shapes that a value at this path may have: several for a union, and none if the schema has no such place. */
export const at = (shape: Shape, path: Path): ReadonlyArray<Shape> =>
  path.reduce<ReadonlyArray<Shape>>((shapes, step) => shapes.flatMap((one) => below(one, step)), members(shape))

/** The keys that a mapping may have here, in the order of the schema. */
export const keys = (shapes: ReadonlyArray<Shape>): ReadonlyArray<string> => [
  ...new Set(
    shapes.flatMap((one) => (AST.isObjects(one) ? one.propertySignatures.map((field) => String(field.name)) : []))
  )
]

/** What the keys of a mapping must be, in words, if the user chooses them; undefined: the keys are fixed. */
export const keyInWords = (shapes: ReadonlyArray<Shape>): string | undefined => {
  const forms = shapes.flatMap((one) => (AST.isObjects(one) ? one.indexSignatures : []))
  return forms.length === 0 ? undefined : inWords(forms.flatMap(({ parameter }) => members(parameter)))
}

/** The fixed texts that are allowed here. */
export const choices = (shapes: ReadonlyArray<Shape>): ReadonlyArray<string> =>
  shapes.flatMap((one) => (AST.isLiteral(one) && typeof one.literal === "string" ? [one.literal] : []))

/** The description of the value here in the schema. */
export const description = (shapes: ReadonlyArray<Shape>): string | undefined => {
  for (const one of shapes) {
    const text = annotation(one, "description")
    if (typeof text === "string") return text
  }
  return undefined
}

/** Whether the value here is secret, and kept out of logs and messages. */
export const areSecret = (shapes: ReadonlyArray<Shape>): boolean => shapes.length > 0 && shapes.every(isRedacted)

/** Whether a secret may be used here: the value is secret, or its option keeps it out of logs and tables. */
export const mayBeSecret = (shapes: ReadonlyArray<Shape>): boolean =>
  shapes.length > 0 && shapes.every((one) => isRedacted(one) || annotation(one, "mayBeSecret") === true)

/** Whether the value here is a location that a store opens (`Location.pathOrUrl`). */
export const areStored = (shapes: ReadonlyArray<Shape>): boolean =>
  shapes.some((one) => annotation(one, "isStore") === true)

/** The key that decides which of several mappings is meant ("type"), if there is one. */
export const discriminator = (shapes: ReadonlyArray<Shape>): string | undefined => {
  const [first, ...others] = shapes.filter(AST.isObjects)
  return first?.propertySignatures
    .map((field) => String(field.name))
    .find((name) => [first, ...others].every((one) => fieldOf(one, name).some(AST.isLiteral)))
}

/** Shapes in words: "a whole number of at least 1", `"append", "replace" or "merge"`, "text or a list of texts". */
export const inWords = (shapes: ReadonlyArray<Shape>): string => {
  const literals = shapes.filter(AST.isLiteral).map((one) => JSON.stringify(one.literal))
  const others = shapes
    .filter((one) => !AST.isLiteral(one) && !AST.isUndefined(one) && !AST.isNever(one))
    .map(oneInWords)
  return either([...new Set([...literals, ...others])])
}

/** "a, b or c" */
export const either = (words: ReadonlyArray<string>): string => {
  const last = words.at(-1) ?? "absent"
  return words.length < 2 ? last : `${words.slice(0, -1).join(", ")} or ${last}`
}

const members = (shape: Shape): ReadonlyArray<Shape> => {
  if (isRedacted(shape)) return [shape]
  if (shape.encoding !== undefined) return members(written(shape))
  if (AST.isUnion(shape)) return shape.types.flatMap(members)
  if (AST.isSuspend(shape)) return members(shape.thunk())
  return [shape]
}

const written = (shape: Shape): Shape => {
  const link = shape.encoding?.at(-1)
  return link === undefined ? shape : written(link.to)
}

const below = (shape: Shape, step: PropertyKey): ReadonlyArray<Shape> => {
  if (AST.isObjects(shape)) return fieldOf(shape, step)
  if (!AST.isArrays(shape)) return []
  const item = shape.elements[Number(step)] ?? shape.rest[0]
  return item === undefined ? [] : members(item)
}

const fieldOf = (shape: AST.Objects, name: PropertyKey): ReadonlyArray<Shape> => {
  const field = shape.propertySignatures.find((one) => one.name === name)?.type ?? shape.indexSignatures[0]?.type
  return field === undefined ? [] : members(field)
}

const oneInWords = (shape: Shape): string => {
  const authored = annotation(shape, "expected")
  if (typeof authored === "string" && !isBuiltIn(shape, authored)) return authored
  switch (shape._tag) {
    case "Declaration":
      return shape.encoding === undefined ? "a value of another kind" : inWords(members(written(shape)))
    case "String":
    case "TemplateLiteral":
      return facts(shape).minLength === 1 ? "text that is not empty" : "text"
    case "Number":
    case "BigInt":
      return numberInWords(shape)
    case "Boolean":
      return "true or false"
    case "Null":
      return "null"
    case "Arrays":
      return listInWords(shape)
    case "Objects":
      return mappingInWords(shape)
    case "Any":
    case "Enum":
    case "Literal":
    case "Never":
    case "ObjectKeyword":
    case "Suspend":
    case "Symbol":
    case "Undefined":
    case "Union":
    case "UniqueSymbol":
    case "Unknown":
    case "Void":
      return "a value of another kind"
  }
}

const numberInWords = (shape: Shape): string => {
  const { exclusiveMaximum, exclusiveMinimum, maximum: most, minimum } = facts(shape)
  // A limit that only comes from the size of integers is not helpful, so it is not shown.
  const maximum = most !== undefined && most >= machineLimit ? undefined : most
  const whole = checksOf(shape).some((check) => idOf(check.annotations) === "effect/schema/isInt")
  const range =
    minimum !== undefined && maximum !== undefined
      ? ` from ${minimum} to ${maximum}`
      : [
          minimum === undefined ? "" : ` of at least ${minimum}`,
          exclusiveMinimum === undefined ? "" : ` above ${exclusiveMinimum}`,
          maximum === undefined ? "" : ` of at most ${maximum}`,
          exclusiveMaximum === undefined ? "" : ` below ${exclusiveMaximum}`
        ].join("")
  return `${whole ? "a whole number" : "a number"}${range}`
}

const machineLimit = 2 ** 31 - 1

const listInWords = (shape: AST.Arrays): string => {
  const item = shape.elements[0] ?? shape.rest[0]
  const of = item === undefined ? [] : members(item)
  const one = of.length === 1 ? of[0] : undefined
  const noun = one === undefined ? "" : AST.isString(one) ? " of texts" : AST.isNumber(one) ? " of numbers" : ""
  return `a list${noun}${shape.elements.length > 0 ? " with at least one item" : ""}`
}

const mappingInWords = (shape: AST.Objects): string => {
  const kind = shape.propertySignatures.find((field) => AST.isLiteral(field.type))
  if (kind !== undefined && AST.isLiteral(kind.type))
    return `a mapping with \`${String(kind.name)}: ${kind.type.literal}\``
  const required = shape.propertySignatures.find((field) => !AST.isOptional(field.type))
  return required === undefined ? "a mapping" : `a mapping with \`${String(required.name)}\``
}

interface Facts {
  readonly minimum?: number
  readonly maximum?: number
  readonly exclusiveMinimum?: number
  readonly exclusiveMaximum?: number
  readonly minLength?: number
}

/** The bounds of all built-in checks of a value. */
const facts = (shape: Shape): Facts =>
  Object.fromEntries(
    checksOf(shape).flatMap((check) => {
      const representation = check.annotations?.["representation"]
      return Predicate.hasProperty(representation, "payload") && Predicate.isObject(representation.payload)
        ? Object.entries(representation.payload)
        : []
    })
  )

const checksOf = (shape: Shape): ReadonlyArray<AST.Check<never>> =>
  (shape.checks ?? []).flatMap((check) => (check._tag === "FilterGroup" ? [check, ...check.checks] : [check]))

/** An annotation of a schema, which is on its last check if it has checks. */
const annotation = (shape: Shape, name: string): unknown =>
  (shape.checks?.at(-1)?.annotations ?? shape.annotations)?.[name] ?? shape.annotations?.[name]

/** Whether words are those of the library, which do not help people who write files. */
const isBuiltIn = (shape: Shape, words: string): boolean =>
  idOf(shape.checks?.at(-1)?.annotations ?? shape.annotations).startsWith("effect/schema/") &&
  /^(a value |an integer|a finite |a string |[A-Z]\w*$)/.test(words)

const isRedacted = (shape: Shape): boolean =>
  AST.isDeclaration(shape) && idOf(shape.annotations) === "effect/schema/Redacted"

const idOf = (annotations: { readonly [key: string]: unknown } | undefined): string => {
  const representation = annotations?.["representation"]
  return Predicate.hasProperty(representation, "id") ? String(representation.id) : ""
}
