/**
 * The opening hours of a page by days of the week, whether a table, a list or declared data says them: as rows with a day and
 * its hours, and as a value of each day under its English name, "Mon–Fri" under five.
 *
 * One day alone may be that of an event. Where a page has several weeks, as for several shops, none of them is that of the page.
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
  const said = new Set<Property["value"]>(rows.map(({ hours }) => hours))
  const others = candidates.page.properties.filter(({ value }) => !said.has(value))
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

/** Labels that are days, in the order of the page; what two readers have read is one row. */
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

/** `OpeningHoursSpecification` of the usual week. */
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

/** "Mo-Fr 09:00-17:00", as `openingHours` says it. */
const inShort = (value: Value): ReadonlyArray<Row> => {
  const [, name = "", hours = ""] = /^([A-Za-z][A-Za-z, -]{1,40}?)\s+(\d.{4,40})$/.exec(String(value.data).trim()) ?? []
  const days = areHours(hours) ? daysIn(name, "en") : []
  return days.length === 0 ? [] : [{ day: { ...value, data: name }, days, hours: { ...value, data: hours } }]
}

/** A specification of several days as one of each. */
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

/** "09:00:00" as people write it. */
const short = ({ data }: Value): string => String(data).replace(/^(\d{2}:\d{2}):00$/, "$1")

/** A day that comes again begins another week, unless it follows itself: "9–12" and "14–18" of one day. */
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
  // The hours of the days are facts about one thing, and not a list of many.
  return [
    { source: { ...first.source, kind: "definition", span: [first.source.span[0], last.source.span[1]] }, things }
  ]
}

/** A day with two rows has no value. */
const byDay = (week: ReadonlyArray<Row>): ReadonlyArray<Property> =>
  names.flatMap((name, day) => {
    const [only, second] = week.filter(({ days }) => days.includes(day))
    return only === undefined || second !== undefined ? [] : [{ name, value: only.hours }]
  })
