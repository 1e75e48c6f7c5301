import { OptionsError } from './OptionsError.ts'
import * as Type from './Type.ts'

/**
 * A chain as given by `--chain`: its nodes, and the names before `=`, of which the first is the EVM chain id.
 */
export type Named = { readonly names: readonly string[]; readonly urls: readonly string[] }

/** Type of an EVM chain id. */
export const ID: Type.Type<bigint> = { ...Type.big, expected: 'an EVM chain id' }

/**
 * Returns whether a name of a chain is an EVM chain id.
 *
 * @example
 * ```ts
 * import { NamedChains } from '@firn/options'
 *
 * NamedChains.isId('43114') // true
 * ```
 */
export const isId = (name: string): boolean => /^\d{1,20}$/.test(name)

/**
 * Parses `<url>[,<url>…]` or `<name>[,<name>…]=<url>[,<url>…]`.
 *
 * @throws OptionsError
 * @example
 * ```ts
 * import { NamedChains } from '@firn/options'
 *
 * NamedChains.parse('43114=https://one,https://two') // { names: ['43114'], urls: ['https://one', 'https://two'] }
 * ```
 */
export const parse = (text: string): Named => {
  const [, names, rest = ''] = /^(?:([\w,-]+)=)?(.*)$/s.exec(text) ?? []
  const urls = rest.split(',').map((url) => url.trim())
  const strange = urls.find((url) => !/^(https?|wss?):\/\//.test(url) || !URL.canParse(url))
  if (strange === undefined) return { names: names?.split(',') ?? [], urls }
  throw new OptionsError(`expected a node's URL (http, https, ws or wss), got ${strange || 'nothing'}`)
}

/**
 * Returns the type of an option `--chain`, which can be repeated. `areNames` tells which names are valid.
 *
 * @example
 * ```ts
 * import { NamedChains } from '@firn/options'
 *
 * const expected = "a chain's URL, or <chain id>=<url>"
 * const type = NamedChains.type({ placeholder: 'url', expected }, (names) => names.every(NamedChains.isId))
 * type.parse('7=http://one') // [{ names: ['7'], urls: ['http://one'] }]
 * ```
 */
export const type = (
  given: Pick<Type.Type<unknown>, 'placeholder' | 'expected'>,
  areNames: (names: readonly string[]) => boolean,
  read: (text: string) => Named = parse,
): Type.Type<readonly Named[]> => {
  const all = (texts: readonly string[]): readonly Named[] | undefined => {
    const named = texts.map(read)
    return named.every(({ names }) => areNames(names)) ? named : undefined
  }
  return Type.create({
    ...given,
    parse: (text) => all([text]),
    fromJson: (json) => all([json].flat().map(String)),
    combine: (before, next) => [...before, ...next],
  })
}

/**
 * Returns the given chains if no two have the same id.
 *
 * @throws OptionsError
 * @example
 * ```ts
 * import { NamedChains } from '@firn/options'
 *
 * NamedChains.distinct([{ chainId: 1n }, { chainId: 2n }]).length // 2
 * ```
 */
export const distinct = <T extends { readonly chainId: bigint }>(chains: readonly T[]): readonly T[] => {
  const twice = chains.find(({ chainId }, i) => chains.findIndex((one) => one.chainId === chainId) !== i)
  if (twice === undefined) return chains
  throw new OptionsError(`chain ${twice.chainId} is given twice; separate a chain's nodes by commas`)
}
