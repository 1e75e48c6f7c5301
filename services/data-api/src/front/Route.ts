/**
 * Returns a path of an endpoint in the router's syntax: a literal colon is doubled, and a parameter before
 * one ends there.
 *
 * @example Route.toPattern('/tokens/{tokenId}:reindex') // '/tokens/:tokenId([^/:]*)::reindex'
 */
export function toPattern(path: string): string {
  return path
    .replaceAll(':', '::')
    .replace(/\{(\w+)\}::/g, ':$1([^/:]*)::')
    .replace(/\{(\w+)\}/g, ':$1')
}

/**
 * Returns a request's URL with decoded colons in its path: clients may write `%3A`, which the router treats
 * as another character.
 */
export function decodeColons(url: string): string {
  const query = url.indexOf('?')
  const path = query === -1 ? url : url.slice(0, query)
  return path.replace(/%3a/gi, ':') + url.slice(path.length)
}
