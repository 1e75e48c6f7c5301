/**
 * Returns a path of an endpoint as the router takes it: a colon of the path's own is doubled, and a parameter in front of one ends
 * there.
 *
 * @example
 * Route.toPattern('/tokens/{tokenId}:reindex') // '/tokens/:tokenId([^/:]*)::reindex'
 */
export function toPattern(path: string): string {
  return path
    .replaceAll(':', '::')
    .replace(/\{(\w+)\}::/g, ':$1([^/:]*)::')
    .replace(/\{(\w+)\}/g, ':$1')
}

/** Returns a request's URL with the colons of its path as they are: clients may write `%3A`, which the router takes for another character. */
export function decodeColons(url: string): string {
  const query = url.indexOf('?')
  const path = query === -1 ? url : url.slice(0, query)
  return path.replace(/%3a/gi, ':') + url.slice(path.length)
}
