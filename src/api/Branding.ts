/** How a page presents itself, as the format `branding` gives it. What the page does not say is not there. */
import * as Schema from "effect/Schema"

const texts = Schema.Record(Schema.String, Schema.String)
const button = Schema.optionalKey(texts)

export const Branding = Schema.Struct({
  colorScheme: Schema.optionalKey(Schema.Literals(["light", "dark"])),
  brandName: Schema.optionalKey(Schema.String),
  logo: Schema.optionalKey(Schema.String),
  /** As the style sheets write them: background, textPrimary and link, and those that the page names so (primary, accent). */
  colors: Schema.optionalKey(texts),
  fonts: Schema.optionalKey(Schema.Array(Schema.Struct({ family: Schema.String }))),
  typography: Schema.optionalKey(
    Schema.Struct({
      fontFamilies: Schema.optionalKey(texts),
      fontStacks: Schema.optionalKey(Schema.Record(Schema.String, Schema.Array(Schema.String))),
      fontSizes: Schema.optionalKey(texts)
    })
  ),
  components: Schema.optionalKey(Schema.Struct({ buttonPrimary: button, buttonSecondary: button })),
  images: Schema.optionalKey(texts)
}).annotate({ identifier: "Branding" })
export type Branding = typeof Branding.Type
