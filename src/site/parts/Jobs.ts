/** The jobs board: thirty postings at the beginning, one more with every revision, and one closed, which answers 410. */
import * as Draft from "./Draft.ts"
import type * as History from "./History.ts"
import * as Html from "./Html.ts"
import * as Prose from "./Prose.ts"

type Job = ReturnType<typeof job>
const atFirst = 30

export const jobs = (history: History.History): ReadonlyArray<Job> =>
  Array.from({ length: atFirst + history.revision - 1 }, (_, index) => job(history, index))

export const section = (history: History.History): Html.Section => {
  const all = jobs(history)
  const open = all.filter((one) => one.open)
  return [board(history.today, open), ...open.map(page), ...all.filter((one) => !one.open).map(closed)]
}

const job = (history: History.History, index: number) => {
  const dice = history.dice("job", index)
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
    type: dice.pick(["FULL_TIME", "FULL_TIME", "PART_TIME", "TEMPORARY"] as const),
    /** Pounds a year. */
    salary: dice.int(42, 130) * 500,
    posted,
    closes: Draft.addDays(posted, dice.int(30, 150)),
    duties: dice.sample(duties, dice.int(3, 5)).map((duty) => Prose.opening(dice, duty)),
    about: Prose.paragraph(dice, abouts, 3),
    open: index >= atFirst || history.times("job closed", index) === 0
  }
}

const board = (modified: string, open: ReadonlyArray<Job>): Html.Page => {
  const main = `<h1>Work in Northmere</h1>
<p>${open.length} posts are open.</p>
${Html.list(open.map((one) => `${Html.link(one.path, one.title)}, ${Html.escape(one.employer)}, £${one.salary} a year`))}`
  const description = `${open.length} posts are open in Northmere.`
  return { path: "/jobs/", modified, title: "Work in Northmere", description, main }
}

const page = (one: Job): Html.Page => {
  const { about, closes, employer, path, place, posted, reference, salary, title, type } = one
  const terms = { Reference: reference, Employer: employer, Place: place, Hours: hours[type] }
  const amount = { currency: "GBP", value: Html.thing("QuantitativeValue", { value: salary, unitText: "YEAR" }) }
  return {
    path,
    modified: posted,
    title: `${title} (${reference})`,
    description: `${title} at ${employer}, ${place}`,
    jsonLd: Html.thing("JobPosting", {
      title,
      identifier: Html.thing("PropertyValue", { name: employer, value: reference }),
      description: about,
      datePosted: posted,
      validThrough: closes,
      employmentType: type,
      hiringOrganization: Html.thing("Organization", { name: employer }),
      jobLocation: Html.thing("Place", { address: Html.thing("PostalAddress", { addressLocality: place }) }),
      baseSalary: Html.thing("MonetaryAmount", amount)
    }),
    facts: { reference, title, employer, place, type, salary, currency: "GBP", posted, closes },
    main: `${Html.heading(title)}
<p>${Html.escape(about)}</p>
${Html.terms({ ...terms, Salary: `£${salary} a year`, Posted: posted, Closes: closes })}
<h2>What you will do</h2>
${Html.list(one.duties.map(Html.escape))}
<p>${Html.link("/jobs/", "All posts")}</p>`
  }
}

const filled = "<!doctype html><title>Closed</title><p>This post is filled.</p>\n"
const closed = ({ path }: Job): Draft.Draft =>
  Draft.bare(path, "Closed", filled, { status: 410, kind: "missing", foundBy: "nothing" })

const hours = { FULL_TIME: "37 hours a week", PART_TIME: "18 hours a week", TEMPORARY: "full time for nine months" }

const offices = Prose.list(`
clerk to the {river} conservators; night watch at the lower lock; keeper of the town's [clocks|scales|archive]; software
engineer, Sluice; [ferry|museum|library] assistant; surveyor of [hedges|bridges|footpaths]
`)

const employers = Prose.list(`
Northmere Town Council; Pike & Sons; Northmere Mill Supply; The Heron Weir Trust; The Northmere Courier;
The {place} Company
`)

const duties = Prose.list(`
keep the {machine} at {place} in order; answer {5-40} letters a week; teach one evening class each {season}; check the
{material} that suppliers send, and say no; write down every reading of the {machine}; show visitors round {place} on
{weekday}s; order {material} before {month}; repair what can be repaired with a {tool}; count the {animal}s on {river}
in {month}
`)

const abouts = Prose.sentences(`
You will work with {person} and {2-9} others at {place}. We look for somebody {adjective} who does not mind {season} on
the water. The post has been [held by one family|vacant|shared] since {year}. A {tool} is provided, boots are not. There
is {food} on {weekday}s and a bicycle for the way. No degree is asked for; {1-6} years with {material} help.
`)
