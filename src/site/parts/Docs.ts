/** The documentation of Sluice, which opens the town's gates: thirty pages in two versions, which are nearly the same. */
import * as Draft from "./Draft.ts"
import type * as History from "./History.ts"
import * as Html from "./Html.ts"
import * as Prose from "./Prose.ts"

type Version = "v1" | "v2"

export const section = (history: History.History): Html.Section => [
  Draft.redirect("/docs/", 302, "v2/", "/docs/v2/"),
  ...(["v1", "v2"] as const).flatMap((version) => [
    contents(version),
    ...topics.map((topic, index) => page(history, version, topic, index))
  ])
]

const link = (version: Version, { path, title }: Topic): string => Html.link(`/docs/${version}/${path}`, title)

const contents = (version: Version): Html.Page => {
  const other = version === "v1" ? "v2" : "v1"
  const main = `<h1>Sluice ${version}</h1>
<p>Sluice opens and closes water gates by a plan. ${version === "v1" ? "This version gets security fixes only." : "This is the current version."}
The other version is ${Html.link(`/docs/${other}/`, other)}.</p>
${Html.lines(chapters, ({ name, title, topics }) => `<h2 id="${name}">${title}</h2>\n${Html.list(topics.map((topic) => link(version, topic)))}`)}`
  const description = "How to install, run and extend Sluice, the gate controller."
  return { path: `/docs/${version}/`, title: `Sluice ${version} documentation`, description, main }
}

const page = (history: History.History, version: Version, topic: Topic, index: number): Html.Page => {
  const { command, path, title } = topic
  const words = { topic: title.toLowerCase(), command, version }
  // The first version is frozen; only the second is reworded.
  const wording = version === "v1" ? 0 : history.times("docs page reworded", index)
  const first = Prose.paragraph(history.dice("docs", index, "first", wording), openings, 3, words)
  const second = Prose.paragraph(history.dice("docs", index, "second"), details, 4, words)
  const dice = history.dice("docs", index)
  const options = dice.sample(flags, dice.int(3, 6))
  const rows = options.map(([name, ...others]) => [`--${name}`, ...others])
  const presets = options.map(([name, preset]) => [name, preset] as const)
  const given = presets.slice(0, 2).map(([name, preset]) => ` --${name} ${preset}`)
  const steps = dice.sample(sequence, 3).map((step) => Html.escape(Prose.opening(dice, step, words)))
  const neighbours = Object.entries({ Next: topics[index + 1], Back: topics[index - 1] })
  return {
    path: `/docs/${version}/${path}`,
    modified: version === "v1" ? Draft.firstDay : history.lastDay("docs", index),
    title: `${title} - Sluice ${version}`,
    description: Prose.opening(history.dice("docs", index, "description"), summary, words),
    ogType: "article",
    main: `${Html.heading(title)}
<p>${Html.escape(first)}</p>
<div class="admonition ${dice.pick(["note", "warning", "tip"])}"><p class="admonition-title">${dice.pick(["Note", "Mind", "Tip"])}</p>
<p>${Html.escape(Prose.opening(dice, dice.pick(notes), words))}</p></div>
<h2 id="use">Use</h2>
<p>${Html.escape(second)}</p>
<pre><code class="language-sh"># ${title}, with Sluice ${version}
sluice ${command}${given.join("")} plans/weir.toml
if [ $? -ne 0 ]; then
    sluice status --json | jq '.gates[] | select(.open &lt; 5)'
fi
</code></pre>
<h2 id="options">Options</h2>
${Html.table(["Option", "Default", "Meaning"], rows)}
<h2 id="steps">Step by step</h2>
<ol>
<li>${steps[0]}
<ul>
<li>${Html.escape(Prose.sentence(dice, "on the {machine} at {place}, by hand"))}
<ul><li>${Html.escape(Prose.sentence(dice, "never on a {weekday}"))}</li></ul></li>
<li>elsewhere, with <code>sluice ${command} --dry-run</code></li>
</ul></li>
<li>${steps[1]}</li>
<li>${steps[2]}</li>
</ol>
<pre><code class="language-json">${Html.escape(JSON.stringify({ command, gate: dice.int(1, 24), options: Object.fromEntries(presets) }, null, 2))}</code></pre>
<p>${neighbours.flatMap(([word, one]) => (one === undefined ? [] : [`${word}: ${link(version, one)}`])).join(" ")}</p>`
  }
}

const topicOf = (chapter: string, text: string) => {
  const [name, title = "", command = ""] = Prose.list(text, ": ")
  return { path: `${chapter}/${name}`, title, command }
}

/** Chapters with their titles, and their topics: name, title and command of each. */
const chapters = Prose.rows(`
start | Getting started | install: Installing Sluice: init | first-gate: Your first gate: gate add
  | concepts: Gates, plans and sensors: explain | configuration: The configuration file: config show
  | upgrade: Upgrading: upgrade | uninstall: Removing Sluice: uninstall
gates | Gates | open: Opening a gate: gate open | close: Closing a gate: gate close
  | calibrate: Calibrating a gate: gate calibrate | groups: Groups of gates: group add
  | limits: Limits and interlocks: gate limit | manual: Taking over by hand: gate release
plans | Plans | write: Writing a plan: plan new | schedule: Scheduling a plan: plan schedule
  | test: Testing a plan: plan test | seasons: Plans for the seasons: plan season
  | share: Sharing plans: plan export | roll-back: Going back to an older plan: plan restore
sensors | Sensors | level: Water level sensors: sensor level | flow: Flow meters: sensor flow
  | rain: Rain gauges: sensor rain | faulty: When a sensor is wrong: sensor check
  | virtual: Virtual sensors: sensor virtual | history: Keeping readings: sensor export
operations | Operations | logs: Reading the log: log tail | alarms: Alarms: alarm add
  | backup: Backup and restore: backup | users: Users and permissions: user add
  | performance: Performance: bench | api: The HTTP interface: serve
`).map(([name, title = "", ...topics]) => ({ name, title, topics: topics.map((topic) => topicOf(name, topic)) }))

export const topics = chapters.flatMap((chapter) => chapter.topics)
type Topic = ReturnType<typeof topicOf>

/** The sentences that a page is made of. `{topic}` and `{command}` are the page's. */
const summary = "{topic} with sluice {command}: what it does, its options, and an example from {place}."

const openings = Prose.sentences(`
{topic} is the part of Sluice that people meet in their first {2-6} days. run \`sluice {command}\` in the folder that
holds your plans. most towns need {topic} once a {season}, and forget how in between. this page shows {topic} on a
{machine} with {2-12} gates. nothing moves until you confirm, and the answer is kept in the log for {30-365} days. if
you come from paper plans, read \`{command}\` as the line that {person} used to write by hand. the command looks at every
gate first and refuses when one of them does not answer within {2-20} seconds. it was rewritten after the flood of
{year}, when {place} lost its telephone line.
`)

const details = Prose.sentences(`
Sluice reads the plan from top to bottom and stops at the first rule that fits. a gate that is already where it should
be is left alone, so the command may be run twice. readings older than {20-180} seconds do not count, and the gate keeps
its place. on slow lines add \`--patience\`, as {place} does since {year}. every step is one line in the log, with the
level in millimetres and the name of the person. the lock is held for at most {1-9} minutes and is given back when the
process dies. two operators may plan at once; only one of them may move a gate. in our measurements {100-900} gates took
{2-40} {unit} more than ten did. the exit code is {3-9} when a gate jams, and 0 when it was told to stay. in {season}
the defaults are more careful, because ice counts as a closed gate.
`)

const notes = Prose.sentences(`
never run {command} while somebody stands on the {machine}. a gate that was moved by hand must be calibrated before
{topic} works again. {version} keeps the old spelling of this option and warns once a day. the {animal} nesting at
{place} is protected: gates 3 and 4 stay shut until July. an operator needs the right \`gate:move\`; reading needs none.
`)

const sequence = Prose.sentences(`
check the level at {place} and write it down. run the plan against the readings of the last {2-30} days. tell {person}
before the first gate moves. open gate {1-24} by {5-60} per cent and wait for the reading to settle. compare the flow
with the table from {year}. close the plan with the date and your initials.
`)

/** Name, default and meaning. */
const flags = Prose.list(`
patience: 30s: how long to wait for a gate to answer; step: 5%: the largest single movement; zone: upper: which part of
the river it concerns; format: table: table, json or csv | all units are metric; confirm: ask: ask, always or never;
retries: 3: how often a silent sensor is asked again; since: 24h: the oldest reading that counts; operator: $USER: whose
name goes into the log; dry-run: false: say what would be done and do nothing; level: 1.20m: the level that the plan aims
for
`).map((flag) => Prose.list(flag, ": "))
