import { expect, test } from "vitest"
import { namesAside } from "#page/content/asides"

test("classes and ids name what stands aside", () => {
  for (const name of ["sidebar", "site-footer dark", "cookie-banner", "breadcrumbs", "toc", "relatedArticles"]) {
    expect([name, namesAside(name)]).toEqual([name, true])
  }
})

test("names that only sound like it are content", () => {
  for (const name of ["has-sidebar", "l-sidebar-fixed l-article-body", "footnotes", "tag-newsletter", "navigate"]) {
    expect([name, namesAside(name)]).toEqual([name, false])
  }
})
