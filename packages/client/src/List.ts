import type { CallOptions } from './Request.ts'

/** An operation that reads a list in pages. */
export interface List<Parameters, Page, Item> {
  /** Returns one page: the first one, or the page of `pageToken`. */
  (parameters: Parameters, options?: CallOptions): Promise<Page>
  /**
   * Returns all pages. Each is requested when it is needed. Ends after a page without a token (absent, null or empty) or
   * with a token that was already used, and throws the reason of the signal when it is aborted.
   */
  pages(parameters: Parameters, options?: CallOptions): AsyncIterable<Page>
  /** Returns the items of all pages. Ends and throws as `pages` does. */
  items(parameters: Parameters, options?: CallOptions): AsyncIterable<Item>
}
