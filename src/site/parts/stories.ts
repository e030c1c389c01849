/** The stories of the blog, and the sentences that continue them. `{place}` and `{person}` are the post's. */
import * as Prose from "./Prose.ts"

export const tags = ["repairs", "wildlife", "food", "history", "walks", "workshop", "weather", "people"]

export const places = [
  "Alder Bridge",
  "Quarry Hill",
  "the Old Wharf",
  "Saltergate",
  "the Lower Lock",
  "Heron Weir"
] as const

/** The words that a story's title and first sentence share. */
export const subjects = ["machine", "animal", "food", "year", "material", "month", "trade"] as const

/** Tag, title and first sentence. */
export const stories = Prose.rows(`
repairs | the {machine} at {place} turns again
  | after {5-40} months of silence the {machine} at {place} was started on a wet {weekday}.
wildlife | {2-9} {animal}s counted near {place}
  | the yearly count found {2-9} {animal}s between {place} and the weir, {1-3} more than last {season}.
food | how {person} makes {food}
  | {person} learned to make {food} from a card found in a drawer at {place}.
history | what stood at {place} in {year}
  | a photograph of {year} shows {place} with a {trade}'s sign that nobody alive remembers.
walks | a {adjective} walk from {place}
  | start at {place}, keep {river} on your left, and allow {2-5} hours.
workshop | {person} on {material} and patience
  | in the workshop behind {place} {person} works with {material}, and with no hurry at all.
weather | {month}, by the numbers
  | our gauge at {place} measured {20-190} millimetres of rain in {month}, on {6-25} days.
people | meet the {trade} of {place}
  | {person} is the [third|fourth|fifth] {trade} in the family, and the first to write things down.
`)

export const middles = Prose.sentences(`
the work took {3-60} days, most of them spent waiting for {material}. {person} had kept the drawings in a tin since
{year}. at the second attempt the {tool} slipped, and the afternoon was lost. by {month} the whole row of houses at
{place} had an opinion. we measured twice: {12-88} {unit} before, {12-88} after. it is said that the {trade} of {year}
did the same with half the tools. nobody had asked the {animal}, which moved in before the paint was dry. the council
paid for the {material}, the rest came from a collection at {place}. for lunch there was {food}, as there always is. the
old parts are on show at {place} until the end of {month}. one of the neighbours keeps a list, and by it this was repair
number {14-212}. the water of {river} stood {2-30} centimetres higher than in the {season} before. what looks like
{material} is, on closer view, mostly filler from {year}. children from the school drew the {machine} and got the number
of teeth right. in the end a {adjective} solution won, because it could be reached with a ladder. the bill came to
{40-990} pounds, {2-30} less than feared. if you want to help, come on a {weekday} and bring a {tool}. there are still
{2-12} of these left in the county, and {1-2} of them move.
`)

export const quotes = Prose.sentences(`
it only looks {adjective} because you did not see it in {year}. a {machine} tells you what is wrong, if you are quiet. I
would do it again, but with better {material}. {place} is never finished, and that is the point of it.
`)

export const closings = Prose.sentences(`
the next open day is on the [first|second|third|last] {weekday} of {month}. {person} will answer questions at {place}
all week. a longer version of this was printed in the Courier. we will measure again in {season} and write about it
here. thanks to {person}, who read this before it went out. photographs are at the library, in the drawer marked {year}.
`)
