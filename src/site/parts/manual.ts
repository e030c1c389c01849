/** What the documentation of Sluice is about, and the sentences it is made of. `{topic}` and `{command}` are the page's. */
import * as Prose from "./Prose.ts"

export const chapters = {
  start: "Getting started",
  gates: "Gates",
  plans: "Plans",
  sensors: "Sensors",
  operations: "Operations"
}

const rows = Prose.rows(`
start | install | Installing Sluice | init
start | first-gate | Your first gate | gate add
start | concepts | Gates, plans and sensors | explain
start | configuration | The configuration file | config show
start | upgrade | Upgrading | upgrade
start | uninstall | Removing Sluice | uninstall
gates | open | Opening a gate | gate open
gates | close | Closing a gate | gate close
gates | calibrate | Calibrating a gate | gate calibrate
gates | groups | Groups of gates | group add
gates | limits | Limits and interlocks | gate limit
gates | manual | Taking over by hand | gate release
plans | write | Writing a plan | plan new
plans | schedule | Scheduling a plan | plan schedule
plans | test | Testing a plan | plan test
plans | seasons | Plans for the seasons | plan season
plans | share | Sharing plans | plan export
plans | roll-back | Going back to an older plan | plan restore
sensors | level | Water level sensors | sensor level
sensors | flow | Flow meters | sensor flow
sensors | rain | Rain gauges | sensor rain
sensors | faulty | When a sensor is wrong | sensor check
sensors | virtual | Virtual sensors | sensor virtual
sensors | history | Keeping readings | sensor export
operations | logs | Reading the log | log tail
operations | alarms | Alarms | alarm add
operations | backup | Backup and restore | backup
operations | users | Users and permissions | user add
operations | performance | Performance | bench
operations | api | The HTTP interface | serve
`)

export const topics = rows.map(([chapter = "", name = "", title = "", command = ""]) => ({
  chapter,
  name,
  title,
  command
}))

export type Topic = (typeof topics)[number]

export const summary = "{topic} with sluice {command}: what it does, its options, and an example from {place}."

export const openings = Prose.sentences(`
{topic} is the part of Sluice that people meet in their first {2-6} days. run \`sluice {command}\` in the folder that
holds your plans. most towns need {topic} once a {season}, and forget how in between. this page shows {topic} on a
{machine} with {2-12} gates. nothing moves until you confirm, and the answer is kept in the log for {30-365} days. if
you come from paper plans, read \`{command}\` as the line that {person} used to write by hand. the command looks at every
gate first and refuses when one of them does not answer within {2-20} seconds. it was rewritten after the flood of
{year}, when {place} lost its telephone line.
`)

export const details = Prose.sentences(`
Sluice reads the plan from top to bottom and stops at the first rule that fits. a gate that is already where it should
be is left alone, so the command may be run twice. readings older than {20-180} seconds do not count, and the gate keeps
its place. on slow lines add \`--patience\`, as {place} does since {year}. every step is one line in the log, with the
level in millimetres and the name of the person. the lock is held for at most {1-9} minutes and is given back when the
process dies. two operators may plan at once; only one of them may move a gate. in our measurements {100-900} gates took
{2-40} {unit} more than ten did. the exit code is {3-9} when a gate jams, and 0 when it was told to stay. in {season}
the defaults are more careful, because ice counts as a closed gate.
`)

export const notes = Prose.sentences(`
never run {command} while somebody stands on the {machine}. a gate that was moved by hand must be calibrated before
{topic} works again. {version} keeps the old spelling of this option and warns once a day. the {animal} nesting at
{place} is protected: gates 3 and 4 stay shut until July. an operator needs the right \`gate:move\`; reading needs none.
`)

export const steps = Prose.sentences(`
check the level at {place} and write it down. run the plan against the readings of the last {2-30} days. tell {person}
before the first gate moves. open gate {1-24} by {5-60} per cent and wait for the reading to settle. compare the flow
with the table from {year}. close the plan with the date and your initials.
`)

export type Option = readonly [name: string, preset: string, meaning: string]

export const options: ReadonlyArray<Option> = [
  ["patience", "30s", "how long to wait for a gate to answer"],
  ["step", "5%", "the largest single movement"],
  ["zone", "upper", "which part of the river it concerns"],
  ["format", "table", "table, json or csv | all units are metric"],
  ["confirm", "ask", "ask, always or never"],
  ["retries", "3", "how often a silent sensor is asked again"],
  ["since", "24h", "the oldest reading that counts"],
  ["operator", "$USER", "whose name goes into the log"],
  ["dry-run", "false", "say what would be done and do nothing"],
  ["level", "1.20m", "the level that the plan aims for"]
]
