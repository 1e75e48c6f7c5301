/**
 * Converts the path of an endpoint to the router's syntax. A literal colon is doubled, and a parameter ends
 * at the next colon.
 *
 * @example Route.toPattern('/tokens/{tokenId}:reindex') // '/tokens/:tokenId([^/:]*)::reindex'
 */
export function toPattern(path: string): string {
  return path
    .replaceAll(':', '::')
    .replace(/\{(\w+)\}::/g, ':$1([^/:]*)::')
    .replace(/\{(\w+)\}/g, ':$1')
}

/** Decodes `%3A` to a colon in the path of a URL, because the router distinguishes the two forms. */
export function decodeColons(url: string): string {
  const query = url.indexOf('?')
  const path = query === -1 ? url : url.slice(0, query)
  return path.replace(/%3a/gi, ':') + url.slice(path.length)
}
