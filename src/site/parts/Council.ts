/** The council's law register: thirty numbered sections in five chapters, with their dates and amendments. */
import type * as Dice from "../Dice.ts"
import type * as History from "./History.ts"
import * as Html from "./Html.ts"
import * as Prose from "./Prose.ts"

export type Section = ReturnType<typeof law>

const perChapter = 6

export const sections = (history: History.History): ReadonlyArray<Section> =>
  Object.values(chapters).flatMap((subjects, chapter) =>
    subjects.map((subject, place) => law(history, subject, chapter, place))
  )

export const section = (history: History.History): Html.Section => {
  const all = sections(history)
  return [
    council(history.dice("council")),
    register(),
    ...Object.keys(chapters).map((title, chapter) => {
      const some = all.filter((one) => one.listed && one.chapter === chapter)
      const modified = history.lastDay("section", chapter * perChapter, perChapter)
      return contents(title, chapter, some, modified)
    }),
    ...all.map(page)
  ]
}

const law = (history: History.History, subject: string, chapter: number, place: number) => {
  const index = chapter * perChapter + place
  const dice = history.dice("section", index)
  const changes = history.times("section amended", index)
  const title = Prose.opening(dice, subject)
  const amendments = [
    ...Array.from({ length: dice.int(0, 3) }, (_, i) => ({ key: i, year: dice.int(1990, 2024) })),
    ...Array.from({ length: changes }, (_, i) => ({ key: 100 + i, year: 2026 }))
  ]
    .map(({ key, year }) => amendment(history.dice("amendment", index, key), year))
    .sort((a, b) => (a.day < b.day ? -1 : 1))
  const effective = amendments.at(-1)?.day ?? `${dice.int(1896, 1988)}-01-01`
  const text = dice.sample(rules, 3).map((rule) => Prose.opening(dice, rule))
  /** "3-204": chapter 3, section 4. */
  const number = `${chapter + 1}-${201 + place}`
  return {
    path: `/council/law/${chapter + 1}/${number}`,
    number,
    chapter,
    title,
    effective,
    amendments,
    paragraphs: [...text, Prose.opening(history.dice("section", index, "wording", changes), penalty)],
    listed: history.times("section unlinked", index) === 0,
    modified: history.lastDay("section", index)
  }
}

const amendment = (dice: Dice.Dice, year: number) => {
  const month = String(dice.int(1, 12)).padStart(2, "0")
  const ordinance = `Ord. ${dice.int(11, 98)}-${year}`
  const day = `${year}-${month}-${String(dice.int(1, 28)).padStart(2, "0")}`
  return { ordinance, day, what: dice.pick(changesOfLaw) }
}

const changesOfLaw = Prose.list(
  "fees raised; paragraph (b) replaced; definition added; penalty changed; times of day changed"
)

const council = (dice: Dice.Dice): Html.Page => {
  const member = (ward: string) => [ward, Prose.sentence(dice, "{person}"), `${dice.int(201, 899)} votes`]
  const main = `<h1>Northmere Town Council</h1>
<p>The council meets in the Corn Exchange on the second Thursday of the month, at seven, in public.</p>
${Html.table(["Ward", "Member", "Elected with"], dice.sample(wards, wards.length).map(member))}
<p>${Html.link("/council/law/", "The law register")} and ${Html.link("/files/council-budget.pdf", "the budget")}.</p>`
  const description = "Members, meetings and the law register of the town."
  return { path: "/council/", title: "Northmere Town Council", description, main }
}

const wards = ["Wharf", "Quarry", "Saltergate", "Bridge", "Mill", "Abbot's Reach"]

/** The chapters, each with the subjects of its sections in their order. */
const chapters = Prose.lists(`
Water and weirs: opening of the [upper|lower] weir, bathing in {river}, mooring at {place}, [ice|reed] cutting, use of
  the {machine}, fishing for {animal} by night
Markets and weights: sale of {food}, weights of {material}, stalls at {place}, market days in {season}, hawking on
  {weekday}s, the town's measure of [grain|cloth|rope]
Animals: keeping of [bees|geese|goats], protection of the {animal}, dogs at {place}, horses on bridges,
  [straying|grazing] at {place}, nests under eaves
Buildings and hedges: height of hedges, roofs of {material}, scaffolds at {place}, signs above shops, wells and cellars,
  doors that open on {place}
Noise, bells and lights: ringing of bells, lamps at {place}, music after ten, [steam|air] whistles, fireworks in
  {season}, clocks that strike
`)

const register = (): Html.Page => {
  const items = Object.keys(chapters).map((title, i) =>
    Html.link(`/council/law/${i + 1}/`, `Chapter ${i + 1}: ${title}`)
  )
  const main = `<h1>Law register</h1>
<p>What is printed here is the law as it stands. Cite it as NMC, with the number of the section.</p>
${Html.list(items, "ol")}`
  const description = "Every ordinance that is in force."
  return { path: "/council/law/", title: "Law register of Northmere", description, main }
}

const contents = (name: string, chapter: number, some: ReadonlyArray<Section>, modified: string): Html.Page => {
  const title = `Chapter ${chapter + 1}: ${name}`
  const main = `<h1>${title}</h1>
${Html.list(some.map((one) => Html.link(one.path, `§ ${one.number} ${one.title}`)))}
<p>${Html.link("/council/law/", "All chapters")}</p>`
  const description = `NMC chapter ${chapter + 1}, ${name}.`
  return { path: `/council/law/${chapter + 1}/`, modified, title, description, main }
}

const page = (one: Section): Html.Page => {
  const { amendments, chapter, effective, listed, modified, number, path, title } = one
  const changes = amendments.map(({ day, ordinance, what }) => [ordinance, day, what])
  return {
    path,
    modified,
    title: `NMC ${number} ${title}`,
    description: `Section ${number} of the Northmere Municipal Code: ${title}.`,
    fields: { effective },
    foundBy: listed ? "link" : "nothing",
    inSitemap: listed,
    facts: { number, title, effective, amendments: amendments.map(({ ordinance }) => ordinance) },
    main: `${Html.heading(`§ ${number} ${title}`)}
<p class="effective">In force since ${Html.time(effective)}</p>
<ol class="law">
${Html.lines(one.paragraphs, (text, i) => `<li id="p-${"abcd"[i]}" class="paragraph">(${"abcd"[i]}) ${Html.escape(text)}</li>`)}
</ol>
<h2>History</h2>
${changes.length === 0 ? "<p>Never amended.</p>" : Html.table(["Ordinance", "Date", "Change"], changes)}
<p>${Html.link(`/council/law/${chapter + 1}/`, `Chapter ${chapter + 1}`)}</p>`
  }
}

const rules = Prose.sentences(`
No person shall [open|obstruct|remove] a {machine} without a permit of the clerk. Between {month} and {month} the hours
are from {5-9} in the morning to {5-9} in the evening. The fee is {2-90} pounds, of which {1-9} go to the keeper of
{place}. In this section, "public place" means {place}, the bridges, and any path of more than {2-9} feet. A permit
lasts {6-36} months and names one person and one {tool}. The clerk shall keep a book of permits, open to anybody on
{weekday}s. This section does not apply to a {trade} at work, nor to the [fire brigade|lock keeper]. Anything found
contrary to this section may be kept at {place} for {7-60} days.
`)

const penalty =
  "Whoever breaks this section pays [not more than|at least] {10-480} pounds, and {2-20} more for each day that it goes on."
