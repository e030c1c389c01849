/** The jobs board: thirty postings at the beginning, one more with every revision, and one closed, which answers 410. */
import * as Dice from "./Dice.ts"
import * as Draft from "./Draft.ts"
import type * as History from "./History.ts"
import * as Html from "./Html.ts"
import * as Prose from "./Prose.ts"

interface Job {
  readonly path: string
  readonly reference: string
  readonly title: string
  readonly employer: string
  readonly place: string
  readonly type: "FULL_TIME" | "PART_TIME" | "TEMPORARY"
  /** Pounds a year. */
  readonly salary: number
  readonly posted: string
  readonly closes: string
  readonly duties: ReadonlyArray<string>
  readonly about: string
  readonly open: boolean
}

const atFirst = 30

export const jobs = (history: History.History): ReadonlyArray<Job> =>
  Array.from({ length: atFirst + history.revision - 1 }, (_, index) => job(history, index))

export const drafts = (history: History.History): ReadonlyArray<Draft.Draft> => {
  const all = jobs(history)
  const open = all.filter((one) => one.open)
  return [board(history, open), ...open.map((one) => page(history, one)), ...all.filter((one) => !one.open).map(closed)]
}

const job = (history: History.History, index: number): Job => {
  const dice = Dice.make(history.seed, "job", index)
  const trade = Prose.sentence(dice, "[apprentice|assistant|senior|] {trade}").trim()
  const title = Prose.capital(dice.chance(0.4) ? Prose.sentence(dice, dice.pick(offices)) : trade)
  const reference = `J-${1040 + index * 3}`
  const posted =
    index < atFirst ? Draft.addDays(Draft.firstDay, -dice.int(2, 60)) : Draft.dayOfRevision(index - atFirst + 2)
  return {
    path: `/jobs/${reference.toLowerCase()}-${Prose.slug(title)}`,
    reference,
    title,
    employer: Prose.sentence(dice, dice.pick(employers)),
    place: Prose.sentence(dice, "{place}"),
    type: dice.pick(["FULL_TIME", "FULL_TIME", "PART_TIME", "TEMPORARY"]),
    salary: dice.int(42, 130) * 500,
    posted,
    closes: Draft.addDays(posted, dice.int(30, 150)),
    duties: dice.sample(duties, dice.int(3, 5)).map((duty) => Prose.capital(Prose.sentence(dice, duty))),
    about: Prose.paragraph(dice, abouts, 3),
    open: index >= atFirst || history.times("job closed", index) === 0
  }
}

const board = (history: History.History, open: ReadonlyArray<Job>): Draft.Draft =>
  Html.draft(history, {
    path: "/jobs/",
    modified: Draft.dayOfRevision(history.revision),
    title: "Work in Northmere",
    description: `${open.length} posts are open in Northmere.`,
    main: `<h1>Work in Northmere</h1>
<p>${open.length} posts are open.</p>
${Html.list(
  open.map((one) => `${Html.link(one.path, one.title)}, ${Html.escape(one.employer)}, £${one.salary} a year`)
)}`
  })

const page = (history: History.History, one: Job): Draft.Draft => {
  const { about, closes, duties: does, employer, path, place, posted, reference, salary, title, type } = one
  const facts = { reference, title, employer, place, type, salary, currency: "GBP", posted, closes }
  const main = `<h1>${Html.escape(title)}</h1>
<p>${Html.escape(about)}</p>
<dl>
<dt>Reference</dt><dd>${reference}</dd>
<dt>Employer</dt><dd>${Html.escape(employer)}</dd>
<dt>Place</dt><dd>${Html.escape(place)}</dd>
<dt>Hours</dt><dd>${hours[type]}</dd>
<dt>Salary</dt><dd>£${salary} a year</dd>
<dt>Posted</dt><dd>${posted}</dd>
<dt>Closes</dt><dd>${closes}</dd>
</dl>
<h2>What you will do</h2>
${Html.list(does.map(Html.escape))}
<p>${Html.link("/jobs/", "All posts")}</p>`
  const jsonLd = {
    "@context": "https://schema.org",
    "@type": "JobPosting",
    title,
    identifier: { "@type": "PropertyValue", name: employer, value: reference },
    description: about,
    datePosted: posted,
    validThrough: closes,
    employmentType: type,
    hiringOrganization: { "@type": "Organization", name: employer },
    jobLocation: { "@type": "Place", address: { "@type": "PostalAddress", addressLocality: place } },
    baseSalary: {
      "@type": "MonetaryAmount",
      currency: "GBP",
      value: { "@type": "QuantitativeValue", value: salary, unitText: "YEAR" }
    }
  }
  const description = `${title} at ${employer}, ${place}`
  return Html.draft(
    history,
    { path, title: `${title} (${reference})`, description, main, jsonLd },
    { modified: posted, facts }
  )
}

const closed = (one: Job): Draft.Draft =>
  Draft.make({
    path: one.path,
    status: 410,
    kind: "missing",
    foundBy: "nothing",
    fields: { title: "Closed" },
    write: Draft.text("<!doctype html><title>Closed</title><p>This post is filled.</p>\n")
  })

const hours = {
  FULL_TIME: "37 hours a week",
  PART_TIME: "18 hours a week",
  TEMPORARY: "full time for nine months"
} as const

const offices = [
  "clerk to the {river} conservators",
  "night watch at the lower lock",
  "keeper of the town's [clocks|scales|archive]",
  "software engineer, Sluice",
  "[ferry|museum|library] assistant",
  "surveyor of [hedges|bridges|footpaths]"
] as const

const employers = [
  "Northmere Town Council",
  "Pike & Sons",
  "Northmere Mill Supply",
  "The Heron Weir Trust",
  "The Northmere Courier",
  "The {place} Company"
] as const

const duties = [
  "keep the {machine} at {place} in order",
  "answer {5-40} letters a week",
  "teach one evening class each {season}",
  "check the {material} that suppliers send, and say no",
  "write down every reading of the {machine}",
  "show visitors round {place} on {weekday}s",
  "order {material} before {month}",
  "repair what can be repaired with a {tool}",
  "count the {animal}s on {river} in {month}"
]

const abouts = [
  "You will work with {person} and {2-9} others at {place}.",
  "We look for somebody {adjective} who does not mind {season} on the water.",
  "The post has been [held by one family|vacant|shared] since {year}.",
  "A {tool} is provided, boots are not.",
  "There is {food} on {weekday}s and a bicycle for the way.",
  "No degree is asked for; {1-6} years with {material} help."
]
