/**
 * Whether an object in a schema is what the page is about: `product` in `{ product: { name, price } }`. Then what the page is
 * called is its name.
 *
 * Its name says so and nothing else, and nothing beside it has a name of its own. An author, an address or an offer is a part
 * of something else, and a related product is another one: the heading of the page is not what they are called.
 */
import { entities } from "./Concepts.ts"
import * as Names from "./Names.ts"
import type { Wanted, Whole } from "./Wanted.ts"

export const isSubject = (part: Whole, { parts }: Whole): boolean =>
  isOfPage(part) && !parts.some((other) => other !== part && (isName(other) || isOfPage(other)))

const isOfPage = ({ name, _tag }: Wanted): boolean =>
  _tag === "Whole" &&
  name.length > 0 &&
  name.every(({ concept, word }) => subjects.has(word) || entities.has(concept?.id ?? ""))

const isName = ({ _tag, name }: Wanted): boolean => _tag === "One" && Names.conceptOf(name)?.id === "title"

/** What pages are about, and what people call the object that holds all that they want of a page. */
const subjects: ReadonlySet<string> = new Set(
  (
    "data result results record response output object entity item page content main detail details info information posting post " +
    "listing recipe book film movie series episode podcast song album game app software package release dataset paper thesis " +
    "course lesson class hotel restaurant place property apartment house vehicle car bike trip tour exhibition concert " +
    "law section statute regulation bill species plant animal"
  ).split(" ")
)
