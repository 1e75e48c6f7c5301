/** Shortens an id in the middle: prefix such as `NodeID-`, six characters, an ellipsis, six characters. */
export function shorten(id: string, kept = 6): string {
  const prefix = /^(NodeID-|[PXC]-|0x|[a-z]+1(?=[02-9ac-hj-np-z]{38}$))/.exec(id)?.[0] ?? ''
  const rest = id.slice(prefix.length)
  return rest.length <= 2 * kept + 3 ? id : `${prefix}${rest.slice(0, kept)}…${rest.slice(-kept)}`
}
