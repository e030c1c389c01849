/**
 * What a recipe or a guide tells to do, as texts in their order.
 *
 * A step is its text, and its name only where it has no text: "Step 1" tells nobody what to do. A section is the steps in
 * it, in its place. A step that is made of directions is those directions in one text.
 */
import type { Property, Source, Thing, Value } from "../Candidates.ts"
import * as Names from "./Names.ts"

/** A text of a step, and the things that it stands in, from the outermost. */
interface Step {
  readonly value: Value
  readonly within: ReadonlyArray<Thing>
}

/** The steps of a thing that is a step or holds some, by its type or by the name that it has; undefined for others. */
export const of = (name: string, thing: Thing): ReadonlyArray<Step> | undefined =>
  thing.types.some((type) => isStepType.test(type)) || conceptOf(name) === "instruction" ? stepsIn(thing, 0) : undefined

/** All the steps of a thing as one text, and all its ingredients: for a schema that wants one text of them. */
export const wholes = ({ properties }: Thing): ReadonlyArray<readonly [name: string, whole: Value]> => {
  const found = new Map<string, { readonly name: string; readonly values: Array<Value> }>()
  for (const { name, value } of properties) {
    if (!isTold.has(conceptOf(name))) continue
    const steps = value._tag === "Value" ? [{ value }] : (of(name, value) ?? [])
    for (const step of steps) {
      const key = `${step.value.source.kind} ${name}`
      const known = found.get(key)
      if (known === undefined) found.set(key, { name, values: [step.value] })
      else known.values.push(step.value)
    }
  }
  return [...found.values()].flatMap(({ name, values }) => {
    const whole = values.length > 1 ? joined(values, "\n") : undefined
    return whole === undefined ? [] : [[name, whole] as const]
  })
}

const isTold: ReadonlySet<string> = new Set(["instruction", "ingredient"])
const conceptOf = (name: string): string => Names.conceptOf(Names.parse(name))?.id ?? ""

/** Several texts that one property has, as one text. */
const joined = (values: ReadonlyArray<Value>, separator: string): Value | undefined => {
  const [first] = values
  if (first === undefined) return undefined
  const from = values.reduce((least, { source }) => Math.min(least, source.span[0]), first.source.span[0])
  const to = values.reduce((most, { source }) => Math.max(most, source.span[1]), 0)
  const source: Source = { ...first.source, path: first.source.path.replace(/\[\d+\]/, ""), span: [from, to] }
  return { _tag: "Value", data: values.map(({ data }) => String(data)).join(separator), source }
}

const isStepType = /^HowTo(?:Step|Section|Direction|Tip)$/
const isParts = /^(?:itemListElement|step|steps|item)$/
const maxDepth = 5

const stepsIn = (thing: Thing, depth: number): ReadonlyArray<Step> => {
  const isSection = !thing.types.some((type) => /^HowTo(?:Step|Direction|Tip)$/.test(type))
  const inner = depth < maxDepth ? partsOf(thing.properties, depth) : []
  const within = inner.map((step): Step => ({ ...step, within: [thing, ...step.within] }))
  if (isSection && within.length > 0) return within
  const own = textOf(thing)
  if (own !== undefined) return [{ value: own, within: [thing] }]
  const whole = joined(
    within.map(({ value }) => value),
    " "
  )
  if (whole !== undefined) return [{ value: whole, within: [thing] }]
  const name = valueOf(thing, "name")
  return name === undefined ? [] : [{ value: name, within: [thing] }]
}

const partsOf = (properties: ReadonlyArray<Property>, depth: number): ReadonlyArray<Step> =>
  properties.flatMap(({ name, value }) => {
    if (!isParts.test(name)) return []
    if (value._tag === "Thing") return stepsIn(value, depth + 1)
    return String(value.data).trim() === "" ? [] : [{ value, within: [] }]
  })

const textOf = (thing: Thing): Value | undefined => valueOf(thing, "text") ?? valueOf(thing, "description")

const valueOf = (thing: Thing, name: string): Value | undefined => {
  for (const { name: own, value } of thing.properties) {
    if (own === name && value._tag === "Value" && String(value.data).trim() !== "") return value
  }
  return undefined
}
