/**
 * The documentation of Sluice, the program that opens the town's gates: thirty pages in two versions, which are nearly the
 * same, as versions are.
 */
import * as Dice from "./Dice.ts"
import * as Draft from "./Draft.ts"
import type * as History from "./History.ts"
import * as Html from "./Html.ts"
import * as Manual from "./manual.ts"
import * as Prose from "./Prose.ts"

const versions = ["v1", "v2"] as const
type Version = (typeof versions)[number]

export const drafts = (history: History.History): ReadonlyArray<Draft.Draft> => [
  Draft.redirect("/docs/", 302, "v2/", "/docs/v2/"),
  ...versions.flatMap((version) => [
    contents(history, version),
    ...Manual.topics.map((topic, index) => page(history, version, topic, index))
  ])
]

const pathOf = (version: Version, topic: Manual.Topic): string => `/docs/${version}/${topic.chapter}/${topic.name}`

const contents = (history: History.History, version: Version): Draft.Draft => {
  const other = version === "v1" ? "v2" : "v1"
  const chapters = Object.entries(Manual.chapters).map(([chapter, title]) => {
    const topics = Manual.topics.filter((topic) => topic.chapter === chapter)
    return `<h2 id="${chapter}">${title}</h2>\n${Html.list(topics.map((topic) => Html.link(pathOf(version, topic), topic.title)))}`
  })
  return Html.draft(history, {
    path: `/docs/${version}/`,
    title: `Sluice ${version} documentation`,
    description: "How to install, run and extend Sluice, the gate controller.",
    main: `<h1>Sluice ${version}</h1>
<p>Sluice opens and closes water gates by a plan. ${version === "v1" ? "This version gets security fixes only." : "This is the current version."}
The other version is ${Html.link(`/docs/${other}/`, other)}.</p>
${chapters.join("\n")}`
  })
}

const page = (history: History.History, version: Version, topic: Manual.Topic, index: number): Draft.Draft => {
  const { seed } = history
  const words = { topic: topic.title.toLowerCase(), command: topic.command, version }
  // The first version is frozen; only the second is reworded.
  const wording = version === "v1" ? 0 : history.times("docs page reworded", index)
  const first = Prose.paragraph(Dice.make(seed, "docs", index, "first", wording), Manual.openings, 3, words)
  const second = Prose.paragraph(Dice.make(seed, "docs", index, "second"), Manual.details, 4, words)
  const dice = Dice.make(seed, "docs", index)
  const options = dice.sample(Manual.options, dice.int(3, 6))
  const steps = dice
    .sample(Manual.steps, 3)
    .map((step) => Html.escape(Prose.capital(Prose.sentence(dice, step, words))))
  const main = `<h1>${Html.escape(topic.title)}</h1>
<p>${Html.escape(first)}</p>
<div class="admonition ${dice.pick(["note", "warning", "tip"])}"><p class="admonition-title">${dice.pick(["Note", "Mind", "Tip"])}</p>
<p>${Html.escape(Prose.capital(Prose.sentence(dice, dice.pick(Manual.notes), words)))}</p></div>
<h2 id="use">Use</h2>
<p>${Html.escape(second)}</p>
<pre><code class="language-sh">${Html.escape(shell(version, topic, options))}</code></pre>
<h2 id="options">Options</h2>
${Html.table(
  ["Option", "Default", "Meaning"],
  options.map(({ name, preset, meaning }) => [`--${name}`, preset, meaning])
)}
<h2 id="steps">Step by step</h2>
<ol>
<li>${steps[0]}
<ul>
<li>${Html.escape(Prose.sentence(dice, "on the {machine} at {place}, by hand"))}
<ul><li>${Html.escape(Prose.sentence(dice, "never on a {weekday}"))}</li></ul></li>
<li>elsewhere, with <code>sluice ${topic.command} --dry-run</code></li>
</ul></li>
<li>${steps[1]}</li>
<li>${steps[2]}</li>
</ol>
<pre><code class="language-json">${Html.escape(settings(topic, options, dice))}</code></pre>
<p>${neighbours(version, index)}</p>`
  return Html.draft(
    history,
    {
      path: pathOf(version, topic),
      title: `${topic.title} - Sluice ${version}`,
      description: Prose.capital(Prose.sentence(Dice.make(seed, "docs", index, "description"), Manual.summary, words)),
      main,
      ogType: "article"
    },
    { modified: version === "v1" ? Draft.firstDay : Draft.dayOfRevision(history.last("docs", index)) }
  )
}

const shell = (version: Version, topic: Manual.Topic, options: ReadonlyArray<Manual.Option>): string => {
  const flags = options.slice(0, 2).map(({ name, preset }) => ` --${name} ${preset}`)
  return `# ${topic.title}, with Sluice ${version}
sluice ${topic.command}${flags.join("")} plans/weir.toml
if [ $? -ne 0 ]; then
    sluice status --json | jq '.gates[] | select(.open < 5)'
fi
`
}

const settings = (topic: Manual.Topic, options: ReadonlyArray<Manual.Option>, dice: Dice.Dice): string =>
  JSON.stringify(
    {
      command: topic.command,
      gate: dice.int(1, 24),
      options: Object.fromEntries(options.map((one) => [one.name, one.preset]))
    },
    null,
    2
  )

/** "Back: ..., next: ..." */
const neighbours = (version: Version, index: number): string => {
  const words = { "-1": "Back: ", "1": "Next: " }
  return Object.entries(words)
    .flatMap(([step, word]) => {
      const topic = Manual.topics[index + Number(step)]
      return topic === undefined ? [] : [`${word}${Html.link(pathOf(version, topic), topic.title)}`]
    })
    .join(" ")
}
