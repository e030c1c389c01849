/** The council's law register: thirty numbered sections in five chapters, with their dates and amendments. */
import * as Dice from "./Dice.ts"
import * as Draft from "./Draft.ts"
import type * as History from "./History.ts"
import * as Html from "./Html.ts"
import * as Prose from "./Prose.ts"

export interface Section {
  readonly path: string
  /** "3-204": chapter 3, section 4. */
  readonly number: string
  readonly chapter: number
  readonly title: string
  readonly effective: string
  readonly amendments: ReadonlyArray<{ readonly ordinance: string; readonly day: string; readonly what: string }>
  readonly paragraphs: ReadonlyArray<string>
  readonly listed: boolean
  readonly modified: string
}

const chapters = [
  "Water and weirs",
  "Markets and weights",
  "Animals",
  "Buildings and hedges",
  "Noise, bells and lights"
] as const
const perChapter = 6

export const sections = (history: History.History): ReadonlyArray<Section> =>
  chapters.flatMap((_, chapter) =>
    Array.from({ length: perChapter }, (__, i) => section(history, chapter, i, chapter * perChapter + i))
  )

export const drafts = (history: History.History): ReadonlyArray<Draft.Draft> => {
  const all = sections(history)
  const listed = all.filter((one) => one.listed)
  return [
    council(history),
    register(history),
    ...chapters.map((title, chapter) =>
      chapterPage(
        history,
        chapter,
        title,
        listed.filter((one) => one.chapter === chapter)
      )
    ),
    ...all.map((one) => page(history, one))
  ]
}

const section = (history: History.History, chapter: number, place: number, index: number): Section => {
  const { last, seed, times } = history
  const dice = Dice.make(seed, "section", index)
  const number = `${chapter + 1}-${201 + place}`
  const title = Prose.capital(Prose.sentence(dice, subjects[chapter]?.[place] ?? "{place}"))
  const before = Array.from({ length: dice.int(0, 3) }, (_, i) =>
    amendment(seed, index, i, String(dice.int(1990, 2024)))
  )
  const changes = times("section amended", index)
  const since = Array.from({ length: changes }, (_, i) => amendment(seed, index, 100 + i, "2026"))
  const wording = Dice.make(seed, "section", index, "wording", changes)
  const amendments = [...before, ...since].sort((a, b) => (a.day < b.day ? -1 : 1))
  return {
    path: `/council/law/${chapter + 1}/${number}`,
    number,
    chapter,
    title,
    effective: amendments.at(-1)?.day ?? `${dice.int(1896, 1988)}-01-01`,
    amendments,
    paragraphs: [
      ...dice.sample(rules, 3).map((rule) => Prose.capital(Prose.sentence(dice, rule))),
      Prose.capital(Prose.sentence(wording, penalty))
    ],
    listed: times("section unlinked", index) === 0,
    modified: Draft.dayOfRevision(last("section", index))
  }
}

const amendment = (seed: number, index: number, count: number, year: string) => {
  const dice = Dice.make(seed, "amendment", index, count)
  const month = String(dice.int(1, 12)).padStart(2, "0")
  return {
    ordinance: `Ord. ${dice.int(11, 98)}-${year}`,
    day: `${year}-${month}-${String(dice.int(1, 28)).padStart(2, "0")}`,
    what: dice.pick([
      "fees raised",
      "paragraph (b) replaced",
      "definition added",
      "penalty changed",
      "times of day changed"
    ])
  }
}

const council = (history: History.History): Draft.Draft => {
  const dice = Dice.make(history.seed, "council")
  const people = dice
    .sample(wards, wards.length)
    .map((ward) => [ward, Prose.sentence(dice, "{person}"), `${dice.int(201, 899)} votes`])
  return Html.draft(history, {
    path: "/council/",
    title: "Northmere Town Council",
    description: "Members, meetings and the law register of the town.",
    main: `<h1>Northmere Town Council</h1>
<p>The council meets in the Corn Exchange on the second Thursday of the month, at seven, in public.</p>
${Html.table(["Ward", "Member", "Elected with"], people)}
<p>${Html.link("/council/law/", "The law register")} and ${Html.link("/files/council-budget.pdf", "the budget")}.</p>`
  })
}

const register = (history: History.History): Draft.Draft =>
  Html.draft(history, {
    path: "/council/law/",
    title: "Law register of Northmere",
    description: "Every ordinance that is in force.",
    main: `<h1>Law register</h1>
<p>What is printed here is the law as it stands. Cite it as NMC, with the number of the section.</p>
${Html.list(
  chapters.map((title, i) => Html.link(`/council/law/${i + 1}/`, `Chapter ${i + 1}: ${title}`)),
  "ol"
)}`
  })

const chapterPage = (
  history: History.History,
  chapter: number,
  title: string,
  some: ReadonlyArray<Section>
): Draft.Draft =>
  Html.draft(history, {
    path: `/council/law/${chapter + 1}/`,
    modified: Draft.latest(
      Array.from({ length: perChapter }, (_, i) =>
        Draft.dayOfRevision(history.last("section", chapter * perChapter + i))
      )
    ),
    title: `Chapter ${chapter + 1}: ${title}`,
    description: `NMC chapter ${chapter + 1}, ${title}.`,
    main: `<h1>Chapter ${chapter + 1}: ${title}</h1>
${Html.list(some.map((one) => Html.link(one.path, `§ ${one.number} ${one.title}`)))}
<p>${Html.link("/council/law/", "All chapters")}</p>`
  })

const page = (history: History.History, one: Section): Draft.Draft => {
  const { amendments, effective, listed, modified, number, path, title } = one
  const main = `<h1>§ ${number} ${Html.escape(title)}</h1>
<p class="effective">In force since <time datetime="${effective}">${effective}</time></p>
<ol class="law">
${one.paragraphs.map((text, i) => `<li id="p-${"abcdefgh"[i]}" class="paragraph">(${"abcdefgh"[i]}) ${Html.escape(text)}</li>`).join("\n")}
</ol>
<h2>History</h2>
${
  amendments.length === 0
    ? "<p>Never amended.</p>"
    : Html.table(
        ["Ordinance", "Date", "Change"],
        amendments.map(({ day, ordinance, what }) => [ordinance, day, what])
      )
}
<p>${Html.link(`/council/law/${one.chapter + 1}/`, `Chapter ${one.chapter + 1}`)}</p>`
  return Html.draft(
    history,
    {
      path,
      title: `NMC ${number} ${title}`,
      description: `Section ${number} of the Northmere Municipal Code: ${title}.`,
      main
    },
    {
      modified,
      fields: { effective },
      foundBy: listed ? "link" : "nothing",
      inSitemap: listed,
      facts: { number, title, effective, amendments: amendments.map(({ ordinance }) => ordinance) }
    }
  )
}

const wards = ["Wharf", "Quarry", "Saltergate", "Bridge", "Mill", "Abbot's Reach"]

/** For each chapter the subjects of its sections, in their order. */
const subjects: ReadonlyArray<ReadonlyArray<string>> = [
  [
    "opening of the [upper|lower] weir",
    "bathing in {river}",
    "mooring at {place}",
    "[ice|reed] cutting",
    "use of the {machine}",
    "fishing for {animal} by night"
  ],
  [
    "sale of {food}",
    "weights of {material}",
    "stalls at {place}",
    "market days in {season}",
    "hawking on {weekday}s",
    "the town's measure of [grain|cloth|rope]"
  ],
  [
    "keeping of [bees|geese|goats]",
    "protection of the {animal}",
    "dogs at {place}",
    "horses on bridges",
    "[straying|grazing] at {place}",
    "nests under eaves"
  ],
  [
    "height of hedges",
    "roofs of {material}",
    "scaffolds at {place}",
    "signs above shops",
    "wells and cellars",
    "doors that open on {place}"
  ],
  [
    "ringing of bells",
    "lamps at {place}",
    "music after ten",
    "[steam|air] whistles",
    "fireworks in {season}",
    "clocks that strike"
  ]
]

const rules = [
  "No person shall [open|obstruct|remove] a {machine} without a permit of the clerk.",
  "Between {month} and {month} the hours are from {5-9} in the morning to {5-9} in the evening.",
  "The fee is {2-90} pounds, of which {1-9} go to the keeper of {place}.",
  'In this section, "public place" means {place}, the bridges, and any path of more than {2-9} feet.',
  "A permit lasts {6-36} months and names one person and one {tool}.",
  "The clerk shall keep a book of permits, open to anybody on {weekday}s.",
  "This section does not apply to a {trade} at work, nor to the [fire brigade|lock keeper].",
  "Anything found contrary to this section may be kept at {place} for {7-60} days."
]

const penalty =
  "Whoever breaks this section pays [not more than|at least] {10-480} pounds, and {2-20} more for each day that it goes on."
