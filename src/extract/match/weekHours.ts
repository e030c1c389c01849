/**
 * Adds the opening hours of a page to its candidates, whether a table, a list or declared data states them: as rows with a day
 * and its hours, and as one value for each day under its English name. "Mon–Fri" gives five values.
 *
 * A single day is ignored, because it may be that of an event. If a page has several weeks, such as those of several shops,
 * none of them is used for the page.
 */
import type { Candidates, Group, Property, Thing, Value } from "../Candidates.ts"
import { areHours, daysIn } from "../value/WeekHours.ts"

interface Row {
  readonly day: Value
  readonly days: ReadonlyArray<number>
  readonly hours: Value
}

export const withWeekHours = (candidates: Candidates, language: string | undefined): Candidates => {
  const declared = candidates.things.flatMap((thing) => declaredIn(thing, 0))
  const rows = declared.length > 0 ? declared : shownIn(candidates.page, language)
  const [week, other] = weeksOf(rows)
  if (week === undefined || week.reduce((sum, { days }) => sum + days.length, 0) < 2) return candidates
  const ofRows = new Set<Property["value"]>(rows.map(({ hours }) => hours))
  const others = candidates.page.properties.filter(({ value }) => !ofRows.has(value))
  if (other !== undefined) return { ...candidates, page: { ...candidates.page, properties: others } }
  const page = { ...candidates.page, properties: [...others, ...byDay(week)] }
  const things = declared.length > 0 ? candidates.things.map((thing) => perDay(thing, 0)) : candidates.things
  const groups = candidates.groups.map((group) =>
    group.name === specification ? { ...group, things: group.things.flatMap(daysApart) } : group
  )
  return { ...candidates, things, groups: [...groups, ...groupOf(week)], page }
}

const specification = "OpeningHoursSpecification"
const names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
const maxRows = 500
const labelled: ReadonlySet<string> = new Set(["table", "definition", "label"])

/** The rows whose label is a day, in the order of the page. A row that two readers found counts once. */
const shownIn = ({ properties }: Thing, language: string | undefined): ReadonlyArray<Row> => {
  const found = new Map<string, Row>()
  for (const { name, value } of properties) {
    if (value._tag !== "Value" || !labelled.has(value.source.kind) || found.size >= maxRows) continue
    const days = areHours(String(value.data)) ? daysIn(name, language) : []
    const key = `${name} ${value.data} ${value.source.path.replace(/ > \w+(?:\[\d+\])?$/, "")}`
    if (days.length > 0 && !found.has(key)) found.set(key, { day: { ...value, data: name }, days, hours: value })
  }
  return [...found.values()].sort((a, b) => a.hours.source.span[0] - b.hours.source.span[0])
}

/** The rows of `OpeningHoursSpecification`, without those of special dates. */
const declaredIn = (thing: Thing, depth: number): ReadonlyArray<Row> => {
  const { properties, types } = thing
  if (!types.includes(specification)) {
    return properties.flatMap(({ name, value }) => {
      if (value._tag === "Thing") return depth < maxDepth ? declaredIn(value, depth + 1) : []
      return name === "openingHours" ? inShort(value) : []
    })
  }
  const valueOf = (name: string) =>
    properties.flatMap(({ name: own, value }) => (own === name && value._tag === "Value" ? [value] : []))
  const [opens] = valueOf("opens")
  const [closes] = valueOf("closes")
  if (opens === undefined || closes === undefined || valueOf("validFrom").length > 0) return []
  const hours: Value = { ...opens, data: `${short(opens)}–${short(closes)}` }
  return valueOf("dayOfWeek").flatMap((day) => {
    const name = String(day.data).split("/").at(-1) ?? ""
    const days = daysIn(name, "en")
    return days.length === 0 ? [] : [{ day: { ...day, data: name }, days, hours }]
  })
}

const maxDepth = 3

/** The row of an `openingHours` text, such as "Mo-Fr 09:00-17:00". */
const inShort = (value: Value): ReadonlyArray<Row> => {
  const [, name = "", hours = ""] = /^([A-Za-z][A-Za-z, -]{1,40}?)\s+(\d.{4,40})$/.exec(String(value.data).trim()) ?? []
  const days = areHours(hours) ? daysIn(name, "en") : []
  return days.length === 0 ? [] : [{ day: { ...value, data: name }, days, hours: { ...value, data: hours } }]
}

/** Splits a specification of several days into one for each day. */
const daysApart = (thing: Thing): ReadonlyArray<Thing> => {
  const days = thing.properties.filter(({ name }) => name === "dayOfWeek")
  if (days.length < 2) return [thing]
  return days.map((day) => ({
    ...thing,
    properties: thing.properties.filter((one) => one.name !== "dayOfWeek" || one === day)
  }))
}

const perDay = (thing: Thing, depth: number): Thing => {
  const properties = thing.properties.flatMap((property): ReadonlyArray<Property> => {
    const { name, value } = property
    if (value._tag !== "Thing" || depth === maxDepth) return [property]
    if (value.types.includes(specification)) return daysApart(value).map((one) => ({ name, value: one }))
    const inner = perDay(value, depth + 1)
    return [inner === value ? property : { name, value: inner }]
  })
  return properties.every((property, i) => property === thing.properties[i]) ? thing : { ...thing, properties }
}

/** "09:00:00" without its seconds. */
const short = ({ data }: Value): string => String(data).replace(/^(\d{2}:\d{2}):00$/, "$1")

/** Splits rows into weeks: a repeated day starts a new week, unless it directly follows itself, as "9–12" and "14–18" do. */
const weeksOf = (rows: ReadonlyArray<Row>): ReadonlyArray<ReadonlyArray<Row>> => {
  const weeks: Array<Array<Row>> = []
  let seen = new Set<number>()
  for (const row of rows) {
    const week = weeks.at(-1)
    const before = week?.at(-1)?.days.join()
    if (week === undefined || (row.days.some((day) => seen.has(day)) && before !== row.days.join())) {
      weeks.push([row])
      seen = new Set(row.days)
    } else {
      week.push(row)
      for (const day of row.days) seen.add(day)
    }
  }
  return weeks
}

const groupOf = (week: ReadonlyArray<Row>): ReadonlyArray<Group> => {
  const things = week.map(
    ({ day, hours }): Thing => ({
      _tag: "Thing",
      types: [],
      source: hours.source,
      properties: [
        { name: "day", value: day },
        { name: "hours", value: hours }
      ]
    })
  )
  const [first] = things
  const last = things.at(-1)
  if (first === undefined || last === undefined || things.length < 2) return []
  // The rows are facts about one thing, not a list of things, so their kind is `definition`.
  return [
    { source: { ...first.source, kind: "definition", span: [first.source.span[0], last.source.span[1]] }, things }
  ]
}

/** The hours by day. A day with two rows is left out. */
const byDay = (week: ReadonlyArray<Row>): ReadonlyArray<Property> =>
  names.flatMap((name, day) => {
    const [only, second] = week.filter(({ days }) => days.includes(day))
    return only === undefined || second !== undefined ? [] : [{ name, value: only.hours }]
  })
