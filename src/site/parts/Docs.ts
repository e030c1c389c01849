/**
 * The documentation of Sluice, the program that opens the town's gates: thirty pages in two versions, which are nearly the
 * same, as versions are.
 */
import type * as Dice from "./Dice.ts"
import * as Draft from "./Draft.ts"
import type * as History from "./History.ts"
import * as Html from "./Html.ts"
import * as Manual from "./manual.ts"
import * as Prose from "./Prose.ts"

const versions = ["v1", "v2"] as const
type Version = (typeof versions)[number]

export const section = (history: History.History): Html.Section => [
  Draft.redirect("/docs/", 302, "v2/", "/docs/v2/"),
  ...versions.flatMap((version) => [
    contents(version),
    ...Manual.topics.map((topic, index) => page(history, version, topic, index))
  ])
]

const pathOf = (version: Version, topic: Manual.Topic): string => `/docs/${version}/${topic.chapter}/${topic.name}`

const link = (version: Version, topic: Manual.Topic): string => Html.link(pathOf(version, topic), topic.title)

const contents = (version: Version): Html.Page => {
  const other = version === "v1" ? "v2" : "v1"
  const chapter = ([name, title]: readonly [string, string]) => {
    const topics = Manual.topics.filter((topic) => topic.chapter === name)
    return `<h2 id="${name}">${title}</h2>\n${Html.list(topics.map((topic) => link(version, topic)))}`
  }
  return {
    path: `/docs/${version}/`,
    title: `Sluice ${version} documentation`,
    description: "How to install, run and extend Sluice, the gate controller.",
    main: `<h1>Sluice ${version}</h1>
<p>Sluice opens and closes water gates by a plan. ${version === "v1" ? "This version gets security fixes only." : "This is the current version."}
The other version is ${Html.link(`/docs/${other}/`, other)}.</p>
${Html.lines(Object.entries(Manual.chapters), chapter)}`
  }
}

const page = (history: History.History, version: Version, topic: Manual.Topic, index: number): Html.Page => {
  const words = { topic: topic.title.toLowerCase(), command: topic.command, version }
  // The first version is frozen; only the second is reworded.
  const wording = version === "v1" ? 0 : history.times("docs page reworded", index)
  const first = Prose.paragraph(history.dice("docs", index, "first", wording), Manual.openings, 3, words)
  const second = Prose.paragraph(history.dice("docs", index, "second"), Manual.details, 4, words)
  const dice = history.dice("docs", index)
  const options = dice.sample(Manual.options, dice.int(3, 6))
  const steps = dice.sample(Manual.steps, 3).map((step) => Html.escape(Prose.opening(dice, step, words)))
  return {
    path: pathOf(version, topic),
    modified: version === "v1" ? Draft.firstDay : history.lastDay("docs", index),
    title: `${topic.title} - Sluice ${version}`,
    description: Prose.opening(history.dice("docs", index, "description"), Manual.summary, words),
    ogType: "article",
    main: `${Html.heading(topic.title)}
<p>${Html.escape(first)}</p>
<div class="admonition ${dice.pick(["note", "warning", "tip"])}"><p class="admonition-title">${dice.pick(["Note", "Mind", "Tip"])}</p>
<p>${Html.escape(Prose.opening(dice, dice.pick(Manual.notes), words))}</p></div>
<h2 id="use">Use</h2>
<p>${Html.escape(second)}</p>
<pre><code class="language-sh">${Html.escape(shell(version, topic, options))}</code></pre>
<h2 id="options">Options</h2>
${Html.table(
  ["Option", "Default", "Meaning"],
  options.map(([name, ...others]) => [`--${name}`, ...others])
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
  }
}

const shell = (version: Version, topic: Manual.Topic, options: ReadonlyArray<Manual.Option>): string => {
  const flags = options.slice(0, 2).map(([name, preset]) => ` --${name} ${preset}`)
  return `# ${topic.title}, with Sluice ${version}
sluice ${topic.command}${flags.join("")} plans/weir.toml
if [ $? -ne 0 ]; then
    sluice status --json | jq '.gates[] | select(.open < 5)'
fi
`
}

const settings = ({ command }: Manual.Topic, options: ReadonlyArray<Manual.Option>, dice: Dice.Dice): string => {
  const presets = Object.fromEntries(options.map(([name, preset]) => [name, preset]))
  return JSON.stringify({ command, gate: dice.int(1, 24), options: presets }, null, 2)
}

/** "Next: ... Back: ..." */
const neighbours = (version: Version, index: number): string => {
  const [back, next] = [Manual.topics[index - 1], Manual.topics[index + 1]]
  const links = [
    ...(next === undefined ? [] : [`Next: ${link(version, next)}`]),
    ...(back === undefined ? [] : [`Back: ${link(version, back)}`])
  ]
  return links.join(" ")
}
