/** What metas of the head call the title, the authors and the dates of an article; the first that a page has counts. */

const prefixed = (names: string): ReadonlyArray<string> => names.split(" ")
export const titleNames = prefixed(
  "dc:title dcterm:title dcterms:title og:title meta:title twitter:title parsely-title"
)
export const authorNames = prefixed(
  "dc:creator dcterm:creator dcterms:creator author parsely-author sailthru:author citation_author article:author " +
    "og:article:author article:author_name byl byline creator"
)
export const publishedNames = prefixed(
  "article:published_time parsely-pub-date og:published_time og:article:published_time og:pubdate datepublished dc:date:issued " +
    "dcterms:issued dcterms:created dcterms:date dc:date:created dc:date dc:issued dc:created publishdate publish-date " +
    "publish_date pubdate published published_at published_date publication_date publicationdate article:published " +
    "article:published_date article:post_date sailthru:date date:published date citation_online_date " +
    "citation_publication_date citation_date bt:pubdate rnews:datepublished cxenseparse:recs:publishtime " +
    "shareaholic:article_published_time originalpublicationdate datecreated date_published ptime displaydate article_date_original"
)
/** As makers of sites call it with words of their own before: "w-published-date". */
export const publishedName =
  /(?:^|[-_:])(?:date[-_]?published|publish(?:ed)?[-_]?(?:date|time|at|on)|publication[-_]?date|pub[-_]?date)$/
export const modifiedNames = prefixed(
  "article:modified_time og:updated_time datemodified dcterms:modified dc:date:modified dc:modified lastmod last-modified " +
    "last_modified lastmodified article:modified modified updated revised ms:date date_modified last-updated"
)
