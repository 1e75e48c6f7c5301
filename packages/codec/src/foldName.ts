/**
 * Folds the case of a member's name as Go's JSON decoder does, which finds a field by any name that folds like its own:
 * in addition to letter case, the long s counts as an s and the Kelvin sign as a k.
 * @example
 * ```ts
 * import { foldName } from '@firn/codec'
 *
 * foldName('subnetID') === foldName('\u017fubnetid') // true
 * ```
 */
export function foldName(name: string): string {
  return name.replaceAll('\u017f', 's').toLowerCase()
}
