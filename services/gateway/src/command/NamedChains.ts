import { OptionsError, Type } from '@firn/options'

/**
 * A chain as given by `--chain`: its nodes, and the names before `=`, of which the first is the EVM chain id.
 */
export type Named = { readonly names: readonly string[]; readonly urls: readonly string[] }

/**
 * Parses `<url>[,<url>…]` or `<name>[,<name>…]=<url>[,<url>…]`.
 * @throws OptionsError
 */
export const parse = (text: string): Named => {
  const [, names, rest = ''] = /^(?:([\w,-]+)=)?(.*)$/s.exec(text) ?? []
  const urls = rest.split(',').map((url) => url.trim())
  const strange = urls.find((url) => !/^(https?|wss?):\/\//.test(url) || !URL.canParse(url))
  if (strange === undefined) return { names: names?.split(',') ?? [], urls }
  throw new OptionsError(`expected a node's URL (http, https, ws or wss), got ${strange || 'nothing'}`)
}

/** Returns the type of an option `--chain`, which can be repeated. `areNames` tells which names are valid. */
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
